#pragma once

#include <Eigen/Core>

/// Sigma points: sets of points and weights with mean 0 and covariance I.
namespace alembert::estimate {

/// Points χ_i (columns, in units of standard deviations) and their weights:
///   Σ a_i = 1,  Σ a_i χ_i = 0,  Σ c_i χ_i χ_iᵀ = I.
struct SigmaPoints {
  Eigen::MatrixXd points;              ///< n x N
  Eigen::VectorXd mean_weights;        ///< a_i
  Eigen::VectorXd covariance_weights;  ///< c_i

  [[nodiscard]] int states() const { return static_cast<int>(points.rows()); }
  [[nodiscard]] int count() const { return static_cast<int>(points.cols()); }
  /// Whether a square-root filter can use the set without a Cholesky downdate: one set of weights,
  /// none negative.
  [[nodiscard]] bool square_root_possible() const;
};

/// Spherical simplex: n + 2 points, n + 1 for central_weight 0, whose centre would not count.
///
///   w₁ = (1 - w₀)/(n + 1); in one dimension 0, -1/√(2w₁), 1/√(2w₁); for j = 2..n append the row
///   0 | -1/√(j(j+1)w₁) for points 1..j | j/√(j(j+1)w₁) for point j + 1, zero above it.
///
/// Exact for polynomials of degree 2; the third moments are not zero.
/// @throws InvalidInput unless n >= 1 and 0 <= central_weight < 1.
[[nodiscard]] SigmaPoints spherical_simplex(int n, double central_weight = 1.0 / 3.0);

/// The scaled unscented set, 2n + 1 points 0, ±√(n + λ) e_j with λ = α²(n + κ) - n:
///   a₀ = λ/(n + λ),  c₀ = a₀ + 1 - α² + β,  a_i = c_i = 1/(2(n + λ)).
/// The defaults give the symmetric set with w₀ = κ/(n + κ) in both. Degree 3.
struct UnscentedOptions {
  double alpha = 1.0;  ///< > 0
  double beta = 0.0;   ///< added to the weight of the middle point in covariances
  double kappa = 1.0;  ///< > -n
};
/// @throws InvalidInput unless n >= 1, α > 0 and κ > -n.
[[nodiscard]] SigmaPoints unscented(int n, const UnscentedOptions& options = {});

/// Spherical-radial cubature of degree 3: 2n points ±√n e_j, equal weights.
/// @throws InvalidInput unless n >= 1.
[[nodiscard]] SigmaPoints cubature(int n);

/// Product of Gauss-Hermite rules: order^n points, degree 2 order - 1 in each state.
/// @throws InvalidInput unless n >= 1, order in [2, 20] and order^n <= 100000.
[[nodiscard]] SigmaPoints gauss_hermite(int n, int order = 3);

/// Number of points of the sets above, to be used as the template argument of fixed-size filters.
constexpr int simplex_count(int n) { return n + 2; }
constexpr int unscented_count(int n) { return 2 * n + 1; }
constexpr int cubature_count(int n) { return 2 * n; }

/// Rows that turn function values at the points into what a regression leaves over: orthonormal to
/// 1 and to the points in the inner product of the weights, scaled by their roots.
///
///   E = complement · Yᵀ,  Σ w δY δYᵀ = A Aᵀ + Eᵀ E  with A = Σ w_i δY_i χ_iᵀ
///
/// Size (N - n - 1) x N. @throws InvalidInput unless square_root_possible().
[[nodiscard]] Eigen::MatrixXd complement(const SigmaPoints& set);

/// The check of the square-root filters. @throws InvalidInput unless square_root_possible().
void check_square_root(const SigmaPoints& set);

/// The check of all sigma-point filters. @throws InvalidInput unless the set is for `states`
/// states and, if count >= 0, has `count` points.
void check_points(const SigmaPoints& set, int states, int count);

}  // namespace alembert::estimate
