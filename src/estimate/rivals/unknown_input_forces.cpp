#include "alembert/estimate/rivals/unknown_input_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/estimate/force/force_balance.hpp"
#include "alembert/estimate/force/force_sight.hpp"
#include "alembert/estimate/rivals/unknown_input_filter.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;

constexpr const char* kForces = "observe_unknown_inputs";
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Index kPlacesTried = 200;
constexpr double kFelt = 1e-9;

std::span<const double> numbers_of(const VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

/// The mechanism linearised at a motion.
class ForcedMechanism {
 public:
  ForcedMechanism(const Mechanism& mechanism, MechanismState start)
      : mechanism_(mechanism),
        state_(std::move(start)),
        dynamics_(mechanism.make_dynamics()),
        reading_(mechanism.make_reading()),
        n_(mechanism.coordinates()) {
    const auto& forces = mechanism.description().forces;
    acting_.assign(forces.size(), 0.0);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      if (!forces[i].known) unknown_.push_back(i);
    }
    for (int s = 0; s < mechanism.sensors(); ++s) {
      if (mechanism.force_read_by(s) < 0) outputs_.push_back(s);
    }
  }

  [[nodiscard]] Index inputs() const { return static_cast<Index>(unknown_.size()); }
  [[nodiscard]] const std::vector<int>& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<std::size_t>& unknown() const { return unknown_; }

  // What the cells read; a missing reading holds the one before.
  void take_known(const VectorXd& readings) {
    for (int s = 0; s < mechanism_.sensors(); ++s) {
      const int force = mechanism_.force_read_by(s);
      if (force < 0 || std::isnan(readings(s))) continue;
      const auto& sensor = mechanism_.description().sensors[static_cast<std::size_t>(s)];
      acting_[static_cast<std::size_t>(force)] = model::planar::physical_value(sensor, readings(s));
    }
  }

  // z'' with its derivatives, at (z, z') and forces. False where it cannot be reached.
  bool move(const VectorXd& x, const VectorXd& d) {
    for (Index i = 0; i < inputs(); ++i) acting_[unknown_[static_cast<std::size_t>(i)]] = d(i);
    const VectorXd z = x.head(n_), zd = x.tail(n_);
    if (mechanism_.solve_position(numbers_of(z), state_) != model::planar::StepStatus::Success) {
      return false;
    }
    mechanism_.solve_velocity(numbers_of(zd), state_);
    if (!mechanism_.forward_dynamics(acting_, state_, dynamics_)) return false;
    mechanism_.differentiate(state_);
    mechanism_.differentiate_dynamics(acting_, state_, dynamics_);
    zdd = state_.zdd;
    by_x = MatrixXd(n_, 2 * n_);
    by_x << -dynamics_.tau_z, -dynamics_.tau_zd;
    by_d = dynamics_.B2;
    for (Index j = 0; j < by_x.cols(); ++j) dynamics_.lu.solve(by_x.data() + j * n_);
    for (Index j = 0; j < by_d.cols(); ++j) dynamics_.lu.solve(by_d.data() + j * n_);
    return true;
  }

  // Value and rows of a sensor after move().
  double read(int sensor, VectorXd& by_state, VectorXd& by_force) {
    mechanism_.read_sensor(sensor, state_, reading_);
    by_state = VectorXd(2 * n_);
    by_state << reading_.by_z, reading_.by_zd;
    by_state += by_x.transpose() * reading_.by_zdd;
    by_force = by_d.transpose() * reading_.by_zdd;
    return reading_.value;
  }

  VectorXd zdd;
  MatrixXd by_x, by_d;  // ∂z''/∂(z, z'), ∂z''/∂d

 private:
  const Mechanism& mechanism_;
  MechanismState state_;
  model::planar::ReducedDynamics dynamics_;
  model::planar::SensorReading reading_;
  Index n_;
  std::vector<double> acting_;
  std::vector<std::size_t> unknown_;
  std::vector<int> outputs_;
};

/// What was read in a sample, as rows of the filter.
struct SampleRows {
  VectorXd nu;
  MatrixXd C, D, R;
  std::vector<Index> outputs;  // of each row
};

