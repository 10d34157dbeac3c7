#pragma once

#include <optional>
#include <vector>

#include "alembert/signal/frf.hpp"

namespace alembert::identify::modes {

/// Records of a hammer cut at its blows: segments of equal length that begin with a blow.
struct BlowSegments {
  std::vector<signal::InputOutput> segments;
  /// The decay in 1/s that the window of `frf` adds to every pole.
  double added_decay = 0.0;
  signal::FrfOptions frf;
};

/// Segments as long as the shortest time from blow to blow (of those with half of the usual room or
/// more), under a window that falls to 1 %: nothing is left that could leak, however light the
/// damping. None if a record is not that of a hammer, or if fewer than 64 samples lie between
/// blows. A response that is not zero at rest is moved there by its median.
[[nodiscard]] std::optional<BlowSegments> blow_segments(
    const std::vector<signal::InputOutput>& experiments, double step,
    const signal::FrfOptions& options);

}  // namespace alembert::identify::modes
