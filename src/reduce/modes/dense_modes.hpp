#pragma once

#include <Eigen/Core>

namespace alembert::reduce {

/// Finite eigenpairs in rising order, columns orthonormal in M.
struct EigenPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// All finite eigenpairs of K x = λ M x for positive semidefinite K and M without common null
/// vector, by the Cholesky factor of K - s M.
/// @param shift s < 0, of the size of 1e-4 of the largest eigenvalue.
[[nodiscard]] EigenPairs dense_modes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M,
                                     double shift);

/// Rayleigh-Ritz: the eigenpairs of (XᵀKX, XᵀMX) as combinations of the columns of X.
/// @param KX K X @param MX M X
[[nodiscard]] EigenPairs rayleigh_ritz(const Eigen::MatrixXd& X, const Eigen::MatrixXd& KX,
                                       const Eigen::MatrixXd& MX);

}  // namespace alembert::reduce