SampleRows rows_of_sample(const Mechanism& mechanism, const VectorXd& readings,
                          ForcedMechanism& forced) {
  SampleRows rows;
  const std::vector<int>& outputs = forced.outputs();
  std::vector<Index> read;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!std::isnan(readings(outputs[i]))) read.push_back(static_cast<Index>(i));
  }
  const auto count = static_cast<Index>(read.size());
  rows.nu.resize(count);
  rows.C.resize(count, forced.by_x.cols());
  rows.D.resize(count, forced.inputs());
  rows.R = MatrixXd::Zero(count, count);
  rows.outputs = read;
  VectorXd by_state, by_force;
  for (Index i = 0; i < count; ++i) {
    const int s = outputs[static_cast<std::size_t>(read[static_cast<std::size_t>(i)])];
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(s)];
    const double value = forced.read(s, by_state, by_force);
    rows.nu(i) = model::planar::physical_value(sensor, readings(s)) - value;
    if (sensor.wrap) rows.nu(i) = std::remainder(rows.nu(i), 2.0 * std::numbers::pi);
    rows.C.row(i) = by_state.transpose();
    rows.D.row(i) = by_force.transpose();
    rows.R(i, i) = model::planar::sensor_variance(sensor);
  }
  return rows;
}

std::string names_of(const Mechanism& mechanism, const std::vector<std::size_t>& forces) {
  std::vector<std::string> names;
  for (const std::size_t force : forces) {
    names.push_back("'" + mechanism.description().forces[force].name + "'");
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

// At places of the record: which forces some output feels, and whether a place tells all.
void check_feedthrough(const Mechanism& mechanism, const VectorXd& start,
                       const Eigen::Ref<const MatrixXd>& readings, ForcedMechanism forced) {
  const MatrixXd places = places_from_readings(mechanism, start, readings);
  const Index stride = std::max<Index>(1, places.rows() / kPlacesTried);
  const Index n = mechanism.coordinates();
  VectorXd largest = VectorXd::Zero(forced.inputs());
  VectorXd by_state, by_force;
  for (Index k = 0; k < places.rows(); k += stride) {
    VectorXd x = VectorXd::Zero(2 * n);
    x.head(n) = places.row(k).transpose();
    if (!forced.move(x, VectorXd::Zero(forced.inputs()))) continue;
    MatrixXd D(static_cast<Index>(forced.outputs().size()), forced.inputs());
    for (Index i = 0; i < D.rows(); ++i) {
      const int s = forced.outputs()[static_cast<std::size_t>(i)];
      (void)forced.read(s, by_state, by_force);
      const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(s)];
      D.row(i) = by_force.transpose() / std::sqrt(model::planar::sensor_variance(sensor));
    }
    largest = largest.cwiseMax(D.colwise().norm().transpose());
    const VectorXd singular = Eigen::JacobiSVD<MatrixXd>(D).singularValues();
    if (D.rows() >= D.cols() && singular.minCoeff() > kFelt * singular.maxCoeff()) return;
  }
  std::vector<std::size_t> unfelt;
  for (Index i = 0; i < forced.inputs(); ++i) {
    if (!(largest(i) > kFelt)) unfelt.push_back(forced.unknown()[static_cast<std::size_t>(i)]);
  }
  const std::string what =
      unfelt.empty()
          ? fmt::format(
                "no place of the record tells unknown forces {} apart by its accelerometers",
                names_of(mechanism, forced.unknown()))
          : fmt::format("no accelerometer feels unknown force {}", names_of(mechanism, unfelt));
  throw InvalidInput(
      {.function = kForces,
       .rule = what +
               "; add an accelerometer where it moves the mechanism, or take the dynamic form, "
               "which needs a model of the force in its place"});
}

MechanismState assembled_state(const Mechanism& mechanism, const VectorXd& z) {
  check::size(kForces, "start.z", z.size(), mechanism.coordinates());
  MechanismState state = mechanism.make_state();
  const model::planar::Assembly assembly = mechanism.assemble(z, state);
  if (!assembly.ok()) throw InvalidInput({.function = kForces, .rule = assembly.message});
  return state;
}

ObserverEstimate empty_estimate(const Mechanism& mechanism, const ForcedMechanism& forced,
                                Index samples) {
  ObserverEstimate estimate;
  for (const char* prime : {"", "'"}) {
    for (const auto& one : mechanism.description().coordinates) {
      estimate.names.push_back(model::planar::to_string(one) + prime);
    }
  }
  for (const std::size_t force : forced.unknown()) {
    estimate.names.push_back("force(" + mechanism.description().forces[force].name + ")");
  }
  const auto states = static_cast<Index>(estimate.names.size());
  const auto outputs = static_cast<Index>(forced.outputs().size());
  estimate.outputs = forced.outputs();
  estimate.mean = estimate.deviation = MatrixXd::Constant(samples, states, kNaN);
  estimate.innovation = MatrixXd::Constant(samples, outputs, kNaN);
  estimate.innovation_deviation = estimate.whitened = estimate.innovation;
  estimate.nis = VectorXd::Constant(samples, kNaN);
  estimate.used.assign(static_cast<std::size_t>(samples), 0);
  estimate.random_walk.assign(static_cast<std::size_t>(samples), false);
  estimate.rejected_readings.assign(forced.outputs().size(), 0);
  return estimate;
}

void keep(const UnknownInputFilter& filter, Index k, ObserverEstimate& estimate) {
  estimate.mean.row(k) << filter.state().transpose(), filter.input().transpose();
  estimate.deviation.row(k) << filter.covariance().diagonal().cwiseSqrt().transpose(),
      filter.input_covariance().diagonal().cwiseSqrt().transpose();
}

// x⁻ = f(x, d) with A and G, over a step.
void advance(double h, const VectorXd& noise, ForcedMechanism& forced, UnknownInputFilter& filter) {
  const Index n = forced.by_x.rows();
  const VectorXd& x = filter.state();
  VectorXd next(2 * n);
  next << x.head(n) + h * x.tail(n) + 0.5 * h * h * forced.zdd, x.tail(n) + h * forced.zdd;
  MatrixXd A = MatrixXd::Identity(2 * n, 2 * n);
  A.topRightCorner(n, n).diagonal().setConstant(h);
  A.topRows(n) += 0.5 * h * h * forced.by_x;
  A.bottomRows(n) += h * forced.by_x;
  MatrixXd G(2 * n, forced.by_d.cols());
  G << 0.5 * h * h * forced.by_d, h * forced.by_d;
  const MatrixXd Q = noise.asDiagonal();
  filter.predict(next, A, G, Q);
}

}  // namespace

