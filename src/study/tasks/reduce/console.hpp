#pragma once

#include <string>

#include "alembert/study/reduce.hpp"

/// What [reduce] says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string reduce_heading(const ReduceStudy& study);
/// What was found.
[[nodiscard]] std::string reduce_console(const ReduceOutcome& result);

}  // namespace alembert::study
