#include "model/flexible/kinematics.hpp"

namespace alembert::model::flexible {
namespace {

// A(φ) s
Eigen::Vector2d arm_of(const Node& node, const planar::MechanismState& rigid) {
  const auto& body = rigid.motion[static_cast<std::size_t>(node.body)];
  const double c = body.cosine.position;
  const double s = body.sine.position;
  return {c * node.at.x() - s * node.at.y(), s * node.at.x() + c * node.at.y()};
}

}  // namespace

void fill_sensitivities(const FlexibleLayout& layout, FlexibleState& state) noexcept {
  const planar::MechanismState& rigid = state.rigid;
  const Eigen::Index nq = state.S.cols();
  for (Eigen::Index i = 0; i < state.S.rows(); ++i) {
    const Unknown& unknown = layout.unknowns[static_cast<std::size_t>(i)];
    const Node& node = layout.nodes[static_cast<std::size_t>(unknown.node)];
    const Eigen::Index at = 3 * node.body;
    const Eigen::Vector2d arm = arm_of(node, rigid);
    const Eigen::Vector3d& along = unknown.direction;
    // r = (x, y) + A(φ) s, angle φ:  ∂r/∂q = R_xy + (A s)⊥ R_φ,  R_φ
    const double turn = -along.x() * arm.y() + along.y() * arm.x() + along.z();
    for (Eigen::Index j = 0; j < nq; ++j) {
      state.S(i, j) =
          along.x() * rigid.R(at, j) + along.y() * rigid.R(at + 1, j) + turn * rigid.R(at + 2, j);
    }
    const double w = rigid.qd(at + 2);
    state.Sdot_qd(i) = along.x() * rigid.c(at) + along.y() * rigid.c(at + 1) +
                       turn * rigid.c(at + 2) - w * w * (along.x() * arm.x() + along.y() * arm.y());
  }
}

}  // namespace alembert::model::flexible
