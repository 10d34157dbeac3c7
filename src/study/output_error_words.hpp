#pragma once

#include "alembert/study/output_error.hpp"

namespace alembert::study {

/// Adds what may surprise to result.warnings.
void warn_about_equations(OutputErrorOutcome& result);

}  // namespace alembert::study
