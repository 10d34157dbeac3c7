#pragma once

// Sensors that would fix the coordinates where those of a mechanism do not.

#include <vector>

#include "estimate/observability/kinematic_sight.hpp"

namespace alembert::estimate {

/// Rank and condition of every place against the largest singular value of all: what is small is
/// small beside what the sensors see elsewhere, also for a single coordinate.
void judge(const std::vector<Seen>& places, const ObservabilityOptions& options,
           SensorSetReport& report);

/// Single sensors that fix all coordinates at all places, best first; pairs if there are none and
/// not too many pairs.
/// @param seen what the present sensors see at rest; its places are looked at again.
[[nodiscard]] std::vector<SensorSuggestion> suggested_sensors(
    const model::planar::Mechanism& mechanism, const model::planar::MechanismState& start,
    const ObservabilityOptions& options, const std::vector<Seen>& seen);

}  // namespace alembert::estimate
