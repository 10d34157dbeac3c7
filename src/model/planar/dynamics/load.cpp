#include "model/planar/dynamics/acting.hpp"

namespace alembert::model::planar {

namespace {

void add_row(const SparseRow& row, double factor, Eigen::VectorXd& load) noexcept {
  for (int e = 0; e < row.count; ++e) {
    load(row.index[static_cast<std::size_t>(e)]) += factor * row.value[static_cast<std::size_t>(e)];
  }
}

// m (a − g) at the centre of mass, with a = r'' + φ'' E s − φ'² s, and J φ'' beside its moment.
void add_inertia(const Layout& layout, const MechanismState& state,
                 const Eigen::VectorXd& accelerations, Eigen::VectorXd& load) noexcept {
  for (int b = 0; b < layout.ground(); ++b) {
    const auto body = static_cast<std::size_t>(b);
    const Eigen::Vector2d& s = state.arms[static_cast<std::size_t>(layout.centres[body])];
    const double turn = accelerations(3 * b + 2);
    const double square = state.qd(3 * b + 2) * state.qd(3 * b + 2);
    const double mass = layout.mass[body];
    const double fx =
        mass * (accelerations(3 * b) - turn * s.y() - square * s.x() - layout.gravity.x());
    const double fy =
        mass * (accelerations(3 * b + 1) + turn * s.x() - square * s.y() - layout.gravity.y());
    load(3 * b) += fx;
    load(3 * b + 1) += fy;
    load(3 * b + 2) += layout.inertia[body] * turn + s.x() * fy - s.y() * fx;
  }
}

}  // namespace

void generalised_load(const Layout& layout, const MechanismState& state,
                      std::span<const double> forces, const Eigen::VectorXd& accelerations,
                      Eigen::VectorXd& load) noexcept {
  load.setZero();
  add_inertia(layout, state, accelerations, load);
  const PointTable table = point_table(layout, state);
  const BodyMotion<double>* const motion = state.motion.data();
  for (const PassivePlan& passive : layout.passive) {
    const Jet<double> s = evaluate(passive.function, table, motion);
    add_row(gradient(passive.function, table, motion, layout.ground()),
            tension(passive, s.position, s.velocity), load);
  }
  for (std::size_t i = 0; i < layout.forces.size(); ++i) {
    const double value = force_value(forces, i);
    if (value == 0.0) continue;
    add_row(gradient(layout.forces[i].function, table, motion, layout.ground(), true), -value,
            load);
  }
}

}  // namespace alembert::model::planar
