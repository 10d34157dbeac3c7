#pragma once

#include <string>

#include "alembert/signal/sensor.hpp"
#include "alembert/study/inputs.hpp"

/// Settings of inputs and sensors in a few words, for tables.
namespace alembert::study {

/// Where an input comes from: "sigma 2, a knot on every sample". @param step of the study, s.
[[nodiscard]] std::string input_setting_words(const InputSource& source, double step);

/// The errors of a sensor beside its noise: "bias 0.1, 12 bits on [-5, 5]"; "" without any.
[[nodiscard]] std::string sensor_setting_words(const signal::SensorOptions& options);

}  // namespace alembert::study
