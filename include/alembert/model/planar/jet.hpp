#pragma once

#include <cmath>

#include "alembert/core/dual.hpp"

/// Arithmetic that carries derivatives along exactly: first order in one direction (Dual), second
/// order in time (Jet).
namespace alembert::model::planar {

/// A value and its derivative in one direction.
using Dual = alembert::Dual<double, 1>;

/// A value with its first and second derivative in time.
template <typename Scalar>
struct Jet {
  Scalar position{};
  Scalar velocity{};
  Scalar acceleration{};
};

/// (a ± b)'' = a'' ± b'', and so on.
template <typename Scalar>
Jet<Scalar> operator+(const Jet<Scalar>& a, const Jet<Scalar>& b) {
  return {a.position + b.position, a.velocity + b.velocity, a.acceleration + b.acceleration};
}
template <typename Scalar>
Jet<Scalar> operator-(const Jet<Scalar>& a, const Jet<Scalar>& b) {
  return {a.position - b.position, a.velocity - b.velocity, a.acceleration - b.acceleration};
}
/// (a b)'' = a'' b + 2 a' b' + a b''.
template <typename Scalar>
Jet<Scalar> operator*(const Jet<Scalar>& a, const Jet<Scalar>& b) {
  return {
      a.position * b.position, a.velocity * b.position + a.position * b.velocity,
      a.acceleration * b.position + 2.0 * (a.velocity * b.velocity) + a.position * b.acceleration};
}
/// A constant times a jet.
template <typename Scalar>
Jet<Scalar> scaled(const Scalar& factor, const Jet<Scalar>& a) {
  return {factor * a.position, factor * a.velocity, factor * a.acceleration};
}
/// r = √a: r' = a'/(2 r), r'' = (a''/2 − r'²)/r. a > 0.
template <typename Scalar>
Jet<Scalar> root(const Jet<Scalar>& a) {
  using std::sqrt;
  const Scalar r = sqrt(a.position);
  const Scalar rate = 0.5 * a.velocity / r;
  return {r, rate, (0.5 * a.acceleration - rate * rate) / r};
}

/// Motion of a body: position of its origin, angle, and cosine and sine of the angle.
template <typename Scalar>
struct BodyMotion {
  Jet<Scalar> x, y, angle, cosine, sine;
};

}  // namespace alembert::model::planar
