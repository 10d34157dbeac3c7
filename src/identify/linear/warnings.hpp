#pragma once

#include "alembert/identify/linear.hpp"

namespace alembert::identify {

/// Adds what may surprise to result.warnings.
void warn_about_result(LinearIdentification& result);

}  // namespace alembert::identify
