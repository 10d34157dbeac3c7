#include "identify/subspace/projection.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "core/algebra/lapack.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Singular values of L22 below this share of the largest are taken as zero.
constexpr double kInverseTolerance = 1e-10;
// A covariance of outputs without noise is singular; this share of its size is added.
constexpr double kCovarianceFloor = 1e-9;

// C with C Cᵀ = Σ A Aᵀ + floor², from the QR factorisation of the parts (no squares).
MatrixXd covariance_factor(const MatrixXd& A, double size) {
  MatrixXd stack(A.cols() + A.rows(), A.rows());
  stack.topRows(A.cols()) = A.transpose();
  stack.bottomRows(A.rows()) =
      std::max(kCovarianceFloor * size, 1e-300) * MatrixXd::Identity(A.rows(), A.rows());
  return triangular_factor(stack).transpose();
}

// L32 L22⁺ L22 = L32 V Vᵀ with the right singular vectors V of L22 that are not zero.
MatrixXd oblique_projection(const Compression& data) {
  const Index a = data.future_inputs();
  const Index b = data.past();
  const SingularParts parts = singular_parts(data.L.block(a, a, b, b));
  const double least = kInverseTolerance * (parts.values.size() > 0 ? parts.values(0) : 0.0);
  const Index rank = (parts.values.array() > least).count();
  const MatrixXd rows = parts.right_transposed.topRows(rank);
  const MatrixXd within =
      product(data.L.block(a + b, a, data.future_outputs(), b), MatrixXd(rows.transpose()));
  return product(within, rows);
}

}  // namespace

Projection project(const Compression& data, SubspaceWeighting weighting) {
  const Index a = data.future_inputs();
  const Index b = data.past();
  const Index f = data.future_outputs();
  MatrixXd weighted = weighting == SubspaceWeighting::N4sid ? oblique_projection(data)
                                                            : data.L.block(a + b, a, f, b);
  MatrixXd unweight;
  if (weighting == SubspaceWeighting::Cva) {
    unweight = covariance_factor(data.L.block(a + b, a, f, b + f), weighted.norm());
    solve_lower(unweight, weighted);
  }
  const SingularParts parts = left_singular_parts(weighted);
  const MatrixXd directions = unweight.size() == 0 ? parts.left : product(unweight, parts.left);
  return {parts.values, directions * parts.values.cwiseSqrt().asDiagonal()};
}

Index order_above_noise(const Compression& data, Index highest) {
  const Index a = data.future_inputs();
  const Index b = data.past();
  const Index f = data.future_outputs();
  MatrixXd whitened = data.L.block(a + b, a, f, b);
  const double freedom = static_cast<double>(std::max<Index>(1, data.columns - a - b));
  const MatrixXd noise = covariance_factor(data.L.block(a + b, a + b, f, f), whitened.norm());
  solve_lower(noise, whitened);
  const VectorXd values = std::sqrt(freedom) * singular_values(std::move(whitened));
  const double edge = 1.1 * (std::sqrt(static_cast<double>(f)) + std::sqrt(static_cast<double>(b)));
  const Index count = (values.array() > edge).count();
  return std::min(count, highest);
}

Index order_at_gap(const VectorXd& values, Index lowest, Index highest) {
  const double floor = 1e-14 * (values.size() > 0 ? values(0) : 0.0);
  Index best = lowest;
  double largest = 0.0;
  for (Index i = lowest; i <= std::min(highest, values.size() - 1); ++i) {
    if (values(i - 1) <= floor) break;
    const double ratio = values(i - 1) / std::max(values(i), floor);
    if (ratio > largest) {
      largest = ratio;
      best = i;
    }
  }
  return best;
}

ShiftModel shift_model(const Projection& projection, Index outputs, Index order) {
  const auto gamma = projection.observability.leftCols(order);
  const Index rows = gamma.rows() - outputs;
  return {dense::least_squares(gamma.topRows(rows), gamma.bottomRows(rows)),
          gamma.topRows(outputs)};
}

}  // namespace alembert::identify::realisation
