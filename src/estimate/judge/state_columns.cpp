#include <algorithm>
#include <array>

#include "alembert/estimate/judge.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;

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

// "force_load" in N or N m and, where they are states, the rates.
std::vector<StateColumn> force_columns(const model::planar::Mechanism& mechanism,
                                       ForceModel model) {
  std::vector<StateColumn> columns;
  for (const bool rate : {false, true}) {
    if (rate && model != ForceModel::IntegratedRandomWalk) break;
    for (const model::planar::Force& force : mechanism.description().forces) {
      if (force.known) continue;
      const bool torque = force.kind == model::planar::ForceKind::Torque;
      columns.push_back({"force(" + force.name + ")" + (rate ? "'" : ""),
                         "force_" + force.name + (rate ? "_rate" : ""),
                         std::string(torque ? "N m" : "N") + (rate ? "/s" : ""), -1});
    }
  }
  return columns;
}

}  // namespace

std::vector<StateColumn> coordinate_columns(const model::planar::Mechanism& mechanism, int blocks) {
  const auto& coordinates = mechanism.description().coordinates;
  const std::vector<std::string> stems = column_stems(coordinates);
  std::vector<StateColumn> columns;
  std::string primes;
  for (int b = 0; b < blocks; ++b) {
    const auto order = static_cast<std::size_t>(b);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const bool angle = coordinates[i].kind == model::planar::CoordinateKind::Angle;
      columns.push_back({.name = model::planar::to_string(coordinates[i]) + primes,
                         .column = stems[i] + kDerivatives[order],
                         .unit = std::string(angle ? "rad" : "m") + kRates[order],
                         .derivative = b});
    }
    primes += "'";
  }
  return columns;
}

std::vector<StateColumn> state_columns(const model::planar::Mechanism& mechanism,
                                       const KinematicObserverOptions& options,
                                       const std::vector<std::string>& names) {
  const model::planar::MechanismDescription& description = mechanism.description();
  const bool output = motion_form(options) != ObserverForm::Input;
  const bool two_stages = options.form == ObserverForm::TwoStage;
  const std::size_t biases = output ? options.output.biases.size() : 0;
  const std::size_t lengths = output && options.output.geometry ? description.parameters.size() : 0;
  std::vector<StateColumn> forces;
  if (two_stages || (output && options.output.forces)) {
    forces =
        force_columns(mechanism, two_stages ? ForceModel::RandomWalk : options.output.force_model);
  }
  const std::size_t motion = names.size() - lengths - biases - forces.size();
  std::vector<StateColumn> columns =
      coordinate_columns(mechanism, static_cast<int>(motion / description.coordinates.size()));
  for (std::size_t i = motion; i < motion + lengths; ++i) {
    columns.push_back({names[i], "length_error_" + names[i], "m", -1});
  }
  for (std::size_t i = motion + lengths; i < names.size() - forces.size(); ++i) {
    const int sensor = options.output.biases[i - motion - lengths];
    const auto& one = description.sensors[static_cast<std::size_t>(sensor)];
    columns.push_back({names[i], "bias_" + one.name, model::planar::sensor_unit(one.kind), -1});
  }
  columns.insert(columns.end(), forces.begin(), forces.end());
  return columns;
}

Index settled_sample(const KinematicEstimate& estimate, const std::vector<StateColumn>& states) {
  const Index samples = estimate.deviation.rows();
  Index first = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].derivative < 0) continue;
    const auto deviation = estimate.deviation.col(static_cast<Index>(i));
    const double later = deviation.tail((samples + 1) / 2).maxCoeff();
    while (first < samples / 2 && deviation(first) > later) ++first;
  }
  return first;
}

}  // namespace alembert::estimate
