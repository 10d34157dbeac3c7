#pragma once

#include <vector>

#include "alembert/identify/modes/frf_modes.hpp"

namespace alembert::identify::modes {

/// Poles that were followed over orders.
struct FrfTracks {
  std::vector<FrfPole> candidates;      ///< median of the last seven poles of each long track
  std::vector<StabilityPoint> diagram;  ///< all poles
};

/// Links a pole to one of the next order if |Δλ| < max(0.002 |λ|, min(0.01 |λ|, 0.5 |Re λ|)), one
/// gap allowed; tracks of at least `shortest` orders are candidates.
[[nodiscard]] FrfTracks frf_tracks(const std::vector<FrfOrder>& orders, int shortest);

}  // namespace alembert::identify::modes
