#pragma once

#include <Eigen/Core>

/// The few dense kernels that dominate the cost of identification, by OpenBLAS: it picks the best
/// vector instructions of the machine at run time, which a portable Eigen build cannot.
namespace alembert {

/// C ← C + Aᵀ A, lower triangle only. @pre C is A.cols() x A.cols().
void add_gram(const Eigen::Ref<const Eigen::MatrixXd>& A, Eigen::Ref<Eigen::MatrixXd> C);

/// C ← C + Aᵀ B. @pre sizes agree.
void add_transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                            const Eigen::Ref<const Eigen::MatrixXd>& B,
                            Eigen::Ref<Eigen::MatrixXd> C);

/// A B.
[[nodiscard]] Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                      const Eigen::Ref<const Eigen::MatrixXd>& B);

/// The upper triangular R of A = Q R, min(rows, cols) x cols; A is destroyed.
[[nodiscard]] Eigen::MatrixXd triangular_factor(Eigen::Ref<Eigen::MatrixXd> A);

}  // namespace alembert
