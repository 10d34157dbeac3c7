#pragma once

#include "alembert/signal/sensor.hpp"
#include "alembert/study/sensors.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// [simulate.sensors.NAME] of a linear model.
[[nodiscard]] const TableSpec& sensor_table();

/// What such a sensor sees, and where: measures, at, unit.
[[nodiscard]] BoundKeys<SensorDescription> sensor_place_keys();

/// What may be wrong with a simulated sensor of any model: sigma, snr, bias, ..., delay.
[[nodiscard]] const BoundKeys<signal::SensorOptions>& sensor_error_keys();
[[nodiscard]] std::vector<KeyRule> sensor_error_rules();

}  // namespace alembert::study
