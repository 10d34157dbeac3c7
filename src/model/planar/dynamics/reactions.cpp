#include <fmt/format.h>

#include "alembert/core/text.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/mapped.hpp"
#include "model/planar/dynamics/acting.hpp"

namespace alembert::model::planar {

namespace {

// The body and point that a joint holds second.
int second_point(const Layout& layout, const Joint& joint) {
  return find_point(layout, "joint_reactions", joint.b);
}

// Σ ν_i ∂f_i/∂q on one body: a force at its origin and a torque.
Eigen::Vector3d force_on(int body, const Layout& layout, const MechanismState& state, int first,
                         int last, const Eigen::VectorXd& nu) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  const PointTable table = point_table(layout, state);
  for (int i = first; i < last; ++i) {
    const SparseRow row = gradient(layout.functions[static_cast<std::size_t>(i)], table,
                                   state.motion.data(), layout.ground());
    for (int e = 0; e < row.count; ++e) {
      const int index = row.index[static_cast<std::size_t>(e)];
      if (index / 3 == body) sum(index % 3) += nu(i) * row.value[static_cast<std::size_t>(e)];
    }
  }
  return sum;
}

}  // namespace

std::vector<JointReaction> Mechanism::joint_reactions(std::span<const double> forces,
                                                      const MechanismState& state,
                                                      ReducedDynamics& dynamics) const {
  const Layout& layout = *layout_;
  inverse_dynamics(forces, state, dynamics);
  // y = C_qᵀ λ + b_qᵀ μ, the second the part of drives
  dynamics.multipliers = dynamics.load;
  state.lu.solve_transposed(dynamics.multipliers.data());
  std::vector<JointReaction> reactions;
  for (std::size_t j = 0; j < description_.joints.size(); ++j) {
    const Joint& joint = description_.joints[j];
    const int first = layout.joint_rows[j];
    const int last =
        j + 1 < layout.joint_rows.size() ? layout.joint_rows[j + 1] : layout.constraints;
    const int point = second_point(layout, joint);
    const auto at = static_cast<std::size_t>(point);
    // The ground has no row in q: there the opposite of what a feels.
    const bool on_ground = layout.points[at].body == layout.ground();
    const int body =
        on_ground
            ? layout
                  .points[static_cast<std::size_t>(find_point(layout, "joint_reactions", joint.a))]
                  .body
            : layout.points[at].body;
    Eigen::Vector3d acting = force_on(body, layout, state, first, last, dynamics.multipliers);
    if (on_ground) acting = -acting;
    const Eigen::Vector2d arm =
        on_ground ? Eigen::Vector2d(position_of(joint.b, state) -
                                    Eigen::Vector2d(state.q(3 * body), state.q(3 * body + 1)))
                  : state.arms[at];
    reactions.push_back({joint_name(joint), acting.head<2>(),
                         acting(2) - (arm.x() * acting(1) - arm.y() * acting(0))});
  }
  return reactions;
}

std::string Mechanism::explain_masses(const MechanismState& state) const {
  ReducedDynamics dynamics = make_dynamics();
  reduced_dynamics(state, dynamics);
  // In units where each coordinate moves its fastest body by one size, so that lengths and angles
  // count alike.
  Eigen::MatrixXd R = state.R;
  for (Eigen::Index i = 2; i < R.rows(); i += 3) R.row(i) *= layout_->size;
  const Eigen::VectorXd scale =
      R.colwise().lpNorm<Eigen::Infinity>().cwiseMax(1e-300).cwiseInverse();
  const Eigen::MatrixXd M = scale.asDiagonal() * dynamics.M * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(M);
  const double most = modes.eigenvalues().maxCoeff();
  // SmallLu takes pivots below 1e-13 of the largest for zero.
  if (modes.eigenvalues()(0) > 1e-13 * most && most > 0.0) return "";
  const Eigen::VectorXd motion = R * (scale.asDiagonal() * modes.eigenvectors().col(0));
  const double fastest = motion.cwiseAbs().maxCoeff();
  std::vector<std::string> names;
  for (int b = 0; b < layout_->ground(); ++b) {
    const double speed = motion.segment(3 * b, 3).cwiseAbs().maxCoeff();
    if (speed > 1e-6 * fastest) names.push_back(layout_->bodies[static_cast<std::size_t>(b)]);
  }
  return fmt::format("{} can move without moving any mass: give mass or inertia to {}",
                     join(names, ", "), names.size() == 1 ? "it" : "one of them");
}

}  // namespace alembert::model::planar
