#pragma once

#include <string>

#include "alembert/study/acceleration.hpp"

/// What [identify] with method = "acceleration" says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string acceleration_heading(const AccelerationStudy& study);
/// What was found.
[[nodiscard]] std::string acceleration_console(const AccelerationOutcome& result);

}  // namespace alembert::study
