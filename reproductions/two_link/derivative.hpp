#pragma once

#include <Eigen/Core>

namespace alembert::reproductions::two_link {

/// Weights of the slope at the middle of 2m + 1 equal steps h by least squares, named after
/// Lanczos: the straight line a + b k h that is nearest to the values f_k, k = -m..m, has
///
///   b = Σ k f_k / (h Σ k²),    Σ k² = m (m + 1)(2m + 1)/3.
///
/// A parabola has the same slope in the middle, because Σ k³ = 0. Seven points, m = 3:
/// (f₁ - f₋₁ + 2 (f₂ - f₋₂) + 3 (f₃ - f₋₃))/(28 h).
/// @throws InvalidInput unless half_width >= 1 and step > 0.
[[nodiscard]] Eigen::VectorXd lanczos_weights(Eigen::Index half_width, double step);

/// The slope at each value from the values on both sides; NaN where there are too few of them. NaN
/// spreads.
[[nodiscard]] Eigen::VectorXd lanczos_derivative(const Eigen::Ref<const Eigen::VectorXd>& values,
                                                 Eigen::Index half_width, double step);

}  // namespace alembert::reproductions::two_link
