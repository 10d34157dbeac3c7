#include "identify/mechanism/mechanism_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/optimize/objective.hpp"
#include "core/mapped.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::Sensor;

namespace {

constexpr const char* kFitMechanism = "fit_mechanism";
constexpr double kTurn = 2.0 * std::numbers::pi;

void check_forces_known(const MechanismDescription& description) {
  for (const model::planar::Force& force : description.forces) {
    if (force.known) continue;
    throw InvalidInput({.function = kFitMechanism,
                        .item = fmt::format("force '{}'", force.name),
                        .rule = "must be measured: an unknown force takes the place of any "
                                "parameter"});
  }
}

void check_columns(const Mechanism& mechanism, const Experiments& data) {
  check_experiments(kFitMechanism, data);
  const auto forces = static_cast<Index>(mechanism.description().forces.size());
  const auto sensors = static_cast<Index>(motion_sensors(mechanism).size());
  for (const Experiment& one : data) {
    check::size(kFitMechanism, "input columns", one.input.cols(), forces);
    check::size(kFitMechanism, "output columns", one.output.cols(), sensors);
  }
}

// Readings in SI, with the offset in them; turns are counted on.
VectorXd continuous(const Sensor& sensor, const VectorXd& readings) {
  Sensor plain = sensor;
  plain.offset = 0.0;
  VectorXd values = readings;
  double last = std::numeric_limits<double>::quiet_NaN();
  for (double& value : values) {
    if (std::isnan(value)) continue;
    value = model::planar::physical_value(plain, value);
    if (sensor.wrap && !std::isnan(last)) value -= kTurn * std::round((value - last) / kTurn);
    last = value;
  }
  return values;
}

}  // namespace

MechanismProblem::MechanismProblem(const MechanismDescription& description,
                                   std::vector<optimize::Parameter> parameters, Experiments data,
                                   const MechanismFitOptions& options)
    : description_(description),
      names_(mapped(parameters, [](const optimize::Parameter& one) { return one.name; })),
      parameters_(std::move(parameters)),
      data_(std::move(data)),
      steps_{.substeps = options.substeps, .between = options.between} {
  check::at_least(kFitMechanism, "substeps", options.substeps, 1);
  if (options.between != signal::BetweenSamples::Held &&
      options.between != signal::BetweenSamples::Linear) {
    throw InvalidInput({.function = kFitMechanism,
                        .argument = "between",
                        .rule = "must be held or linear for a mechanism"});
  }
  const Mechanism mechanism(description_);
  check_forces_known(description_);
  check_columns(mechanism, data_);
  for (const std::string& name : names_) (void)mechanism_parameter(description_, name);
  const std::vector<int> sensors = motion_sensors(mechanism);
  for (Experiment& one : data_) {
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const Sensor& sensor = description_.sensors[static_cast<std::size_t>(sensors[i])];
      one.output.col(static_cast<Index>(i)) =
          continuous(sensor, one.output.col(static_cast<Index>(i)));
    }
  }
  find_starts(options);
  MechanismValues at_guess = with_parameters(values_of(description_), names_, guess());
  keep_assembly(starts_.col(0).head(mechanism.coordinates()), at_guess);
  for (std::size_t b = 0; b < description_.bodies.size(); ++b) {
    description_.bodies[b].start = at_guess.description.bodies[b].start;
  }
  add_start_parameters(options);
  runs_.emplace(description_, names_, starts_.col(0).head(mechanism.coordinates()),
                at_guess.lengths, options.engine);
  settle_turns();
}

VectorXd MechanismProblem::guess() const {
  VectorXd theta(static_cast<Index>(parameters_.size()));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    theta(static_cast<Index>(i)) = parameters_[i].guess;
  }
  return theta;
}

void MechanismProblem::find_starts(const MechanismFitOptions& options) {
  const auto n = static_cast<Index>(description_.coordinates.size());
  const auto experiments = static_cast<Index>(data_.size());
  // Offsets that are given are no motion.
  Experiments moved = data_;
  const std::vector<int> sensors = motion_sensors(Mechanism(description_));
  for (Experiment& one : moved) {
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      one.output.col(static_cast<Index>(i)).array() -=
          description_.sensors[static_cast<std::size_t>(sensors[i])].offset;
    }
  }
  measured_ = measured_path(description_, moved);
  if (options.starts.size() > 0) {
    check::shape(kFitMechanism, "starts", options.starts, 2 * n, experiments);
    starts_ = options.starts;
    return;
  }
  if (!measured_.ok()) {
    throw InvalidInput({.function = kFitMechanism,
                        .argument = "starts",
                        .rule = "must be given: " + measured_.message});
  }
  starts_.resize(2 * n, experiments);
  for (Index e = 0; e < experiments; ++e) {
    const auto& path = measured_.paths[static_cast<std::size_t>(e)];
    starts_.col(e) << path.z.row(0).transpose(), path.zd.row(0).transpose();
  }
}

void MechanismProblem::add_start_parameters(const MechanismFitOptions& options) {
  const auto n = static_cast<Index>(description_.coordinates.size());
  for (std::size_t e = 0; e < data_.size(); ++e) {
    const std::string number = data_.size() == 1 ? "" : fmt::format(" {}", e + 1);
    for (Index i = 0; i < 2 * n; ++i) {
      const auto& coordinate = description_.coordinates[static_cast<std::size_t>(i % n)];
      parameters_.push_back(
          {.name = fmt::format("{}{} at start{}", to_string(coordinate), i < n ? "" : "'", number),
           .guess = starts_(i, static_cast<Index>(e)),
           .scale = 1.0,
           .fixed = !options.fit_start});
    }
  }
}

