#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/model/structure/structure.hpp"
#include "alembert/reduce/modes.hpp"

namespace alembert::test {

/// The largest row sum of magnitudes, which bounds the spectral norm of a symmetric matrix.
inline double row_sum_norm(const model::SparseMatrix& A) {
  return (A.cwiseAbs() * Eigen::VectorXd::Ones(A.cols())).maxCoeff();
}

/// Terms in the longest row of a symmetric matrix.
inline Eigen::Index longest_row(const model::SparseMatrix& A) {
  Eigen::Index longest = 0;
  for (Eigen::Index c = 0; c < A.cols(); ++c) longest = std::max(longest, A.col(c).nonZeros());
  return longest;
}

/// |K φ - λ M φ| of the worst mode, as a part of what theory allows with φᵀ M φ = 1:
///   τ √m |λ - s| |M|^½  +  (p + m) eps (|K| + |λ| |M|) |φ|
/// First, where Lanczos ends: |OP x - θ x|_M <= τ |θ|, θ = 1/(λ - s), gives
/// (K - λ M) OP x = -(λ - s) M (OP x - θ x); √m since m such vectors are turned into one another.
/// Second, rounding to first order: a row of K φ sums p terms and φ is a combination of m vectors,
/// each with an error of eps, which makes a change of K and M of that size (backward error).
/// A limit relative to λ M φ cannot hold: low modes of stiff structures leave eps |K| |φ|.
/// @param reach at least |λ - s| of all modes
inline double residual_over_limit(const model::Structure& s, const reduce::StructureModes& modes,
                                  double reach, double tolerance) {
  const double K = row_sum_norm(s.K);
  const double M = row_sum_norm(s.M);
  const auto m = static_cast<double>(modes.count());
  const double eps =
      (static_cast<double>(longest_row(s.K)) + m) * std::numeric_limits<double>::epsilon();
  double worst = 0.0;
  for (Eigen::Index i = 0; i < modes.count(); ++i) {
    const Eigen::VectorXd phi = modes.shapes.col(i);
    const double lambda = modes.eigenvalue(i);
    const double residual = (s.K * phi - lambda * (s.M * phi)).norm();
    worst = std::max(worst, residual / (tolerance * std::sqrt(m * M) * reach +
                                        eps * (K + std::abs(lambda) * M) * phi.norm()));
  }
  return worst;
}

}  // namespace alembert::test
