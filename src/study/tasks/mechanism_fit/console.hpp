#pragma once

#include <string>

#include "alembert/study/mechanism/mechanism_fit.hpp"

namespace alembert::study {

/// What is going to be done, as lines for a terminal.
[[nodiscard]] std::string mechanism_fit_heading(const MechanismFitStudy& study);

/// What was found, likewise.
[[nodiscard]] std::string mechanism_fit_console(const MechanismFitOutcome& result);

}  // namespace alembert::study
