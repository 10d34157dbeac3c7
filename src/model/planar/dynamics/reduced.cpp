#include <algorithm>

#include "model/planar/dynamics/acting.hpp"

namespace alembert::model::planar {

namespace {

// RᵀM R: m |v|² and J w² of the velocities along the columns of R, v that of the centre of mass.
void add_mass(const Layout& layout, const MechanismState& state, Eigen::MatrixXd& M) noexcept {
  const Eigen::Index n = M.rows();
  for (int b = 0; b < layout.ground(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    const Eigen::Vector2d& s = state.arms[static_cast<std::size_t>(layout.centres[body])];
    for (Eigen::Index j = 0; j < n; ++j) {
      const double w = state.R(3 * b + 2, j);
      const double mvx = layout.mass[body] * (state.R(3 * b, j) - w * s.y());
      const double mvy = layout.mass[body] * (state.R(3 * b + 1, j) + w * s.x());
      const double Jw = layout.inertia[body] * w;
      for (Eigen::Index k = 0; k < n; ++k) {
        const double turn = state.R(3 * b + 2, k);
        M(j, k) += mvx * (state.R(3 * b, k) - turn * s.y()) +
                   mvy * (state.R(3 * b + 1, k) + turn * s.x()) + Jw * turn;
      }
    }
  }
}

// Rᵀ y
void project(const MechanismState& state, const Eigen::VectorXd& load,
             Eigen::VectorXd& reduced) noexcept {
  for (Eigen::Index j = 0; j < reduced.size(); ++j) {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < load.size(); ++i) sum += state.R(i, j) * load(i);
    reduced(j) = sum;
  }
}

}  // namespace

ReducedDynamics Mechanism::make_dynamics() const {
  const Eigen::Index n = coordinates_;
  const auto forces = static_cast<Eigen::Index>(layout_->forces.size());
  const Eigen::Index known = layout_->known_forces;
  ReducedDynamics made;
  made.M = made.tau_z = made.tau_zd = Eigen::MatrixXd::Zero(n, n);
  made.bias = made.tau = Eigen::VectorXd::Zero(n);
  made.B1 = Eigen::MatrixXd::Zero(n, known);
  made.B2 = Eigen::MatrixXd::Zero(n, forces - known);
  made.tau_p = Eigen::MatrixXd::Zero(n, parameters_);
  made.load = made.multipliers = Eigen::VectorXd::Zero(layout_->unknowns());
  made.lu = SmallLu(coordinates_);
  BodyMotion<Dual> rest;
  rest.cosine.position = 1.0;
  made.trial.assign(static_cast<std::size_t>(layout_->ground()) + 1, rest);
  return made;
}

void Mechanism::reduced_dynamics(const MechanismState& state,
                                 ReducedDynamics& dynamics) const noexcept {
  const Layout& layout = *layout_;
  dynamics.M.setZero();
  add_mass(layout, state, dynamics.M);
  // Rᵀ(M c + M_v − Q): the load at z'' = 0 and F = 0
  generalised_load(layout, state, {}, state.c, dynamics.load);
  project(state, dynamics.load, dynamics.bias);
  const PointTable table = point_table(layout, state);
  for (const ForcePlan& force : layout.forces) {
    const SparseRow row =
        gradient(force.function, table, state.motion.data(), layout.ground(), true);
    Eigen::MatrixXd& B = force.known ? dynamics.B1 : dynamics.B2;
    for (int j = 0; j < coordinates_; ++j) {
      B(j, force.column) = row.dot(state.R.data() + j * layout.unknowns());
    }
  }
}

bool Mechanism::forward_dynamics(std::span<const double> forces, MechanismState& state,
                                 ReducedDynamics& dynamics) const noexcept {
  reduced_dynamics(state, dynamics);
  const int n = coordinates_;
  // tau holds B F − bias until it is solved
  for (int j = 0; j < n; ++j) {
    double sum = -dynamics.bias(j);
    for (std::size_t i = 0; i < layout_->forces.size(); ++i) {
      const ForcePlan& plan = layout_->forces[i];
      sum += (plan.known ? dynamics.B1 : dynamics.B2)(j, plan.column) * force_value(forces, i);
    }
    dynamics.tau(j) = sum;
  }
  std::copy_n(dynamics.M.data(), n * n, dynamics.lu.data());
  const bool solvable = dynamics.lu.factor();
  if (solvable) {
    dynamics.lu.solve(dynamics.tau.data());
    solve_acceleration({dynamics.tau.data(), static_cast<std::size_t>(n)}, state);
  }
  dynamics.tau.setZero();
  return solvable;
}

void Mechanism::inverse_dynamics(std::span<const double> forces, const MechanismState& state,
                                 ReducedDynamics& dynamics) const noexcept {
  generalised_load(*layout_, state, forces, state.qdd, dynamics.load);
  project(state, dynamics.load, dynamics.tau);
}

double Mechanism::kinetic_energy(const MechanismState& state) const noexcept {
  double twice = 0.0;
  for (int b = 0; b < layout_->ground(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    const Eigen::Vector2d& s = state.arms[static_cast<std::size_t>(layout_->centres[body])];
    const double w = state.qd(3 * b + 2);
    const double vx = state.qd(3 * b) - w * s.y();
    const double vy = state.qd(3 * b + 1) + w * s.x();
    twice += layout_->mass[body] * (vx * vx + vy * vy) + layout_->inertia[body] * w * w;
  }
  return 0.5 * twice;
}

double Mechanism::potential_energy(const MechanismState& state) const noexcept {
  double energy = 0.0;
  for (int b = 0; b < layout_->ground(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    const Eigen::Vector2d& s = state.arms[static_cast<std::size_t>(layout_->centres[body])];
    energy -= layout_->mass[body] * (layout_->gravity.x() * (state.q(3 * b) + s.x()) +
                                     layout_->gravity.y() * (state.q(3 * b + 1) + s.y()));
  }
  const PointTable table = point_table(*layout_, state);
  for (const PassivePlan& passive : layout_->passive) {
    // preload x + k x²/2
    const double x = position_value(passive.function, table, state.motion.data()) - passive.free;
    energy += (passive.preload + 0.5 * passive.stiffness * x) * x;
  }
  return energy;
}

double Mechanism::dissipated_power(const MechanismState& state) const noexcept {
  const PointTable table = point_table(*layout_, state);
  double power = 0.0;
  for (const PassivePlan& passive : layout_->passive) {
    const double v = evaluate(passive.function, table, state.motion.data()).velocity;
    power += (passive.damping * v + friction(passive, v)) * v;
  }
  return power;
}

double Mechanism::force_rate(int force, const MechanismState& state) const noexcept {
  return acting_rate(layout_->forces[static_cast<std::size_t>(force)].function,
                     point_table(*layout_, state), state.motion.data());
}

}  // namespace alembert::model::planar
