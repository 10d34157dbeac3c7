#include "identify/refine/positive.hpp"

#include <cmath>

#include "alembert/core/linear_algebra.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

constexpr int kTurns = 50;
// Smallest eigenvalue left by clipping, relative to the largest: above the rounding of the
// eigenvalues, below anything that a response could tell from zero.
constexpr double kFloor = 1e-8;

Eigen::VectorXd unit_scale(const Eigen::MatrixXd& matrix) {
  return matrix.diagonal().unaryExpr(
      [](double entry) { return entry == 0.0 ? 1.0 : std::sqrt(std::abs(entry)); });
}

Eigen::MatrixXd clipped_part(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd scale = unit_scale(matrix);
  const Eigen::VectorXd inverse = scale.cwiseInverse();
  const dense::SymmetricEigen unit = dense::symmetric_eigen(dense::scaled(matrix, inverse));
  const double largest = unit.values.cwiseAbs().maxCoeff();
  const Eigen::VectorXd values = unit.values.cwiseMax(kFloor * largest);
  const Eigen::MatrixXd vectors = scale.asDiagonal() * unit.vectors;
  return symmetrised(dense::sandwich(vectors, values, vectors));
}

}  // namespace

bool semidefinite(const Eigen::MatrixXd& symmetric) {
  if (!symmetric.allFinite()) return false;
  const Eigen::VectorXd inverse = unit_scale(symmetric).cwiseInverse();
  return definiteness(dense::scaled(symmetric, inverse)).positive_semidefinite;
}

Eigen::VectorXd with_positive_matrices(const Parametrisation& unknowns,
                                       const Eigen::VectorXd& theta) {
  Eigen::VectorXd result = theta;
  for (int turn = 0; turn < kTurns; ++turn) {
    Matrices at = matrices(unknowns, result);
    if (!at.D.allFinite() || !at.K.allFinite()) break;
    const bool damping = semidefinite(at.D);
    const bool stiffness = semidefinite(at.K);
    if (damping && stiffness) break;
    if (!damping) at.D = clipped_part(at.D);
    if (!stiffness) at.K = clipped_part(at.K);
    result = nearest_parameters(unknowns, at);
  }
  return result;
}

}  // namespace alembert::identify
