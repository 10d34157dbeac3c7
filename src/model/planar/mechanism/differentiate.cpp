#include <algorithm>

#include "model/planar/motion.hpp"

namespace alembert::model::planar {

namespace {

// Slopes of q, q', q'' in one direction; null is zero.
struct Slopes {
  const double* q = nullptr;
  const double* qd = nullptr;
  const double* qdd = nullptr;
};

// The motion of all bodies with its slope.
void set_slopes(const Layout& layout, const MechanismState& state, const Slopes& slopes,
                BodyMotion<Dual>* motion) {
  const auto slope = [](const double* values, int i) {
    return values == nullptr ? 0.0 : values[i];
  };
  const auto fill = [&](Jet<Dual>& jet, const Jet<double>& value, int i) {
    jet = {{value.position, slope(slopes.q, i)},
           {value.velocity, slope(slopes.qd, i)},
           {value.acceleration, slope(slopes.qdd, i)}};
  };
  for (int b = 0; b < layout.ground(); ++b) {
    const BodyMotion<double>& body = state.motion[static_cast<std::size_t>(b)];
    fill(motion[b].x, body.x, 3 * b);
    fill(motion[b].y, body.y, 3 * b + 1);
    fill(motion[b].angle, body.angle, 3 * b + 2);
    const double turn = motion[b].angle.position.slope[0];
    motion[b].cosine.position = {body.cosine.position, -body.sine.position * turn};
    motion[b].sine.position = {body.sine.position, body.cosine.position * turn};
    turn_in_time(motion[b]);
  }
}

// column = −A⁻¹ (slopes of the functions, of their first or of their second time derivatives).
template <typename Part>
void solve_slopes(const Layout& layout, MechanismState& state, const PointTable& table,
                  const BodyMotion<Dual>* motion, double* column, const Part& part) {
  for (int i = 0; i < layout.rows(); ++i) {
    column[i] =
        -part(evaluate(layout.functions[static_cast<std::size_t>(i)], table, motion)).slope[0];
  }
  state.lu.solve(column);
}

}  // namespace

// C(q, p) = 0, b(q) = z and their two time derivatives hold for all z and p. Differentiated in a
// direction δ they are three linear systems with the same matrix A:
//   A δq   = −C_p δp
//   A δq'  = −(slope of (C', b') with δq, δq' = 0)
//   A δq'' = −(slope of (C'', b'') with δq, δq', δq'' = 0)
// For δ = ∂/∂z_j the first is δq = R e_j.
void Mechanism::differentiate(MechanismState& state) const noexcept {
  const Layout& layout = *layout_;
  const int u = layout.unknowns();
  const auto bodies = static_cast<std::size_t>(layout.ground()) + 1;
  for (int d = 0; d < coordinates_ + parameters_; ++d) {
    BodyMotion<Dual>* const motion =
        state.sensitivity.data() + static_cast<std::size_t>(d) * bodies;
    const bool by_z = d < coordinates_;
    const int k = by_z ? d : d - coordinates_;
    double* const q = (by_z ? state.R : state.q_p).data() + k * u;
    double* const qd = (by_z ? state.qd_z : state.qd_p).data() + k * u;
    double* const qdd = (by_z ? state.qdd_z : state.qdd_p).data() + k * u;
    PointTable table = point_table(layout, state);
    if (!by_z) {
      table.slope = layout.moves[static_cast<std::size_t>(k)].data();
      set_slopes(layout, state, {}, motion);
      solve_slopes(layout, state, table, motion, q, [](const Jet<Dual>& f) { return f.position; });
    }
    set_slopes(layout, state, {q, nullptr, nullptr}, motion);
    solve_slopes(layout, state, table, motion, qd, [](const Jet<Dual>& f) { return f.velocity; });
    set_slopes(layout, state, {q, qd, nullptr}, motion);
    solve_slopes(layout, state, table, motion, qdd,
                 [](const Jet<Dual>& f) { return f.acceleration; });
    set_slopes(layout, state, {q, qd, qdd}, motion);
  }
}

}  // namespace alembert::model::planar
