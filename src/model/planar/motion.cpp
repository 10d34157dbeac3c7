#include "model/planar/motion.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::model::planar {

void place_points(const Layout& layout, MechanismState& state) noexcept {
  for (std::size_t i = 0; i < layout.points.size(); ++i) {
    double x = layout.points[i].at.x();
    double y = layout.points[i].at.y();
    for (std::size_t k = 0; k < layout.moves.size(); ++k) {
      x += state.p(static_cast<Eigen::Index>(k)) * layout.moves[k][i].x();
      y += state.p(static_cast<Eigen::Index>(k)) * layout.moves[k][i].y();
    }
    state.points[i] = {x, y};
  }
  state.p_placed = state.p;
}

void set_positions(const Layout& layout, MechanismState& state) noexcept {
  for (int b = 0; b < layout.ground(); ++b) {
    BodyMotion<double>& body = state.motion[static_cast<std::size_t>(b)];
    body.x.position = state.q(3 * b);
    body.y.position = state.q(3 * b + 1);
    body.angle.position = state.q(3 * b + 2);
    body.cosine.position = std::cos(body.angle.position);
    body.sine.position = std::sin(body.angle.position);
  }
  for (std::size_t i = 0; i < layout.points.size(); ++i) {
    const BodyMotion<double>& body = state.motion[static_cast<std::size_t>(layout.points[i].body)];
    const Eigen::Vector2d& s = state.points[i];
    const double c = body.cosine.position;
    const double n = body.sine.position;
    state.arms[i] = {c * s.x() - n * s.y(), n * s.x() + c * s.y()};
  }
}

void set_rates(const Layout& layout, MechanismState& state) noexcept {
  for (int b = 0; b < layout.ground(); ++b) {
    BodyMotion<double>& body = state.motion[static_cast<std::size_t>(b)];
    body.x.velocity = state.qd(3 * b);
    body.y.velocity = state.qd(3 * b + 1);
    body.angle.velocity = state.qd(3 * b + 2);
    body.x.acceleration = state.qdd(3 * b);
    body.y.acceleration = state.qdd(3 * b + 1);
    body.angle.acceleration = state.qdd(3 * b + 2);
    turn_in_time(body);
  }
}

bool factor_jacobian(const Layout& layout, MechanismState& state) noexcept {
  const PointTable table = point_table(layout, state);
  const int n = layout.unknowns();
  double* const a = state.lu.data();
  std::fill_n(a, static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < layout.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const SparseRow row =
        gradient(layout.functions[k], table, state.motion.data(), layout.ground());
    for (int e = 0; e < row.count; ++e) {
      a[row.index[static_cast<std::size_t>(e)] * n + i] += row.value[static_cast<std::size_t>(e)];
    }
  }
  return state.lu.factor();
}

double position_value(const ScalarFunction& f, const PointTable& table,
                      const BodyMotion<double>* motion) noexcept {
  double sum = -f.offset;
  for (int k = 0; k < f.angles; ++k) {
    const auto i = static_cast<std::size_t>(k);
    sum += f.angle_factor[i] * motion[f.angle_body[i]].angle.position;
  }
  if (f.shape == ScalarFunction::Shape::Angles) return sum;
  const BodyMotion<double>& a = motion[table.points[f.a_point].body];
  const BodyMotion<double>& b = motion[table.points[f.b_point].body];
  const double dx =
      b.x.position + table.arms[f.b_point].x() - a.x.position - table.arms[f.a_point].x();
  const double dy =
      b.y.position + table.arms[f.b_point].y() - a.y.position - table.arms[f.a_point].y();
  if (f.shape == ScalarFunction::Shape::Distance) return sum + std::sqrt(dx * dx + dy * dy);
  const BodyMotion<double>& frame = motion[f.direction_body];
  const double c = frame.cosine.position;
  const double s = frame.sine.position;
  return sum + (c * f.direction.x() - s * f.direction.y()) * dx +
         (s * f.direction.x() + c * f.direction.y()) * dy;
}

}  // namespace alembert::model::planar