ObserverEstimate observe_unknown_inputs(const std::shared_ptr<const Mechanism>& mechanism,
                                        const Eigen::Ref<const VectorXd>& time,
                                        const Eigen::Ref<const MatrixXd>& readings,
                                        const UnknownInputOptions& options) {
  check::at_least(kForces, "samples", time.size(), 2);
  check::shape(kForces, "readings", readings, time.size(), mechanism->sensors());
  check::size(kForces, "noise", static_cast<long long>(options.noise.size()), 2);
  check_unknown_forces(kForces, *mechanism);
  const Index n = mechanism->coordinates();
  ForcedMechanism forced(*mechanism, assembled_state(*mechanism, options.start.z));
  check::at_least(kForces, "unknown forces", forced.inputs(), 1);
  check_feedthrough(*mechanism, options.start.z, readings, forced);
  VectorXd x = VectorXd::Zero(2 * n), deviations(2 * n), noise(2 * n);
  x.head(n) = options.start.z;
  if (options.start.zd.size() > 0) {
    check::size(kForces, "start.zd", options.start.zd.size(), n);
    x.tail(n) = options.start.zd;
  }
  deviations << VectorXd::Constant(n, options.start.sigma_z),
      VectorXd::Constant(n, options.start.sigma_zd);
  noise << VectorXd::Constant(n, options.noise[0]), VectorXd::Constant(n, options.noise[1]);
  const MatrixXd P = deviations.cwiseAbs2().asDiagonal();
  UnknownInputFilter filter(x, P, static_cast<int>(forced.inputs()));
  ObserverEstimate estimate = empty_estimate(*mechanism, forced, time.size());
  bool told = false;  // all forces, once: the estimate begins there
  for (Index k = 0; k < time.size(); ++k) {
    const VectorXd row = readings.row(k).transpose();
    if (k > 0 && told) advance(time(k) - time(k - 1), noise, forced, filter);
    forced.take_known(row);
    bool moved = forced.move(filter.state(), VectorXd::Zero(forced.inputs()));
    if (moved) {
      const SampleRows rows = rows_of_sample(*mechanism, row, forced);
      const UnknownInputReport report = filter.update(rows.nu, rows.C, rows.D, rows.R);
      if (report.status == Status::Success) {
        told = true;
        const int count = static_cast<int>(rows.outputs.size());
        estimate.used[static_cast<std::size_t>(k)] = count;
        if (count > forced.inputs()) estimate.nis(k) = report.nis;
        for (std::size_t i = 0; i < rows.outputs.size(); ++i) {
          estimate.innovation(k, rows.outputs[i]) =
              rows.nu(static_cast<Index>(i)) -
              rows.D.row(static_cast<Index>(i)).dot(filter.input());
        }
      } else {
        ++estimate.failed;
      }
      moved = forced.move(filter.state(), filter.input());
    }
    if (!moved) {
      estimate.status = Status::NotConverged;
      estimate.message =
          fmt::format("the mechanism cannot follow the estimate at t = {:.6g} s", time(k));
      return estimate;
    }
    if (told) keep(filter, k, estimate);
  }
  return estimate;
}

}  // namespace alembert::estimate
