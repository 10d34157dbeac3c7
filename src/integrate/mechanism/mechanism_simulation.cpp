#include "alembert/integrate/mechanism_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/integrate/ode/solve.hpp"

namespace alembert::integrate {

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;
using model::planar::ReducedDynamics;

constexpr const char* kSimulate = "simulate_mechanism";

/// x = (z, z', work, loss).
class MechanismSystem final : public ode::System {
 public:
  MechanismSystem(const Mechanism& mechanism, MechanismState state,
                  const std::vector<model::TimeFormula>& laws)
      : mechanism_(mechanism),
        laws_(laws),
        state_(std::move(state)),
        dynamics_(mechanism.make_dynamics()),
        forces_(laws.size()),
        time_(1) {}

  [[nodiscard]] std::size_t states() const override {
    return 2 * static_cast<std::size_t>(mechanism_.coordinates()) + 2;
  }

  void derivative(double t, const double* x, const double* /*u*/, double* dx) override {
    const auto n = static_cast<std::size_t>(mechanism_.coordinates());
    if (!move(t, x)) {
      std::fill_n(dx, states(), kNaN);  // the step is tried again, shorter
      return;
    }
    std::copy_n(x + n, n, dx);
    std::copy_n(state_.zdd.data(), n, dx + n);
    double power = 0.0;
    for (std::size_t i = 0; i < forces_.size(); ++i) {
      power += forces_[i] * mechanism_.force_rate(static_cast<int>(i), state_);
    }
    dx[2 * n] = power;
    dx[2 * n + 1] = mechanism_.dissipated_power(state_);
  }

  /// Position, rates and accelerations at a time; false if the mechanism cannot be there.
  bool move(double t, const double* x) {
    const auto n = static_cast<std::size_t>(mechanism_.coordinates());
    if (mechanism_.solve_position({x, n}, state_) != model::planar::StepStatus::Success) {
      return false;
    }
    mechanism_.solve_velocity({x + n, n}, state_);
    time_(0) = t;
    for (std::size_t i = 0; i < laws_.size(); ++i) forces_[i] = laws_[i].sample(time_)(0, 0);
    return mechanism_.forward_dynamics(forces_, state_, dynamics_);
  }

  [[nodiscard]] const MechanismState& state() const { return state_; }
  [[nodiscard]] const std::vector<double>& forces() const { return forces_; }

 private:
  const Mechanism& mechanism_;
  const std::vector<model::TimeFormula>& laws_;
  MechanismState state_;
  ReducedDynamics dynamics_;
  std::vector<double> forces_;
  VectorXd time_;
};

MechanismState assembled_start(const Mechanism& mechanism, const MechanismStart& start) {
  check::size(kSimulate, "start.z", start.z.size(), mechanism.coordinates());
  MechanismState state = mechanism.make_state();
  if (start.lengths.size() > 0) {
    check::size(kSimulate, "start.lengths", start.lengths.size(), mechanism.parameters());
    state.p = start.lengths;
  }
  const model::planar::Assembly assembly = mechanism.assemble(start.z, state);
  if (!assembly.ok()) throw InvalidInput({.function = kSimulate, .rule = assembly.message});
  return state;
}

VectorXd first_states(const Mechanism& mechanism, const MechanismStart& start) {
  const Index n = mechanism.coordinates();
  VectorXd x = VectorXd::Zero(2 * n + 2);
  x.head(n) = start.z;
  if (start.zd.size() > 0) {
    check::size(kSimulate, "start.zd", start.zd.size(), n);
    x.segment(n, n) = start.zd;
  }
  return x;
}

void resize(Index samples, const Mechanism& mechanism, MechanismSimulation& made) {
  const Index n = mechanism.coordinates();
  made.path.z.resize(samples, n);
  made.path.zd.resize(samples, n);
  made.path.zdd.resize(samples, n);
  made.forces.resize(samples, static_cast<Index>(mechanism.description().forces.size()));
  made.kinetic.resize(samples);
  made.potential.resize(samples);
  made.work.resize(samples);
  made.loss.resize(samples);
}

// Accelerations, forces and energies at the samples, from the start on.
void complete(const ode::Solution& solution, const Mechanism& mechanism, MechanismSystem& system,
              MechanismSimulation& made) {
  const Index n = mechanism.coordinates();
  for (Index k = 0; k < solution.states.rows(); ++k) {
    const VectorXd x = solution.states.row(k);
    if (!system.move(solution.time(k), x.data())) continue;
    made.path.z.row(k) = x.head(n);
    made.path.zd.row(k) = x.segment(n, n);
    made.path.zdd.row(k) = system.state().zdd;
    for (std::size_t i = 0; i < system.forces().size(); ++i) {
      made.forces(k, static_cast<Index>(i)) = system.forces()[i];
    }
    made.kinetic(k) = mechanism.kinetic_energy(system.state());
    made.potential(k) = mechanism.potential_energy(system.state());
    made.work(k) = x(2 * n);
    made.loss(k) = x(2 * n + 1);
  }
}

}  // namespace

MechanismSimulation simulate_mechanism(const Mechanism& mechanism, const MechanismStart& start,
                                       const std::vector<model::TimeFormula>& forces,
                                       const ode::SampleTimes& times,
                                       const ode::AdaptiveSteps& steps) {
  check::size(kSimulate, "forces", static_cast<long long>(forces.size()),
              static_cast<long long>(mechanism.description().forces.size()));
  const MechanismState state = assembled_start(mechanism, start);
  MechanismSimulation made;
  made.message = mechanism.explain_masses(state);
  if (!made.message.empty()) {
    made.status = Status::NotIdentifiable;
    return made;
  }
  MechanismSystem system(mechanism, state, forces);
  const ode::Solution solution =
      ode::solve_adaptive(system, first_states(mechanism, start), times, steps);
  made.status = solution.status;
  if (!solution.ok()) {
    const Index reached = solution.time.size();
    made.message = fmt::format(
        "the motion cannot be followed beyond {:.6g} s: a dead centre, a stop or a force that has "
        "no value",
        reached > 0 ? solution.time(reached - 1) : times.start);
  }
  made.time = solution.time;
  resize(solution.states.rows(), mechanism, made);
  MechanismSystem again(mechanism, state, forces);  // from the start on, so that branches agree
  complete(solution, mechanism, again, made);
  return made;
}

}  // namespace alembert::integrate
