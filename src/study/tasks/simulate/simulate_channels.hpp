#pragma once

#include <vector>

#include "alembert/signal/record.hpp"
#include "alembert/study/simulate.hpp"

namespace alembert::study {

/// Channels of the inputs, under the names of the model.
[[nodiscard]] std::vector<signal::Channel> input_channels(const SimulateStudy& study);
/// Channels of the motion: NAME_displacement of every coordinate, then _velocity, _acceleration;
/// for equations the signals by their names.
[[nodiscard]] std::vector<signal::Channel> motion_channels(const SimulatedModel& model);
/// Channels of the sensors.
[[nodiscard]] std::vector<signal::Channel> sensor_channels(const SimulateStudy& study);

}  // namespace alembert::study
