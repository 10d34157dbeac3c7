#pragma once

#include "alembert/identify/state_space/state_space.hpp"

namespace alembert::identify::state_space {

/// What speaks against a model: fit, order at the end of those tried, halves that disagree, poles
/// at the edge of stability.
[[nodiscard]] Verdict state_space_verdict(const StateSpace& result,
                                          const StateSpaceOptions& options);

}  // namespace alembert::identify::state_space
