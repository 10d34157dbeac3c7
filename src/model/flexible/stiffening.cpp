#include "model/flexible/stiffening.hpp"

namespace alembert::model::flexible {
namespace {

// ∫ N'ᵀN' dx w of the cubic shapes, along the axis zero.
Vector6 slopes(double L, const Vector6& u) {
  const double w = u(4) - u(1);
  const double a = u(2);
  const double b = u(5);
  const double across = (-36.0 * w + 3.0 * L * (a + b)) / (30.0 * L);
  return (Vector6() << 0.0, across, (-3.0 * w + L * (4.0 * a - b)) / 30.0, 0.0, -across,
          (-3.0 * w + L * (4.0 * b - a)) / 30.0)
      .finished();
}

}  // namespace

// With e = (u₂ − u₁)/L and b = wᵀGw/(2L): V − ½ EA L e² = EA L (e b + ½ b²)
double stiffening_energy(const BeamMatrices& beam, const Vector6& u) {
  const double L = beam.length;
  const double e = (u(3) - u(0)) / L;
  const double b = u.dot(slopes(L, u)) / (2.0 * L);
  return beam.k(0, 0) * L * L * (e * b + 0.5 * b * b);
}

// EA L (b ∂e + (e + b) ∂b), ∂b = G w / L
Vector6 stiffening_gradient(const BeamMatrices& beam, const Vector6& u) {
  const double L = beam.length;
  const Vector6 Gw = slopes(L, u);
  const double e = (u(3) - u(0)) / L;
  const double b = u.dot(Gw) / (2.0 * L);
  Vector6 made = (e + b) * Gw;
  made(0) -= b;
  made(3) += b;
  return beam.k(0, 0) * L * made;
}

}  // namespace alembert::model::flexible
