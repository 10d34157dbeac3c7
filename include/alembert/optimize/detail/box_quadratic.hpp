#pragma once

#include <Eigen/Core>

namespace alembert::optimize {

/// Writes the minimiser p of gᵀp + ½ pᵀ H p in the box lower <= p <= upper (which contains 0), for
/// positive definite H, by an active-set method that starts at p = 0.
/// @return false if a Cholesky factor of H, or of a part of it, does not exist.
[[nodiscard]] bool minimise_box_quadratic(const Eigen::MatrixXd& H, const Eigen::VectorXd& g,
                                          const Eigen::VectorXd& lower,
                                          const Eigen::VectorXd& upper, Eigen::VectorXd& p);

}  // namespace alembert::optimize
