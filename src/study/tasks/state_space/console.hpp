#pragma once

#include <string>

#include "alembert/study/records/state_space.hpp"

/// What [identify] with method = "state-space" says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string state_space_heading(const StateSpaceStudy& study);
/// What was found.
[[nodiscard]] std::string state_space_console(const StateSpaceOutcome& result);

}  // namespace alembert::study
