#include "core/algebra/dense.hpp"

#include <unsupported/Eigen/MatrixFunctions>

#include "core/algebra/decompositions.hpp"

namespace alembert::dense {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

MatrixXd solve(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::PartialPivLU<MatrixXd>(A).solve(B);
}

MatrixXcd solve(const MatrixXcd& A, const MatrixXcd& B) {
  return Eigen::PartialPivLU<MatrixXcd>(A).solve(B);
}

MatrixXd right_solve(const MatrixXd& B, const MatrixXd& A) {
  // B A⁻¹ = (A⁻ᵀ Bᵀ)ᵀ
  const MatrixXd transposed = A.transpose();
  const MatrixXd right = B.transpose();
  return solve(transposed, right).transpose();
}

MatrixXd inverse(const MatrixXd& A) { return solve(A, MatrixXd::Identity(A.rows(), A.cols())); }

MatrixXcd inverse(const MatrixXcd& A) { return solve(A, MatrixXcd::Identity(A.rows(), A.cols())); }

MatrixXd positive_solve(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::LLT<MatrixXd>(A).solve(B);
}

MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::ColPivHouseholderQR<MatrixXd>(A).solve(B);
}

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd singular_values(const MatrixXd& A) {
  return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
}

VectorXd singular_values(const MatrixXcd& A) {
  return Eigen::JacobiSVD<MatrixXcd>(A).singularValues();
}

MatrixXd orthonormal_basis(const MatrixXd& A) {
  const Eigen::ColPivHouseholderQR<MatrixXd> factor(A);
  const MatrixXd Q = factor.householderQ();
  return Q.leftCols(factor.rank());
}

MatrixXd scaled(const MatrixXd& A, const VectorXd& d) {
  return d.asDiagonal() * A * d.asDiagonal();
}

MatrixXd sandwich(const MatrixXd& V, const VectorXd& d, const MatrixXd& W) {
  return V * d.asDiagonal() * W.transpose();
}

MatrixXcd sandwich(const MatrixXcd& V, const VectorXcd& d, const MatrixXcd& W) {
  return V * d.asDiagonal() * W.transpose();
}

MatrixXd mirrored(const MatrixXd& lower) { return lower.selfadjointView<Eigen::Lower>(); }

MatrixXd times(const MatrixXd& A, const MatrixXd& B) { return A * B; }

MatrixXcd times(const MatrixXd& A, const MatrixXcd& B) { return A * B; }

MatrixXcd times(const MatrixXcd& A, const MatrixXcd& B) { return A * B; }

MatrixXd transposed_times(const MatrixXd& A, const MatrixXd& B) { return A.transpose() * B; }

MatrixXcd logarithm(const MatrixXcd& A) { return A.log(); }

}  // namespace alembert::dense
