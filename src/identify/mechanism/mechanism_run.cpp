#include "identify/mechanism/mechanism_run.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;
using model::planar::ReducedDynamics;
using model::planar::StepStatus;

std::span<const double> span_of(const VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

/// z' and z'' of a mechanism under forces.
class RunSystem {
 public:
  RunSystem(const Mechanism& mechanism, MechanismState state, const CoordinateForces& added)
      : mechanism_(mechanism),
        state_(std::move(state)),
        dynamics_(mechanism.make_dynamics()),
        added_(added) {}

  /// The accelerations at x = (z, z') under forces; false where there are none.
  bool accelerate(const VectorXd& x, const VectorXd& forces) {
    const Index n = mechanism_.coordinates();
    const std::span<const double> all = span_of(x);
    const auto half = static_cast<std::size_t>(n);
    if (mechanism_.solve_position(all.first(half), state_) != StepStatus::Success) return false;
    mechanism_.solve_velocity(all.last(half), state_);
    if (!mechanism_.forward_dynamics(span_of(forces), state_, dynamics_)) return false;
    if (!added_.terms.empty()) add_forces(x);
    return state_.zdd.allFinite();
  }

  bool slope(const VectorXd& x, const VectorXd& forces, VectorXd& dx) {
    const Index n = mechanism_.coordinates();
    if (!accelerate(x, forces)) return false;
    dx.head(n) = x.tail(n);
    dx.tail(n) = state_.zdd;
    return true;
  }

  [[nodiscard]] const MechanismState& state() const { return state_; }

 private:
  // z'' + M⁻¹ Σ q φ, by the factors of M that forward_dynamics() leaves.
  void add_forces(const VectorXd& x) {
    VectorXd tau = VectorXd::Zero(mechanism_.coordinates());
    for (std::size_t j = 0; j < added_.terms.size(); ++j) {
      const model::AddedTerm& term = added_.terms[j];
      tau(static_cast<Index>(term.equation)) +=
          added_.coefficients(static_cast<Index>(j)) *
          model::term_value(term, x(static_cast<Index>(term.argument)));
    }
    dynamics_.lu.solve(tau.data());
    const VectorXd zdd = state_.zdd + tau;
    mechanism_.solve_acceleration(span_of(zdd), state_);
  }

  const Mechanism& mechanism_;
  MechanismState state_;
  ReducedDynamics dynamics_;
  const CoordinateForces& added_;
};

/// One sample of the classical Runge-Kutta rule, in substeps.
struct SampleStepper {
  RunSystem& system;
  const RunSteps& steps;
  double step;
  VectorXd k1 = {}, k2 = {}, k3 = {}, k4 = {};

  // Forces at a part of the sample, 0 to 1.
  [[nodiscard]] VectorXd forces_at(const VectorXd& from, const VectorXd& to, double part) const {
    if (steps.between == signal::BetweenSamples::Held) return from;
    return from + part * (to - from);
  }

  bool advance(const VectorXd& from, const VectorXd& to, VectorXd& x) {
    const double h = step / static_cast<double>(steps.substeps);
    const double part = 1.0 / static_cast<double>(steps.substeps);
    k1.resize(x.size());
    k2.resize(x.size());
    k3.resize(x.size());
    k4.resize(x.size());
    for (Index i = 0; i < steps.substeps; ++i) {
      const double at = static_cast<double>(i) * part;
      const VectorXd first = forces_at(from, to, at);
      const VectorXd middle = forces_at(from, to, at + 0.5 * part);
      const VectorXd last = forces_at(from, to, at + part);
      if (!system.slope(x, first, k1) || !system.slope(x + 0.5 * h * k1, middle, k2) ||
          !system.slope(x + 0.5 * h * k2, middle, k3) || !system.slope(x + h * k3, last, k4)) {
        return false;
      }
      x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return x.allFinite();
  }
};

MechanismState assembled(const Mechanism& mechanism, const VectorXd& z, const VectorXd& lengths,
                         Outcome& outcome) {
  MechanismState state = mechanism.make_state();
  state.p = lengths;
  outcome = mechanism.assemble(z, state);
  return state;
}

void resize(Index samples, Index coordinates, Index sensors, MechanismRun& run) {
  run.path.z.resize(samples, coordinates);
  run.path.zd.resize(samples, coordinates);
  run.path.zdd.resize(samples, coordinates);
  run.readings.resize(samples, sensors);
}

void keep_sample(Index k, const Mechanism& mechanism, const std::vector<int>& sensors,
                 const MechanismState& state, MechanismRun& run) {
  run.path.z.row(k) = state.z.transpose();
  run.path.zd.row(k) = state.zd.transpose();
  run.path.zdd.row(k) = state.zdd.transpose();
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(sensors[i])];
    run.readings(k, static_cast<Index>(i)) =
        mechanism.sensor_value(sensors[i], state) + sensor.offset;
  }
}

}  // namespace

std::vector<int> motion_sensors(const Mechanism& mechanism) {
  std::vector<int> found;
  for (int i = 0; i < mechanism.sensors(); ++i) {
    if (mechanism.force_read_by(i) < 0) found.push_back(i);
  }
  return found;
}

MechanismRun run_mechanism(const MechanismValues& values, const VectorXd& z, const VectorXd& zd,
                           const MatrixXd& columns, double step, const RunSteps& steps,
                           const CoordinateForces& added) {
  const Mechanism mechanism(values.description);
  const Index n = mechanism.coordinates();
  const std::vector<int> sensors = motion_sensors(mechanism);
  MechanismRun run;
  RunSystem system(mechanism, assembled(mechanism, z, values.lengths, run), added);
  if (!run.ok()) return run;
  resize(columns.rows(), n, static_cast<Index>(sensors.size()), run);
  SampleStepper stepper{.system = system, .steps = steps, .step = step};
  VectorXd x(2 * n);
  x << z, zd;
  const auto forces = [&](Index k) {
    return VectorXd(columns.row(k).transpose().cwiseProduct(values.gains));
  };
  for (Index k = 0; k < columns.rows(); ++k) {
    const bool there =
        (k == 0 || stepper.advance(forces(k - 1), forces(k), x)) && system.accelerate(x, forces(k));
    if (!there) {
      run.status = Status::NotFinite;
      run.message = fmt::format("the motion could be followed to {:.6g} s only",
                                static_cast<double>(k) * step);
      return run;
    }
    keep_sample(k, mechanism, sensors, system.state(), run);
  }
  return run;
}

void keep_assembly(const VectorXd& z, MechanismValues& values) {
  const Mechanism mechanism(values.description);
  Outcome outcome;
  const MechanismState state = assembled(mechanism, z, values.lengths, outcome);
  if (!outcome.ok()) throw InvalidInput({.function = "fit_mechanism", .rule = outcome.message});
  const std::vector<std::string>& names = mechanism.bodies();
  for (model::planar::Body& body : values.description.bodies) {
    for (std::size_t b = 0; b < names.size(); ++b) {
      if (names[b] == body.name) {
        body.start = Eigen::Vector3d(state.q.segment<3>(3 * static_cast<Index>(b)));
      }
    }
  }
}

}  // namespace alembert::identify
