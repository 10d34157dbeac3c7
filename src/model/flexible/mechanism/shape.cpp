#include "model/flexible/kinematics.hpp"
#include "model/flexible/nodes.hpp"
#include "model/flexible/sensors/reader.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Index;

// Deflection (along, across) at ξ: linear and cubic shapes.
Eigen::Vector2d deflection_at(const Vector6& u, double L, double xi) {
  const double x2 = xi * xi;
  const double x3 = x2 * xi;
  return {(1.0 - xi) * u(0) + xi * u(3), (1.0 - 3.0 * x2 + 2.0 * x3) * u(1) +
                                             L * (xi - 2.0 * x2 + x3) * u(2) +
                                             (3.0 * x2 - 2.0 * x3) * u(4) + L * (x3 - x2) * u(5)};
}

}  // namespace

Eigen::MatrixX2d FlexibleMechanism::shape_of(const std::string& body, const FlexibleState& state,
                                             double scale, int pieces) const {
  if (!fits(state)) refuse("", "the state must be made by start() of the same mechanism");
  if (find_flexible(description_, body) == nullptr) {
    refuse("", "no flexible body has this name", body);
  }
  if (pieces < 1) refuse("", "pieces must be at least 1", std::to_string(pieces));
  std::vector<Eigen::Vector2d> points;
  for (const Element& element : layout_->elements) {
    if (layout_->bodies[static_cast<std::size_t>(element.body)] != body) continue;
    const auto& at = state.rigid.motion[static_cast<std::size_t>(element.body)];
    const double c = at.cosine.position;
    const double s = at.sine.position;
    const double first = layout_->nodes[static_cast<std::size_t>(element.nodes[0])].at.x();
    const double L = element.beam.length;
    const Vector6 u = turned(gathered(element, state.u), c, -s);
    for (int i = points.empty() ? 0 : 1; i <= pieces; ++i) {
      const double xi = static_cast<double>(i) / pieces;
      const Eigen::Vector2d local =
          Eigen::Vector2d(first + xi * L, 0.0) + scale * deflection_at(u, L, xi);
      points.emplace_back(at.x.position + c * local.x() - s * local.y(),
                          at.y.position + s * local.x() + c * local.y());
    }
  }
  Eigen::MatrixX2d made(static_cast<Index>(points.size()), 2);
  for (Index i = 0; i < made.rows(); ++i) made.row(i) = points[static_cast<std::size_t>(i)];
  return made;
}

}  // namespace alembert::model::flexible
