#pragma once

#include <vector>

#include "alembert/model/flexible/sensors.hpp"
#include "alembert/study/detail/keys.hpp"
#include "study/schema/bound_keys.hpp"

/// Keys of bodies that bend.
namespace alembert::study {

inline constexpr const char* kForFlexible = "mechanisms with flexible bodies";

/// section, elements and lumps of [mechanism.bodies.NAME].
[[nodiscard]] std::vector<KeySpec> flexible_body_keys();

/// equations, stiffening and damping of [mechanism].
[[nodiscard]] std::vector<KeySpec> flexible_mechanism_keys();

/// What a sensor on flexible bodies reads.
[[nodiscard]] const BoundKeys<model::flexible::FlexibleSensor>& flexible_sensor_keys();

/// [data] of a mechanism with flexible bodies.
[[nodiscard]] const TableSpec& flexible_data_table();

/// Whether a body of [mechanism] has a section.
[[nodiscard]] bool has_flexible_bodies(const Value& root);

}  // namespace alembert::study
