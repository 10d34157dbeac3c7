#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "alembert/study/observe.hpp"

namespace alembert::study {
namespace {

using model::planar::CoordinateKind;
using model::planar::SensorKind;

template <typename Enum, std::size_t n>
std::string name_in(const std::array<const char*, n>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

constexpr std::array<const char*, 4> kDerivatives = {"", "_velocity", "_acceleration", "_jerk"};
constexpr std::array<const char*, 4> kRates = {"", "/s", "/s^2", "/s^3"};

// "angle(rod, crank)" as part of a column name: "angle_rod_crank".
std::string column_stem(const std::string& coordinate) {
  std::string stem;
  for (const char c : coordinate) {
    if (c == '(' || c == ',') stem += '_';
    if (c != '(' && c != ',' && c != ')' && c != ' ') stem += c;
  }
  return stem;
}

// One for each coordinate; bodies may be named so that two would be the same.
std::vector<std::string> column_stems(const std::vector<model::planar::Coordinate>& coordinates) {
  std::vector<std::string> stems;
  for (const model::planar::Coordinate& coordinate : coordinates) {
    std::string stem = column_stem(model::planar::to_string(coordinate));
    while (std::find(stems.begin(), stems.end(), stem) != stems.end()) stem += "_2";
    stems.push_back(std::move(stem));
  }
  return stems;
}

}  // namespace

std::string to_string(estimate::ObserverFilter filter) {
  return name_in<estimate::ObserverFilter, 12>(
      {"ekf", "iterated-ekf", "square-root-ekf", "iterated-square-root-ekf", "simplex",
       "square-root-simplex", "unscented", "square-root-unscented", "cubature",
       "square-root-cubature", "gauss-hermite", "square-root-gauss-hermite"},
      filter);
}

std::string to_string(estimate::MotionModel motion) {
  return motion == estimate::MotionModel::WhiteJerk ? "white-jerk" : "white-snap";
}

std::string to_string(estimate::Discretisation discretisation) {
  return name_in<estimate::Discretisation, 4>({"euler", "trapezoidal", "heun", "runge-kutta"},
                                              discretisation);
}

std::string to_string(estimate::AccelerationScheme scheme) {
  return name_in<estimate::AccelerationScheme, 5>(
      {"none", "constraint", "constraint-now", "newmark", "newmark-constraint"}, scheme);
}

std::string to_string(SensorKind kind) {
  return name_in<SensorKind, 8>({"angle", "angular-rate", "inclination", "displacement", "velocity",
                                 "acceleration", "length", "length-rate"},
                                kind);
}

std::string to_string(SensorScore::Role role) {
  return name_in<SensorScore::Role, 3>({"output", "input", "unused"}, role);
}

std::string sensor_unit(SensorKind kind) {
  return name_in<SensorKind, 8>({"rad", "rad/s", "rad", "m", "m/s", "m/s^2", "m", "m/s"}, kind);
}

std::vector<StateColumn> state_columns(const ObserveStudy& study,
                                       const std::vector<std::string>& names) {
  const model::planar::MechanismDescription& description = study.mechanism->description();
  const std::size_t n = description.coordinates.size();
  const bool output = study.options.form == estimate::ObserverForm::Output;
  const std::size_t biases = output ? study.options.output.biases.size() : 0;
  const std::size_t lengths =
      output && study.options.output.geometry ? description.parameters.size() : 0;
  const std::size_t motion = names.size() - lengths - biases;
  const std::vector<std::string> stems = column_stems(description.coordinates);
  std::vector<StateColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < motion) {
      const model::planar::Coordinate& coordinate = description.coordinates[i % n];
      const std::string unit = coordinate.kind == CoordinateKind::Angle ? "rad" : "m";
      columns.push_back({names[i], stems[i % n] + kDerivatives[i / n], unit + kRates[i / n],
                         static_cast<int>(i / n)});
    } else if (i < motion + lengths) {
      columns.push_back({names[i], "length_error_" + names[i], "m", -1});
    } else {
      const int sensor = study.options.output.biases[i - motion - lengths];
      const auto& one = description.sensors[static_cast<std::size_t>(sensor)];
      columns.push_back({names[i], "bias_" + one.name, sensor_unit(one.kind), -1});
    }
  }
  return columns;
}

std::vector<signal::Channel> coordinate_channels(const model::planar::Mechanism& mechanism) {
  static const std::array<const char*, 3> kOf = {"", "velocity of ", "acceleration of "};
  const std::vector<model::planar::Coordinate>& coordinates = mechanism.description().coordinates;
  const std::vector<std::string> stems = column_stems(coordinates);
  std::vector<signal::Channel> channels;
  for (std::size_t order = 0; order < kOf.size(); ++order) {
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::string unit = coordinates[i].kind == CoordinateKind::Angle ? "rad" : "m";
      channels.push_back({.name = stems[i] + kDerivatives[order],
                          .unit = unit + kRates[order],
                          .description = kOf[order] + model::planar::to_string(coordinates[i])});
    }
  }
  return channels;
}

}  // namespace alembert::study
