#pragma once

#include <vector>

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// Sets the verdict by what speaks against the equation found: how it ended, findings of the
/// diagnosis, the unit, fit, colour of the residuals, windows that disagree, the second half by a
/// fit of the first, bounds, parameters that are hardly known, and warnings.
void judge_trust(const std::vector<AccelerationRecord>& records, const AccelerationOptions& options,
                 AccelerationFit& fit);

}  // namespace alembert::identify
