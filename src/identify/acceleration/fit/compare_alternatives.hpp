#pragma once

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// Ranks the equation and its alternatives on the first record, if there are alternatives.
void compare_alternatives(const EquationOfMotion& equation, const AccelerationRecord& first,
                          const AccelerationOptions& options, AccelerationFit& fit);

}  // namespace alembert::identify
