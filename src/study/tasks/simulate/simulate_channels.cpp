#include "study/tasks/simulate/simulate_channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "alembert/estimate/judge.hpp"
#include "alembert/study/observe.hpp"
#include "core/mapped.hpp"

namespace alembert::study {
namespace {

void append_motion(const LinearModel& model, const std::string& kind,
                   const std::vector<std::string>& units, std::vector<signal::Channel>& channels) {
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    channels.push_back({.name = model.coordinates[i] + "_" + kind,
                        .unit = units[i],
                        .description = fmt::format("{} of {}", kind, model.coordinates[i])});
  }
}

// Coordinates, velocities and accelerations.
std::vector<signal::Channel> coordinate_channels(const model::planar::Mechanism& mechanism) {
  static constexpr std::array<const char*, 3> kOf = {"", "velocity of ", "acceleration of "};
  const std::vector<model::planar::Coordinate>& coordinates = mechanism.description().coordinates;
  std::vector<signal::Channel> channels;
  for (const estimate::StateColumn& one : estimate::coordinate_columns(mechanism, 3)) {
    const std::size_t i = channels.size() % coordinates.size();
    channels.push_back({.name = one.column,
                        .unit = one.unit,
                        .description = kOf[static_cast<std::size_t>(one.derivative)] +
                                       model::planar::to_string(coordinates[i])});
  }
  return channels;
}

// Names that no channel before has: a body may be named so that two would be the same.
void append_unique(signal::Channel channel, std::vector<signal::Channel>& channels) {
  const auto taken = [&](const signal::Channel& other) { return other.name == channel.name; };
  while (std::any_of(channels.begin(), channels.end(), taken)) channel.name += "_2";
  channels.push_back(std::move(channel));
}

void append_true_readings(const model::planar::Mechanism& mechanism,
                          std::vector<signal::Channel>& channels) {
  for (const model::planar::Sensor& sensor : mechanism.description().sensors) {
    append_unique({.name = sensor.name + "_true",
                   .unit = sensor_unit(sensor.kind),
                   .description = "without errors and offset"},
                  channels);
  }
}

// "y(AD.M)" as u_y_AD_M
std::string displacement_column(const std::string& name) {
  std::string made = "u_";
  for (const char letter : name) {
    if (letter == ')') continue;
    const bool mark = letter == '(' || letter == '.' || letter == '#';
    made += mark ? '_' : letter;
  }
  return made;
}

void append_displacements(const model::flexible::FlexibleMechanism& mechanism,
                          std::vector<signal::Channel>& channels) {
  for (int i = 0; i < mechanism.elastic(); ++i) {
    const std::string& name = mechanism.displacements()[static_cast<std::size_t>(i)];
    append_unique({.name = displacement_column(name),
                   .unit = name.rfind("angle", 0) == 0 ? "rad" : "m",
                   .description = "elastic displacement " + name},
                  channels);
  }
}

void append_forces(const std::vector<model::planar::Force>& forces,
                   std::vector<signal::Channel>& channels) {
  for (const model::planar::Force& force : forces) {
    channels.push_back({.name = "force_" + force.name,
                        .unit = force.kind == model::planar::ForceKind::Torque ? "N m" : "N",
                        .description = force.known ? "measured" : "unknown to the observer"});
  }
}

/// One overload for each kind of model.
struct MotionChannels {
  std::vector<signal::Channel> operator()(const LinearModel& model) const {
    std::vector<signal::Channel> channels;
    append_motion(model, "displacement", model.displacement_units, channels);
    append_motion(model, "velocity", model.velocity_units, channels);
    append_motion(model, "acceleration", model.acceleration_units, channels);
    return channels;
  }
  std::vector<signal::Channel> operator()(const EquationSystem& equations) const {
    std::vector<signal::Channel> channels;
    for (std::size_t i = 0; i < equations.signals.size(); ++i) {
      channels.push_back({.name = equations.signals[i],
                          .unit = equations.signal_units[i],
                          .description = "without errors"});
    }
    return channels;
  }
  std::vector<signal::Channel> operator()(const MovedMechanism& moved) const {
    std::vector<signal::Channel> channels = coordinate_channels(*moved.mechanism);
    append_true_readings(*moved.mechanism, channels);
    if (moved.has_forces()) append_forces(moved.mechanism->description().forces, channels);
    return channels;
  }
  std::vector<signal::Channel> operator()(const MovedFlexible& moved) const {
    std::vector<signal::Channel> channels = coordinate_channels(moved.mechanism->rigid());
    for (const model::flexible::FlexibleSensor& sensor : moved.sensors->sensors()) {
      append_unique({.name = sensor.name + "_true",
                     .unit = model::flexible::flexible_sensor_unit(sensor.kind),
                     .description = "without errors"},
                    channels);
    }
    append_forces(moved.mechanism->description().mechanism.forces, channels);
    append_displacements(*moved.mechanism, channels);
    return channels;
  }
};

}  // namespace

std::vector<signal::Channel> input_channels(const SimulateStudy& study) {
  return mapped(study.inputs, [](const InputDescription& input) {
    return signal::Channel{.name = input.name, .unit = input.unit, .description = "input"};
  });
}

std::vector<signal::Channel> motion_channels(const SimulatedModel& model) {
  return std::visit(MotionChannels{}, model);
}

std::vector<signal::Channel> sensor_channels(const SimulateStudy& study) {
  return mapped(study.sensors, [](const SensorDescription& sensor) {
    return signal::Channel{
        .name = sensor.column.empty() ? sensor.name : sensor.column,
        .unit = sensor.unit,
        .description = sensor.quantity == Quantity::Signal
                           ? fmt::format("sensor of {}", sensor.place)
                           : fmt::format("{} of {}", name_of(sensor.quantity), sensor.place)};
  });
}

}  // namespace alembert::study
