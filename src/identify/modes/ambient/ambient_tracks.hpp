#pragma once

#include <vector>

#include "alembert/identify/modes/ambient_modes.hpp"
#include "identify/modes/ambient/stochastic_orders.hpp"

namespace alembert::identify::modes {

struct AmbientTracks {
  std::vector<AmbientPole> chosen;      ///< the pole of median damping of each track
  std::vector<StabilityPoint> diagram;  ///< all poles
};

/// Links a pole to a track if |Δf|/f < max(0.002, min(0.01, 2 ζ)), MAC > 0.8 and damping within
/// 50 %. Tracks never end: true modes may split for some orders and return. Those seen in enough
/// orders stay; two with MAC > 0.95 and |Δf|/f < max(ζ, 0.001) are one.
[[nodiscard]] AmbientTracks ambient_tracks(const std::vector<AmbientOrder>& orders,
                                           const AmbientOptions& options);

}  // namespace alembert::identify::modes
