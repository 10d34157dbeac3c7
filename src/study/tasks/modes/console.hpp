#pragma once

#include <string>

#include "alembert/study/modes.hpp"

/// What [identify] with method = "modes" says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string modes_heading(const ModesStudy& study);
/// What was found.
[[nodiscard]] std::string modes_console(const ModesOutcome& result);

}  // namespace alembert::study
