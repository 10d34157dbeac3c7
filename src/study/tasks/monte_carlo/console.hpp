#pragma once

#include <string>

#include "alembert/study/monte_carlo.hpp"

/// What [monte-carlo] says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string monte_carlo_heading(const MonteCarloStudy& study);
/// What was found, after so many seconds.
[[nodiscard]] std::string monte_carlo_console(const MonteCarloResult& result, double seconds);

}  // namespace alembert::study
