#pragma once

#include <Eigen/Core>

/// Eigenvalues of matrices without symmetry, by OpenBLAS and its LAPACK: Eigen's own are three
/// times slower from a hundred rows on.
namespace alembert {

/// Eigenvalues of any square matrix, in LAPACK's order; NaN for those that did not converge.
/// @pre all entries are finite.
[[nodiscard]] Eigen::VectorXcd general_eigenvalues(Eigen::MatrixXd A);

}  // namespace alembert
