#pragma once

#include "alembert/identify/acceleration.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

inline constexpr const char* kForAcceleration = "acceleration";

/// The keys of [identify] with method = "acceleration".
[[nodiscard]] const BoundKeys<identify::AccelerationOptions>& acceleration_keys();

/// The keys of [identify.parameters.NAME].
[[nodiscard]] const BoundKeys<optimize::Parameter>& motion_parameter_keys();

/// The keys of [identify.static].
[[nodiscard]] const BoundKeys<identify::StaticTest>& static_test_keys();

/// What [data] says beside its files.
[[nodiscard]] const BoundKeys<identify::AccelerationOptions>& motion_channel_keys();

}  // namespace alembert::study
