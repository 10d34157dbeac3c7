#pragma once

#include <string>

#include "alembert/study/observe.hpp"

/// What [observe] says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string observe_heading(const ObserveStudy& study);
/// What was found.
[[nodiscard]] std::string observe_console(const ObserveResult& result);

}  // namespace alembert::study
