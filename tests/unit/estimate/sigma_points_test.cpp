#include "alembert/estimate/sigma_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate::sigma_points_test {

using test::kEps;
using test::matrices_near;
using test::message_of;

// The weighted sums are over N terms of size w χ², below n each.
void expect_standard_moments(const SigmaPoints& set, double tolerance) {
  const int n = set.states();
  EXPECT_NEAR(set.mean_weights.sum(), 1.0, tolerance) << n;
  EXPECT_TRUE(
      matrices_near(set.points * set.mean_weights, Eigen::VectorXd::Zero(n), {.abs = tolerance}))
      << n;
  EXPECT_TRUE(
      matrices_near(set.points * set.covariance_weights.asDiagonal() * set.points.transpose(),
                    Eigen::MatrixXd::Identity(n, n), {.abs = tolerance}))
      << n;
}

TEST(SigmaPointsTest, HaveMeanZeroAndCovarianceIdentity) {
  for (int n = 1; n <= 12; ++n) {
    for (const double w0 : {0.0, 1.0 / 3.0, 0.9}) {
      expect_standard_moments(spherical_simplex(n, w0), 1e-14);
    }
    expect_standard_moments(unscented(n), 1e-14);
    expect_standard_moments(unscented(n, {.alpha = 0.5, .beta = 2.0, .kappa = 0.0}), 1e-14);
    expect_standard_moments(cubature(n), 1e-14);
    // Up to 4096 terms.
    expect_standard_moments(gauss_hermite(n, 2), 1e-13);
  }
  for (int n = 1; n <= 4; ++n) expect_standard_moments(gauss_hermite(n, 5), 1e-13);
}

// The printed formula of the source, 1 in place of j in the last entry, has for three states the
// mean (0, -0.20, -0.29). Here the last entry of row j must be j times the others.
TEST(SigmaPointsTest, SimplexHasTheCorrectedLastEntry) {
  const SigmaPoints set = spherical_simplex(3, 0.5);
  ASSERT_EQ(set.count(), simplex_count(3));
  // w₁ = 1/8: rows 1/√(2/8) = 2, 1/√(6/8), 1/√(12/8).
  Eigen::MatrixXd expected(3, 5);
  const double a = 2.0, b = std::sqrt(8.0 / 6.0), c = std::sqrt(8.0 / 12.0);
  expected << 0, -a, a, 0, 0,  //
      0, -b, -b, 2 * b, 0,     //
      0, -c, -c, -c, 3 * c;
  EXPECT_TRUE(matrices_near(set.points, expected, {.rel = 4 * kEps}));
}

TEST(SigmaPointsTest, SimplexWithoutCentralWeightDropsTheCentre) {
  EXPECT_EQ(spherical_simplex(4, 0.0).count(), 5);
  EXPECT_EQ(spherical_simplex(4, 0.1).count(), 6);
}

// E x^(2k) = 1·3·5··(2k-1): an order p rule is exact up to the power 2p - 1.
TEST(SigmaPointsTest, GaussHermiteIntegratesPowersExactly) {
  for (int order = 2; order <= 10; ++order) {
    const SigmaPoints set = gauss_hermite(1, order);
    double moment = 1.0;
    for (int power = 2; power < 2 * order; power += 2) {
      moment *= power - 1;
      const double sum =
          set.mean_weights.dot(set.points.row(0).transpose().array().pow(power).matrix());
      EXPECT_NEAR(sum, moment, 100 * order * kEps * moment) << order << " " << power;
    }
  }
}

TEST(SigmaPointsTest, ComplementIsOrthonormalToConstantsAndPoints) {
  for (const SigmaPoints& set : {spherical_simplex(3), spherical_simplex(1), unscented(4),
                                 cubature(3), gauss_hermite(2, 3)}) {
    const Eigen::MatrixXd rest = complement(set);
    ASSERT_EQ(rest.rows(), set.count() - set.states() - 1);
    const Eigen::VectorXd inverse = set.mean_weights.cwiseInverse();
    EXPECT_TRUE(matrices_near(rest * Eigen::VectorXd::Ones(set.count()),
                              Eigen::VectorXd::Zero(rest.rows()), {.abs = 20 * kEps}));
    EXPECT_TRUE(matrices_near(rest * set.points.transpose(),
                              Eigen::MatrixXd::Zero(rest.rows(), set.states()),
                              {.abs = 20 * kEps}));
    EXPECT_TRUE(matrices_near(rest * inverse.asDiagonal() * rest.transpose(),
                              Eigen::MatrixXd::Identity(rest.rows(), rest.rows()),
                              {.abs = 40 * kEps}));
  }
}

TEST(SigmaPointsTest, BadInputNamesTheCulprit) {
  EXPECT_THAT(message_of([] { (void)spherical_simplex(0); }), testing::HasSubstr("n must be"));
  EXPECT_THAT(message_of([] { (void)spherical_simplex(2, 1.0); }),
              testing::HasSubstr("central_weight must be below 1"));
  EXPECT_THAT(message_of([] { (void)spherical_simplex(2, -0.1); }),
              testing::HasSubstr("central_weight"));
  EXPECT_THAT(message_of([] { (void)unscented(2, {.kappa = -2.0}); }),
              testing::HasSubstr("n + kappa"));
  EXPECT_THAT(message_of([] { (void)gauss_hermite(12, 5); }), testing::HasSubstr("order^n"));
  EXPECT_THAT(message_of([] { (void)complement(unscented(3, {.kappa = -1.0})); }),
              testing::HasSubstr("must not be negative, got -0.5"));
  EXPECT_THAT(message_of([] { (void)complement(unscented(3, {.beta = 2.0})); }),
              testing::HasSubstr("two sets"));
}

}  // namespace alembert::estimate::sigma_points_test
