#include "alembert/update/mode_slopes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"

namespace alembert::update::mode_slopes_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Solver = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>;

MatrixXd random_symmetric(Index n, RandomStream& random) {
  MatrixXd A(n, n);
  for (Index i = 0; i < A.size(); ++i) A(i) = random.normal();
  return A + A.transpose();
}

MatrixXd random_definite(Index n, RandomStream& random) {
  const MatrixXd A = random_symmetric(n, random);
  return A * A.transpose() + MatrixXd::Identity(n, n);
}

// Central difference of the modes of (K + t K', M + t M'), signs and turns taken from `base`.
MatrixXd difference(const MatrixXd& K, const MatrixXd& M, const MatrixXd& dK, const MatrixXd& dM,
                    const MatrixXd& base, double t, VectorXd& slope) {
  const Solver up(K + t * dK, M + t * dM);
  const Solver down(K - t * dK, M - t * dM);
  slope = (up.eigenvalues() - down.eigenvalues()) / (2.0 * t);
  MatrixXd made(K.rows(), base.cols());
  for (Index i = 0; i < base.cols(); ++i) {
    const auto signed_column = [&](const Solver& solver) {
      Index best = 0;
      const VectorXd alike = (solver.eigenvectors().transpose() * (M * base.col(i))).cwiseAbs();
      alike.maxCoeff(&best);
      const VectorXd column = solver.eigenvectors().col(best);
      return VectorXd(column.dot(M * base.col(i)) < 0.0 ? VectorXd(-column) : column);
    };
    made.col(i) = (signed_column(up) - signed_column(down)) / (2.0 * t);
  }
  return made;
}

TEST(ModeSlopes, AreThoseOfCentralDifferences) {
  RandomStream random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const Index n = 4 + trial % 5;
    const MatrixXd K = random_definite(n, random);
    const MatrixXd M = random_definite(n, random);
    const std::vector<MatrixXd> dK = {random_symmetric(n, random), MatrixXd::Zero(n, n)};
    const std::vector<MatrixXd> dM = {MatrixXd::Zero(n, n), random_symmetric(n, random)};
    const Solver modes(K, M);
    const ModeSlopes slopes = mode_slopes(K, M, modes.eigenvalues(), modes.eigenvectors(), dK, dM);
    for (std::size_t j = 0; j < dK.size(); ++j) {
      VectorXd expected;
      const MatrixXd shapes = difference(K, M, dK[j], dM[j], modes.eigenvectors(), 1e-6, expected);
      // Truncation 1e-12 over the third power of gaps of about 0.1, rounding 1e-10.
      const double size = shapes.cwiseAbs().maxCoeff();
      EXPECT_TRUE(test::matrices_near(slopes.eigenvalue.col(static_cast<Index>(j)), expected,
                                      {.rel = 1e-6, .abs = 1e-5}));
      EXPECT_TRUE(test::matrices_near(slopes.shapes[j], shapes, {.abs = 1e-5 * (1.0 + size)}));
    }
  }
}

// Two eigenvalues 2 that part along directions which the parameter chooses.
TEST(ModeSlopes, OfRepeatedEigenvaluesFollowTheModesThatPart) {
  RandomStream random(7);
  const Index n = 6;
  const VectorXd values = (VectorXd(n) << 1.0, 2.0, 2.0, 2.0, 5.0, 9.0).finished();
  const MatrixXd T = random_definite(n, random);
  const MatrixXd inverse = T.inverse();
  // Modes T with M = T⁻ᵀT⁻¹.
  const MatrixXd M = inverse.transpose() * inverse;
  const MatrixXd K = inverse.transpose() * values.asDiagonal() * inverse;
  const std::vector<MatrixXd> dK = {inverse.transpose() * random_symmetric(n, random) * inverse};
  const std::vector<MatrixXd> dM = {0.2 * inverse.transpose() * random_symmetric(n, random) *
                                    inverse};
  const ModeSlopes slopes = mode_slopes(K, M, values, T, dK, dM);
  VectorXd expected;
  const MatrixXd shapes = difference(K, M, dK[0], dM[0], slopes.bases[0], 1e-5, expected);
  for (const Index i : {0, 4, 5}) {
    EXPECT_NEAR(slopes.eigenvalue(i, 0), expected(i), 1e-6 * (1.0 + std::abs(expected(i))));
  }
  // Sorted eigenvalues on both sides cross: slopes from one side.
  const Solver up(K + 1e-6 * dK[0], M + 1e-6 * dM[0]);
  for (const Index i : {1, 2, 3}) {
    EXPECT_NEAR(slopes.eigenvalue(i, 0), (up.eigenvalues()(i) - 2.0) / 1e-6, 1e-3);
  }
  // Truncation 1e-10 times the square of slopes over gaps.
  EXPECT_TRUE(test::matrices_near(slopes.shapes[0], shapes,
                                  {.abs = 1e-4 * (1.0 + shapes.cwiseAbs().maxCoeff())}));
}

// K = k: λ = k/m, φ = 1/√m.
TEST(ModeSlopes, OfOneMassAreThoseOfTheClosedForm) {
  const MatrixXd K = MatrixXd::Constant(1, 1, 8.0);
  const MatrixXd M = MatrixXd::Constant(1, 1, 2.0);
  const MatrixXd one = MatrixXd::Ones(1, 1);
  const MatrixXd zero = MatrixXd::Zero(1, 1);
  const ModeSlopes slopes =
      mode_slopes(K, M, VectorXd::Constant(1, 4.0), MatrixXd::Constant(1, 1, 1.0 / std::sqrt(2.0)),
                  {one, zero}, {zero, one});
  EXPECT_NEAR(slopes.eigenvalue(0, 0), 0.5, 1e-15);
  EXPECT_NEAR(slopes.eigenvalue(0, 1), -2.0, 1e-15);
  EXPECT_NEAR(slopes.shapes[0](0, 0), 0.0, 1e-15);
  EXPECT_NEAR(slopes.shapes[1](0, 0), -0.5 * std::pow(2.0, -1.5), 1e-15);
}

}  // namespace alembert::update::mode_slopes_test
