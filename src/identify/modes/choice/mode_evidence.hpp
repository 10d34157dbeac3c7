#pragma once

#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/modes/mode_set.hpp"

namespace alembert::identify::modes {

/// Below this phase collinearity a shape is far from a vibration in phase.
inline constexpr double kOutOfPhase = 0.5;

/// Caution for every mode whose damping the data do not tell, and for shapes of three responses or
/// more that are far from a vibration in phase.
void add_mode_evidence(const std::vector<Mode>& modes, Evidence& evidence);

}  // namespace alembert::identify::modes
