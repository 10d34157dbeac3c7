#pragma once

#include <Eigen/Core>

#include "alembert/model/flexible/description.hpp"

namespace alembert::model::flexible {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Constant matrices of a beam element in its own frame, displacements (x, y, angle) of both ends.
struct BeamMatrices {
  double length = 0.0;  ///< L, m
  Matrix6 m, k;
  Matrix6 h;                          ///< ∫ρ Nᵀ(J N − N Ĵ) = g − m Ĵ
  Matrix6 centrifugal;                ///< Q = m + g Ĵ + (g Ĵ)ᵀ + Ĵᵀ m Ĵ
  Matrix6 rate_squared;               ///< Ĵ h − h Ĵ − Q: of u in the complete form, times w²
  Eigen::Matrix<double, 6, 2> load;   ///< ∫ρ Nᵀ
  Eigen::Matrix<double, 2, 6> lever;  ///< ∫ρ (J N − N Ĵ)
};

[[nodiscard]] BeamMatrices beam_matrices(const BeamSection& section, double length);

/// Ĵ x: both translations turned by a right angle, angles zero.
[[nodiscard]] inline Vector6 quarter_turn(const Vector6& x) {
  return (Vector6() << -x(1), x(0), 0.0, -x(4), x(3), 0.0).finished();
}

/// Translations of both ends turned by the angle with cosine c and sine s.
[[nodiscard]] inline Vector6 turned(const Vector6& x, double c, double s) {
  return (Vector6() << c * x(0) - s * x(1), s * x(0) + c * x(1), x(2), c * x(3) - s * x(4),
          s * x(3) + c * x(4), x(5))
      .finished();
}

}  // namespace alembert::model::flexible
