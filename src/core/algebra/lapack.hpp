#pragma once

#include <Eigen/Core>

/// Dense factorisations of the block Hankel data, by OpenBLAS and its LAPACK: their sizes (several
/// hundred) are those at which a portable Eigen build is several times slower.
namespace alembert {

/// C ← C + scale A Aᵀ, lower triangle only. @pre C is A.rows() x A.rows().
void add_outer_gram(const Eigen::Ref<const Eigen::MatrixXd>& A, double scale,
                    Eigen::Ref<Eigen::MatrixXd> C);

/// C ← C + A Bᵀ. @pre sizes agree.
void add_outer_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                       const Eigen::Ref<const Eigen::MatrixXd>& B, Eigen::Ref<Eigen::MatrixXd> C);

/// Replaces a symmetric matrix, given by its lower triangle, by its Cholesky factor (zeros above
/// the diagonal). Returns false, with undefined content, if it is not positive definite.
[[nodiscard]] bool cholesky_in_place(Eigen::Ref<Eigen::MatrixXd> A);

/// B ← L⁻¹ B with L lower triangular. @pre no zero on the diagonal.
void solve_lower(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::Ref<Eigen::MatrixXd> B);

/// A = U diag(values) Vᵀ, thin; values descend.
struct SingularParts {
  Eigen::MatrixXd left;  ///< U
  Eigen::VectorXd values;
  Eigen::MatrixXd right_transposed;  ///< Vᵀ
};
[[nodiscard]] SingularParts singular_parts(Eigen::MatrixXd A);

/// U and the values of singular_parts() without V, for a matrix with at most as many rows as
/// columns: A = R Q is reduced to the square R first.
[[nodiscard]] SingularParts left_singular_parts(const Eigen::MatrixXd& A);

/// Eigenvalues of a symmetric matrix, given by its lower triangle; ascending.
[[nodiscard]] Eigen::VectorXd eigenvalues(Eigen::MatrixXd A);

/// Eigenvalues, ascending, and orthonormal eigenvectors in columns.
struct EigenParts {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
/// Eigenvalues and vectors of a symmetric matrix, given by its lower triangle.
[[nodiscard]] EigenParts eigen_parts(Eigen::MatrixXd A);

/// The singular values alone.
[[nodiscard]] Eigen::VectorXd singular_values(Eigen::MatrixXd A);

}  // namespace alembert
