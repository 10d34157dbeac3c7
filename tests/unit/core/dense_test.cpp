#include "core/algebra/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"

namespace alembert {
namespace dense_test {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kEps;
using test::matrices_near;

MatrixXd gaussian(Index rows, Index columns, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd matrix(rows, columns);
  for (Index j = 0; j < columns; ++j) matrix.col(j) = random.normal_vector(rows);
  return matrix;
}

// Gaussian matrices of these sizes have conditions below 1e3, hence the factor.
constexpr double kTolerance = 1e4 * kEps;

TEST(Dense, SolutionsFulfilTheirEquations) {
  for (const Index n : {1, 2, 5, 12}) {
    const MatrixXd A = gaussian(n, n, 1);
    const MatrixXd B = gaussian(n, 3, 2);
    EXPECT_TRUE(matrices_near(A * dense::solve(A, B), B, {.abs = kTolerance}));
    const MatrixXd row = B.transpose();
    EXPECT_TRUE(matrices_near(dense::right_solve(row, A) * A, row, {.abs = kTolerance}));
    const MatrixXd identity = MatrixXd::Identity(n, n);
    EXPECT_TRUE(matrices_near(A * dense::inverse(A), identity, {.abs = kTolerance}));
    const MatrixXd positive = A * A.transpose() + identity;
    EXPECT_TRUE(
        matrices_near(positive * dense::positive_solve(positive, B), B, {.abs = kTolerance}));
    const MatrixXcd C = A.cast<std::complex<double>>() + std::complex<double>(0, 1) * positive;
    EXPECT_LE((C * dense::inverse(C) - identity).norm(), kTolerance);
  }
}

TEST(Dense, LeastSquaresResidualIsOrthogonalToTheColumns) {
  const MatrixXd A = gaussian(20, 4, 3);
  const MatrixXd B = gaussian(20, 2, 4);
  const MatrixXd X = dense::least_squares(A, B);
  EXPECT_TRUE(
      matrices_near(A.transpose() * (A * X - B), MatrixXd::Zero(4, 2), {.abs = kTolerance}));
}

TEST(Dense, EigenvaluesRebuildTheMatrixInRisingOrder) {
  const MatrixXd A = gaussian(7, 7, 5);
  const MatrixXd symmetric = A + A.transpose();
  const auto [values, vectors] = dense::symmetric_eigen(symmetric);
  EXPECT_TRUE(
      matrices_near(dense::sandwich(vectors, values, vectors), symmetric, {.abs = kTolerance}));
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

TEST(Dense, SingularValuesOfAnOrthogonalTimesADiagonal) {
  const MatrixXd Q = dense::orthonormal_basis(gaussian(6, 6, 6));
  VectorXd d(6);
  d << 9.0, 5.0, 2.0, 1.0, 0.5, 1e-3;
  EXPECT_TRUE(
      matrices_near(dense::singular_values(MatrixXd(Q * d.asDiagonal())), d, {.abs = kTolerance}));
}

TEST(Dense, BasisHasTheRankOfTheMatrix) {
  const MatrixXd A = gaussian(8, 3, 7) * gaussian(3, 5, 8);
  const MatrixXd Q = dense::orthonormal_basis(A);
  ASSERT_EQ(Q.cols(), 3);
  EXPECT_TRUE(matrices_near(Q.transpose() * Q, MatrixXd::Identity(3, 3), {.abs = kTolerance}));
  EXPECT_TRUE(matrices_near(Q * (Q.transpose() * A), A, {.abs = kTolerance}));
}

TEST(Dense, ScalingAndMirroringByEntry) {
  const MatrixXd A = gaussian(3, 3, 9);
  const VectorXd d = VectorXd::LinSpaced(3, 1.0, 3.0);
  const MatrixXd scaled = dense::scaled(A, d);
  const MatrixXd full = dense::mirrored(A);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      EXPECT_DOUBLE_EQ(scaled(i, j), d(i) * A(i, j) * d(j));
      EXPECT_EQ(full(i, j), A(std::max(i, j), std::min(i, j)));
    }
  }
}

// exp of a rotation by w: cos w, ∓sin w; its logarithm is (0, -w; w, 0) for |w| < π.
TEST(Dense, LogarithmOfARotationIsItsAngle) {
  for (const double w : {0.1, 1.5, 3.0}) {
    MatrixXcd rotation(2, 2);
    rotation << std::cos(w), -std::sin(w), std::sin(w), std::cos(w);
    MatrixXcd angle(2, 2);
    angle << 0.0, -w, w, 0.0;
    EXPECT_LE((dense::logarithm(rotation) - angle).norm(), kTolerance) << w;
  }
}

}  // namespace dense_test
}  // namespace alembert
