#pragma once

#include "alembert/model/planar/description.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// The keys of a sensor on a mechanism that say what it reads, and how well.
[[nodiscard]] const BoundKeys<model::planar::Sensor>& mechanism_sensor_keys();

}  // namespace alembert::study
