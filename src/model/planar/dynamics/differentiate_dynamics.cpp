#include "model/planar/dynamics/acting.hpp"

namespace alembert::model::planar {

namespace {

// The motion q' = R_k with R_k held, at the position of a direction with its slopes.
void set_trial(const Layout& layout, const MechanismState& state, const BodyMotion<Dual>* moved,
               int k, std::vector<BodyMotion<Dual>>& trial) noexcept {
  for (int b = 0; b < layout.ground(); ++b) {
    BodyMotion<Dual>& body = trial[static_cast<std::size_t>(b)];
    body.x = {moved[b].x.position, state.R(3 * b, k), 0.0};
    body.y = {moved[b].y.position, state.R(3 * b + 1, k), 0.0};
    body.angle = {moved[b].angle.position, state.R(3 * b + 2, k), 0.0};
    body.cosine.position = moved[b].cosine.position;
    body.sine.position = moved[b].sine.position;
    turn_in_time(body);
  }
}

// R_kᵀ y with R_k held and y moving in a direction.
Dual virtual_power(const Layout& layout, const PointTable& table, std::span<const double> forces,
                   const BodyMotion<Dual>* moved, const BodyMotion<Dual>* trial) noexcept {
  Dual sum;
  for (int b = 0; b < layout.ground(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    const PlaneJet<Dual> a = point_motion(table, moved, layout.centres[body]);
    const PlaneJet<Dual> v = point_motion(table, trial, layout.centres[body]);
    // m (a − g)·v + J φ'' w
    sum += layout.mass[body] * ((a.x.acceleration - layout.gravity.x()) * v.x.velocity +
                                (a.y.acceleration - layout.gravity.y()) * v.y.velocity);
    sum += layout.inertia[body] * (moved[b].angle.acceleration * trial[b].angle.velocity);
  }
  for (const PassivePlan& passive : layout.passive) {
    const Jet<Dual> s = evaluate(passive.function, table, moved);
    sum += tension(passive, s.position, s.velocity) *
           evaluate(passive.function, table, trial).velocity;
  }
  for (std::size_t i = 0; i < layout.forces.size(); ++i) {
    const double value = force_value(forces, i);
    if (value != 0.0) sum -= value * acting_rate(layout.forces[i].function, table, trial);
  }
  return sum;
}

// R_k itself moves too. A R = (0, I) gives (∂R_k)ᵀ y = −Σ ν_i ∂(∂f_i/∂q) R_k with Aᵀ ν = y.
double moving_columns(const Layout& layout, const PointTable& table, const Eigen::VectorXd& nu,
                      const BodyMotion<Dual>* trial) noexcept {
  double sum = 0.0;
  for (int i = 0; i < layout.rows(); ++i) {
    const ScalarFunction& f = layout.functions[static_cast<std::size_t>(i)];
    if (f.shape == ScalarFunction::Shape::Angles) continue;  // their gradient is constant
    sum -= nu(i) * evaluate(f, table, trial).velocity.slope[0];
  }
  return sum;
}

// ∂τ_k/∂z'_j: the accelerations move by 2 ∂q'/∂z_j, the rates of passive forces by ∂s/∂z_j.
double rate_slope(const Layout& layout, const PointTable& table, const BodyMotion<Dual>* moved,
                  const BodyMotion<Dual>* trial) noexcept {
  double sum = 0.0;
  for (int b = 0; b < layout.ground(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    const PlaneJet<Dual> a = point_motion(table, moved, layout.centres[body]);
    const PlaneJet<Dual> v = point_motion(table, trial, layout.centres[body]);
    sum +=
        2.0 * layout.mass[body] *
        (a.x.velocity.slope[0] * v.x.velocity.value + a.y.velocity.slope[0] * v.y.velocity.value);
    sum += 2.0 * layout.inertia[body] * moved[b].angle.velocity.slope[0] *
           trial[b].angle.velocity.value;
  }
  for (const PassivePlan& passive : layout.passive) {
    const Jet<Dual> s = evaluate(passive.function, table, moved);
    const Dual rate(s.velocity.value, s.position.slope[0]);  // ∂s'/∂z' = ∂s/∂z
    sum += tension(passive, Dual(s.position.value), rate).slope[0] *
           evaluate(passive.function, table, trial).velocity.value;
  }
  return sum;
}

}  // namespace

void Mechanism::differentiate_dynamics(std::span<const double> forces, const MechanismState& state,
                                       ReducedDynamics& dynamics) const noexcept {
  const Layout& layout = *layout_;
  inverse_dynamics(forces, state, dynamics);
  dynamics.multipliers = dynamics.load;
  state.lu.solve_transposed(dynamics.multipliers.data());
  const auto bodies = static_cast<std::size_t>(layout.ground()) + 1;
  for (int d = 0; d < coordinates_ + parameters_; ++d) {
    const BodyMotion<Dual>* const moved =
        state.sensitivity.data() + static_cast<std::size_t>(d) * bodies;
    PointTable table = point_table(layout, state);
    const bool by_z = d < coordinates_;
    if (!by_z) table.slope = layout.moves[static_cast<std::size_t>(d - coordinates_)].data();
    for (int k = 0; k < coordinates_; ++k) {
      set_trial(layout, state, moved, k, dynamics.trial);
      const BodyMotion<Dual>* const trial = dynamics.trial.data();
      const double slope = virtual_power(layout, table, forces, moved, trial).slope[0] +
                           moving_columns(layout, table, dynamics.multipliers, trial);
      (by_z ? dynamics.tau_z(k, d) : dynamics.tau_p(k, d - coordinates_)) = slope;
      if (by_z) dynamics.tau_zd(k, d) = rate_slope(layout, table, moved, trial);
    }
  }
}

}  // namespace alembert::model::planar
