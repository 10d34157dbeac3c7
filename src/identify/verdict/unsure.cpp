#include "identify/verdict/unsure.hpp"

#include "alembert/core/chi_square.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd unsure_directions(const optimize::EstimateStatistics& statistics) {
  const MatrixXd& V = statistics.covariance;
  if (V.size() == 0 || !V.allFinite()) return {};
  // By way of the correlation: variances of different units are no matter of its eigenvalues.
  const VectorXd sizes = V.diagonal().cwiseMax(1e-300).cwiseSqrt();
  const VectorXd inverse = sizes.cwiseInverse();
  const MatrixXd correlation = inverse.asDiagonal() * V * inverse.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(correlation);
  const VectorXd roots = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return sizes.asDiagonal() * solver.eigenvectors() * roots.asDiagonal();
}

double unsure_mean_square(const VectorXd& moved) {
  constexpr double kSure = 0.999;
  const double sum = moved.sum();
  if (sum == 0.0 || !moved.allFinite()) return 0.0;
  const double freedom = sum * sum / moved.squaredNorm();
  return sum * chi_square_quantile(kSure, freedom) / freedom;
}

}  // namespace alembert::identify
