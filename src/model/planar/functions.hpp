#pragma once

// Values, gradients and time derivatives of the scalar functions of a layout.

#include <array>
#include <cmath>

#include "model/planar/layout/layout.hpp"

namespace alembert::model::planar {

template <typename Scalar>
struct PlaneJet {
  Jet<Scalar> x, y;
};

/// Positions of points in their bodies, the same turned into the world and, for dual numbers, the
/// slopes of the first (null: none).
struct PointTable {
  const LayoutPoint* points = nullptr;
  const Eigen::Vector2d* at = nullptr;
  const Eigen::Vector2d* arms = nullptr;
  const Eigen::Vector2d* slope = nullptr;
};

template <typename Scalar>
inline Scalar point_entry(const PointTable& table, int point, int axis) {
  const auto i = static_cast<std::size_t>(point);
  if constexpr (std::is_same_v<Scalar, Dual>) {
    return {table.at[i](axis), table.slope == nullptr ? 0.0 : table.slope[i](axis)};
  } else {
    return table.at[i](axis);
  }
}

/// A(φ) s.
template <typename Scalar>
inline PlaneJet<Scalar> turned(const BodyMotion<Scalar>& body, const Scalar& x, const Scalar& y) {
  return {scaled(x, body.cosine) - scaled(y, body.sine),
          scaled(x, body.sine) + scaled(y, body.cosine)};
}

/// P = r + A(φ) s. The table is a PointTable or another one that has point_entry().
template <typename Scalar, typename Table>
inline PlaneJet<Scalar> point_motion(const Table& table, const BodyMotion<Scalar>* motion,
                                     int point) {
  const BodyMotion<Scalar>& body = motion[table.points[point].body];
  const PlaneJet<Scalar> arm =
      turned(body, point_entry<Scalar>(table, point, 0), point_entry<Scalar>(table, point, 1));
  return {body.x + arm.x, body.y + arm.y};
}

/// f, f' and f'' for the given motion.
template <typename Scalar, typename Table>
inline Jet<Scalar> evaluate(const ScalarFunction& f, const Table& table,
                            const BodyMotion<Scalar>* motion) {
  Jet<Scalar> sum{Scalar(-f.offset), Scalar(0.0), Scalar(0.0)};
  for (int k = 0; k < f.angles; ++k) {
    const auto i = static_cast<std::size_t>(k);
    sum = sum + scaled(Scalar(f.angle_factor[i]), motion[f.angle_body[i]].angle);
  }
  if (f.shape == ScalarFunction::Shape::Angles) return sum;
  const PlaneJet<Scalar> a = point_motion(table, motion, f.a_point);
  const PlaneJet<Scalar> b = point_motion(table, motion, f.b_point);
  const Jet<Scalar> dx = b.x - a.x;
  const Jet<Scalar> dy = b.y - a.y;
  if (f.shape == ScalarFunction::Shape::Distance) return sum + root(dx * dx + dy * dy);
  const PlaneJet<Scalar> n =
      turned(motion[f.direction_body], Scalar(f.direction.x()), Scalar(f.direction.y()));
  return sum + n.x * dx + n.y * dy;
}

/// Completes cosine and sine in time: c' = −s φ', c'' = −s φ'' − c φ'², and likewise s.
template <typename Scalar>
inline void turn_in_time(BodyMotion<Scalar>& body) {
  const Scalar& c = body.cosine.position;
  const Scalar& s = body.sine.position;
  const Scalar& rate = body.angle.velocity;
  const Scalar square = rate * rate;
  body.cosine.velocity = -(s * rate);
  body.sine.velocity = c * rate;
  body.cosine.acceleration = -(s * body.angle.acceleration) - c * square;
  body.sine.acceleration = c * body.angle.acceleration - s * square;
}

/// A gradient by q: at most three bodies have a part in it.
struct SparseRow {
  std::array<int, 14> index;     // the first `count` are set
  std::array<double, 14> value;  // likewise
  int count = 0;

  void add(int i, double v) {
    index[static_cast<std::size_t>(count)] = i;
    value[static_cast<std::size_t>(count++)] = v;
  }
  [[nodiscard]] double dot(const double* column) const {
    double sum = 0.0;
    for (int k = 0; k < count; ++k) {
      sum += value[static_cast<std::size_t>(k)] * column[index[static_cast<std::size_t>(k)]];
    }
    return sum;
  }
};

/// ∂f/∂q; with the direction held, the part of the turning direction is left out (that is e·∂P/∂q,
/// as forces and accelerometers need it).
[[nodiscard]] SparseRow gradient(const ScalarFunction& f, const PointTable& table,
                                 const BodyMotion<double>* motion, int ground,
                                 bool hold_direction = false);

}  // namespace alembert::model::planar
