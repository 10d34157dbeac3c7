#pragma once

#include <string>

#include "alembert/study/output_error.hpp"

/// What [identify] with method = "output-error" says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string output_error_heading(const OutputErrorStudy& study);
/// What was found.
[[nodiscard]] std::string output_error_console(const OutputErrorOutcome& result);

}  // namespace alembert::study
