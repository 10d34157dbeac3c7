#pragma once

#include <string>

#include "alembert/study/identify.hpp"

/// What [identify] says on a terminal, as whole lines.
namespace alembert::study {

/// What is going to be done.
[[nodiscard]] std::string identify_heading(const IdentifyStudy& study);
/// What was found.
[[nodiscard]] std::string identify_console(const IdentifyResult& result);

}  // namespace alembert::study
