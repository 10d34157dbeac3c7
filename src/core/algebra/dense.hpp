#pragma once

// Dense algebra as plain functions of plain matrices. Each is an Eigen one-liner; behind a function
// it is compiled once, where the expression would be compiled again in every file that writes it.

#include <Eigen/Core>

namespace alembert::dense {

/// A⁻¹ B by LU factors with partial pivoting.
[[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
[[nodiscard]] Eigen::MatrixXcd solve(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B);

/// B A⁻¹ by LU factors with partial pivoting.
[[nodiscard]] Eigen::MatrixXd right_solve(const Eigen::MatrixXd& B, const Eigen::MatrixXd& A);

/// A⁻¹ by LU factors with partial pivoting.
[[nodiscard]] Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
[[nodiscard]] Eigen::MatrixXcd inverse(const Eigen::MatrixXcd& A);

/// A⁻¹ B of a symmetric positive definite A, of which the lower triangle is read.
[[nodiscard]] Eigen::MatrixXd positive_solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// The X of least |A X - B| by QR factors with column pivoting.
[[nodiscard]] Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// Eigenvalues in rising order, and orthonormal eigenvectors in columns.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Eigenvalues and vectors of a symmetric matrix, of which the lower triangle is read.
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// Singular values in falling order.
[[nodiscard]] Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
[[nodiscard]] Eigen::VectorXd singular_values(const Eigen::MatrixXcd& A);

/// Orthonormal columns that span those of A, as many as A has rank (QR with column pivoting).
[[nodiscard]] Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& A);

/// diag(d) A diag(d).
[[nodiscard]] Eigen::MatrixXd scaled(const Eigen::MatrixXd& A, const Eigen::VectorXd& d);

/// V diag(d) Wᵀ.
[[nodiscard]] Eigen::MatrixXd sandwich(const Eigen::MatrixXd& V, const Eigen::VectorXd& d,
                                       const Eigen::MatrixXd& W);
[[nodiscard]] Eigen::MatrixXcd sandwich(const Eigen::MatrixXcd& V, const Eigen::VectorXcd& d,
                                        const Eigen::MatrixXcd& W);

/// The symmetric matrix with this lower triangle.
[[nodiscard]] Eigen::MatrixXd mirrored(const Eigen::MatrixXd& lower);

/// A B.
[[nodiscard]] Eigen::MatrixXd times(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
[[nodiscard]] Eigen::MatrixXcd times(const Eigen::MatrixXd& A, const Eigen::MatrixXcd& B);
[[nodiscard]] Eigen::MatrixXcd times(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B);

/// Aᵀ B.
[[nodiscard]] Eigen::MatrixXd transposed_times(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// The principal logarithm of a matrix without an eigenvalue at zero.
[[nodiscard]] Eigen::MatrixXcd logarithm(const Eigen::MatrixXcd& A);

}  // namespace alembert::dense
