#pragma once

#include <string>

#include "alembert/study/simulate.hpp"

/// What [simulate] says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string simulate_heading(const SimulateStudy& study);
/// What was found, after so many seconds.
[[nodiscard]] std::string simulate_console(const SimulateResult& result, double seconds);

}  // namespace alembert::study
