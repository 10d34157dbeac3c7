#pragma once

#include <string>

#include "alembert/study/repeat.hpp"

/// What [monte-carlo] around another task says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string repeat_heading(const RepeatStudy& study);
/// What was found, after so many seconds.
[[nodiscard]] std::string repeat_console(const RepeatResult& result, double seconds);

}  // namespace alembert::study
