#include "study/tasks/simulate/simulate_channels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/study/observe.hpp"
#include "study/schema/mapped.hpp"

namespace alembert::study {
namespace {

void append_motion(const ModelDescription& model, const std::string& kind,
                   const std::vector<std::string>& units, std::vector<signal::Channel>& channels) {
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    channels.push_back({.name = model.coordinates[i] + "_" + kind,
                        .unit = units[i],
                        .description = fmt::format("{} of {}", kind, model.coordinates[i])});
  }
}

// Names that no channel before has: a body may be named so that two would be the same.
void append_true_readings(const model::planar::Mechanism& mechanism,
                          std::vector<signal::Channel>& channels) {
  for (const model::planar::Sensor& sensor : mechanism.description().sensors) {
    std::string name = sensor.name + "_true";
    const auto taken = [&](const signal::Channel& channel) { return channel.name == name; };
    while (std::any_of(channels.begin(), channels.end(), taken)) name += "_2";
    channels.push_back({.name = name,
                        .unit = sensor_unit(sensor.kind),
                        .description = "without errors and offset"});
  }
}

}  // namespace

std::vector<signal::Channel> input_channels(const ModelDescription& model) {
  std::vector<signal::Channel> channels;
  channels.reserve(model.inputs.size());
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    channels.push_back(
        {.name = model.inputs[i], .unit = model.force_units[i], .description = "input"});
  }
  return channels;
}

std::vector<signal::Channel> motion_channels(const ModelDescription& model) {
  std::vector<signal::Channel> channels;
  if (model.mechanism) {
    channels = coordinate_channels(*model.mechanism->mechanism);
    append_true_readings(*model.mechanism->mechanism, channels);
    return channels;
  }
  if (model.equations) {
    const EquationDescription& equations = *model.equations;
    for (std::size_t i = 0; i < equations.signals.size(); ++i) {
      channels.push_back({.name = equations.signals[i],
                          .unit = equations.signal_units[i],
                          .description = "without errors"});
    }
    return channels;
  }
  append_motion(model, "displacement", model.displacement_units, channels);
  append_motion(model, "velocity", model.velocity_units, channels);
  append_motion(model, "acceleration", model.acceleration_units, channels);
  return channels;
}

std::vector<signal::Channel> sensor_channels(const SimulateStudy& study) {
  return mapped(study.sensors, [](const SensorDescription& sensor) {
    return signal::Channel{
        .name = sensor.column.empty() ? sensor.name : sensor.column,
        .unit = sensor.unit,
        .description = sensor.quantity == Quantity::Signal
                           ? fmt::format("sensor of {}", sensor.place)
                           : fmt::format("{} of {}", to_string(sensor.quantity), sensor.place)};
  });
}

}  // namespace alembert::study
