#include "model/planar/functions.hpp"

namespace alembert::model::planar {

namespace {

// factor e·∂P/∂q of a point: ∂(A s)/∂φ = (−arm_y, arm_x).
void add_point(SparseRow& row, int body, const Eigen::Vector2d& arm, const Eigen::Vector2d& e,
               double factor) {
  row.add(3 * body, factor * e.x());
  row.add(3 * body + 1, factor * e.y());
  row.add(3 * body + 2, factor * (e.y() * arm.x() - e.x() * arm.y()));
}

}  // namespace

SparseRow gradient(const ScalarFunction& f, const PointTable& table,
                   const BodyMotion<double>* motion, int ground, bool hold_direction) {
  SparseRow row;
  for (int k = 0; k < f.angles; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (f.angle_body[i] != ground) row.add(3 * f.angle_body[i] + 2, f.angle_factor[i]);
  }
  if (f.shape == ScalarFunction::Shape::Angles) return row;
  const int a_body = table.points[f.a_point].body;
  const int b_body = table.points[f.b_point].body;
  const Eigen::Vector2d& a = table.arms[f.a_point];
  const Eigen::Vector2d& b = table.arms[f.b_point];
  const double dx = motion[b_body].x.position + b.x() - motion[a_body].x.position - a.x();
  const double dy = motion[b_body].y.position + b.y() - motion[a_body].y.position - a.y();
  Eigen::Vector2d e = f.direction;
  if (f.shape == ScalarFunction::Shape::Distance) {
    const double length = std::sqrt(dx * dx + dy * dy);
    e = {dx / length, dy / length};
  } else if (f.direction_body != ground) {
    const double c = motion[f.direction_body].cosine.position;
    const double s = motion[f.direction_body].sine.position;
    e = {c * f.direction.x() - s * f.direction.y(), s * f.direction.x() + c * f.direction.y()};
    // ∂(A n)/∂φ = (−n_y, n_x)
    if (!hold_direction) row.add(3 * f.direction_body + 2, e.x() * dy - e.y() * dx);
  }
  if (b_body != ground) add_point(row, b_body, b, e, 1.0);
  if (a_body != ground) add_point(row, a_body, a, e, -1.0);
  return row;
}

}  // namespace alembert::model::planar
