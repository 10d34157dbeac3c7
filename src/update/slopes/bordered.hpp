#pragma once

#include <Eigen/Core>

#include "core/algebra/decompositions.hpp"

namespace alembert::update {

/// Solves A v = b with Bᵀv = 0 for A = K - λM, whose null space Φ has B = MΦ: bordered by B the
/// matrix is regular.
class BorderedModes {
 public:
  BorderedModes(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B)
      : size_(A.rows()), factor_(bordered(A, B)) {}

  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const {
    Eigen::MatrixXd padded = Eigen::MatrixXd::Zero(factor_.rows(), right.cols());
    padded.topRows(size_) = right;
    const Eigen::MatrixXd solved = factor_.solve(padded);
    return solved.topRows(size_);
  }

 private:
  static Eigen::MatrixXd bordered(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
    const Eigen::Index n = A.rows();
    const Eigen::Index m = B.cols();
    // Of the size of A, so that pivots are chosen well.
    const double size = A.cwiseAbs().maxCoeff();
    // Zero where all modes have one eigenvalue: any scale will do.
    const double scale = size > 0.0 ? size / B.cwiseAbs().maxCoeff() : 1.0;
    Eigen::MatrixXd made = Eigen::MatrixXd::Zero(n + m, n + m);
    made.topLeftCorner(n, n) = A;
    made.topRightCorner(n, m) = scale * B;
    made.bottomLeftCorner(m, n) = scale * B.transpose();
    return made;
  }

  Eigen::Index size_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
};

}  // namespace alembert::update