// Readings that wrap begin within half a turn of what the start says.
void MechanismProblem::settle_turns() {
  const std::vector<int> sensors = motion_sensors(Mechanism(description_));
  const VectorXd theta = guess();
  for (std::size_t e = 0; e < data_.size(); ++e) {
    const MechanismRun begun = run(theta, e, steps_.substeps);
    if (begun.readings.rows() == 0) continue;
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const Sensor& sensor = description_.sensors[static_cast<std::size_t>(sensors[i])];
      auto column = data_[e].output.col(static_cast<Index>(i));
      const double gap = column(0) - begun.readings(0, static_cast<Index>(i));
      if (sensor.wrap && std::isfinite(gap)) column.array() -= kTurn * std::round(gap / kTurn);
    }
  }
}

std::vector<std::string> MechanismProblem::units() const {
  std::vector<std::string> list = mapped(names_, [&](const std::string& name) {
    return mechanism_parameter(description_, name).unit;
  });
  const std::size_t n = description_.coordinates.size();
  for (std::size_t i = 0; i < 2 * n * data_.size(); ++i) {
    const auto kind = description_.coordinates[i % n].kind;
    const std::string unit = kind == model::planar::CoordinateKind::Angle ? "rad" : "m";
    list.push_back(i % (2 * n) < n ? unit : unit + "/s");
  }
  return list;
}

ExactStart MechanismProblem::start_of(const VectorXd& theta, std::size_t experiment) const {
  const auto n = static_cast<Index>(description_.coordinates.size());
  const auto count = static_cast<Index>(names_.size());
  const VectorXd start = theta.segment(count + 2 * n * static_cast<Index>(experiment), 2 * n);
  return {.numbers = theta.head(count), .z = start.head(n), .zd = start.tail(n)};
}

MechanismRun MechanismProblem::run(const VectorXd& theta, std::size_t experiment, Index substeps,
                                   const CoordinateForces& added) const {
  const Experiment& one = data_[experiment];
  const ExactStart start = start_of(theta, experiment);
  const RunSteps steps{.substeps = substeps, .between = steps_.between};
  if (added.terms.empty()) return runs_->run(start, one.input, one.step, steps);
  // Forces that the description has not are no part of what was lowered.
  return run_mechanism(with_parameters(values_of(description_), names_, start.numbers), start.z,
                       start.zd, one.input, one.step, steps, added);
}

std::string MechanismProblem::engine() const { return runs_->engine(); }

std::vector<MatrixXd> MechanismProblem::slopes(const VectorXd& theta,
                                               std::size_t experiment) const {
  const Experiment& one = data_[experiment];
  std::vector<MatrixXd> found;
  try {
    MechanismRun made =
        runs_->run(start_of(theta, experiment), one.input, one.step, steps_, &found);
    if (!made.ok()) throw optimize::Infeasible(made.message);
  } catch (const InvalidInput& error) {
    throw optimize::Infeasible(error.reason());
  }
  // The numbers, then the start of this experiment among those of all.
  const auto starts = static_cast<std::ptrdiff_t>(2 * description_.coordinates.size());
  std::vector<MatrixXd> columns(parameters_.size());
  const auto count = static_cast<std::ptrdiff_t>(names_.size());
  const std::ptrdiff_t first = count + starts * static_cast<std::ptrdiff_t>(experiment);
  std::move(found.begin(), found.begin() + count, columns.begin());
  std::move(found.begin() + count, found.end(), columns.begin() + first);
  return columns;
}

MatrixXd MechanismProblem::readings(const VectorXd& theta, std::size_t experiment) const {
  return readings(theta, experiment, steps_.substeps);
}

MatrixXd MechanismProblem::readings(const VectorXd& theta, std::size_t experiment, Index substeps,
                                    const CoordinateForces& added) const {
  try {
    MechanismRun made = run(theta, experiment, substeps, added);
    if (!made.ok()) throw optimize::Infeasible(made.message);
    return std::move(made.readings);
  } catch (const InvalidInput& error) {  // a mass below zero, say
    throw optimize::Infeasible(error.reason());
  }
}

double MechanismProblem::cost(const VectorXd& theta, const VectorXd& weights) const {
  double sum = 0.0;
  try {
    for (std::size_t e = 0; e < data_.size(); ++e) {
      const MatrixXd left = (data_[e].output - readings(theta, e)) * weights.asDiagonal();
      sum += left.array().isNaN().select(0.0, left).squaredNorm();
    }
  } catch (const optimize::Infeasible&) {
    return std::numeric_limits<double>::infinity();
  }
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

VectorXd MechanismProblem::sigma_weights() const {
  const std::vector<int> sensors = motion_sensors(Mechanism(description_));
  VectorXd weights(static_cast<Index>(sensors.size()));
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const double variance =
        model::planar::sensor_variance(description_.sensors[static_cast<std::size_t>(sensors[i])]);
    if (!(variance > 0.0)) return {};
    weights(static_cast<Index>(i)) = 1.0 / std::sqrt(variance);
  }
  return weights;
}

std::vector<std::string> MechanismProblem::sensor_names() const {
  return mapped(motion_sensors(Mechanism(description_)),
                [&](int i) { return description_.sensors[static_cast<std::size_t>(i)].name; });
}

}  // namespace alembert::identify
