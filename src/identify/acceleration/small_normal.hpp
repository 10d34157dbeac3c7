#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::identify {

/// Solves (H + μ diag H) δ = g of a few unknowns by Cholesky factors of H scaled to unit diagonal.
///
/// @param H lower triangle.
/// @param first number of unknowns that stay without damping, from the first on.
/// @param used how many unknowns are solved for, from the first on; the others get 0.
/// @return the smallest pivot of the scaled matrix; below 1e-13 the columns depend on each other,
/// and δ is not set.
double solve_normal(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, std::size_t used,
                    std::size_t first, double damping, std::vector<double>& delta);

inline constexpr double kSmallestPivot = 1e-13;

}  // namespace alembert::identify
