#pragma once

#include "alembert/model/planar/description.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// The keys of a force on a mechanism.
[[nodiscard]] const BoundKeys<model::planar::Force>& mechanism_force_keys();

/// The keys of a spring, damper or friction.
[[nodiscard]] const BoundKeys<model::planar::PassiveForce>& mechanism_passive_keys();

}  // namespace alembert::study
