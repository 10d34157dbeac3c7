#include <algorithm>

#include "model/planar/motion.hpp"

namespace alembert::model::planar {

ReducedDynamics Mechanism::make_dynamics() const {
  const Eigen::Index n = coordinates_;
  const auto forces = static_cast<Eigen::Index>(layout_->forces.size());
  const Eigen::Index known = layout_->known_forces;
  return {Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Zero(n, known),
          Eigen::MatrixXd::Zero(n, forces - known)};
}

void Mechanism::reduced_dynamics(const MechanismState& state,
                                 ReducedDynamics& dynamics) const noexcept {
  const Layout& layout = *layout_;
  const int n = coordinates_;
  dynamics.M.setZero();
  dynamics.bias.setZero();
  for (int b = 0; b < layout.ground(); ++b) {
    const double mass = layout.mass[static_cast<std::size_t>(b)];
    const double weights[3] = {mass, mass, layout.inertia[static_cast<std::size_t>(b)]};
    const double gravity[3] = {layout.gravity.x(), layout.gravity.y(), 0.0};
    for (int i = 0; i < 3; ++i) {
      const int row = 3 * b + i;
      for (int j = 0; j < n; ++j) {
        const double weighted = weights[i] * state.R(row, j);
        // RᵀM R and Rᵀ(M c − Q_g)
        for (int k = 0; k < n; ++k) dynamics.M(j, k) += weighted * state.R(row, k);
        dynamics.bias(j) += weighted * (state.c(row) - gravity[i]);
      }
    }
  }
  const PointTable table = point_table(layout, state);
  for (const ForcePlan& force : layout.forces) {
    const SparseRow row =
        gradient(force.function, table, state.motion.data(), layout.ground(), true);
    Eigen::MatrixXd& B = force.known ? dynamics.B1 : dynamics.B2;
    for (int j = 0; j < n; ++j) {
      B(j, force.column) = row.dot(state.R.data() + j * layout.unknowns());
    }
  }
}

double Mechanism::kinetic_energy(const MechanismState& state) const noexcept {
  double twice = 0.0;
  for (int b = 0; b < layout_->ground(); ++b) {
    const double vx = state.qd(3 * b);
    const double vy = state.qd(3 * b + 1);
    const double w = state.qd(3 * b + 2);
    twice += layout_->mass[static_cast<std::size_t>(b)] * (vx * vx + vy * vy) +
             layout_->inertia[static_cast<std::size_t>(b)] * w * w;
  }
  return 0.5 * twice;
}

double Mechanism::potential_energy(const MechanismState& state) const noexcept {
  double energy = 0.0;
  for (int b = 0; b < layout_->ground(); ++b) {
    energy -= layout_->mass[static_cast<std::size_t>(b)] *
              (layout_->gravity.x() * state.q(3 * b) + layout_->gravity.y() * state.q(3 * b + 1));
  }
  return energy;
}

}  // namespace alembert::model::planar
