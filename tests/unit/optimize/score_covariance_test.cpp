#include "alembert/optimize/score_covariance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/linear_algebra.hpp"
#include "alembert/core/random.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace score_covariance_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kEps;
using test::matrices_near;
using testing::HasSubstr;

MatrixXd coloured(Index count, double pole, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd scores(count, 3);
  VectorXd state = VectorXd::Zero(3);
  for (Index t = 0; t < count; ++t) {
    state = pole * state + random.normal_vector(3);
    scores.row(t) = state;
    scores(t, 2) += scores(t, 0);
  }
  return scores;
}

ScoreCovariance summed(const MatrixXd& scores, Index max_lag, Index interrupted = -1) {
  ScoreCovariance result(scores.cols(), max_lag);
  for (Index t = 0; t < scores.rows(); ++t) {
    if (t == interrupted) result.interrupt();
    result.add(VectorXd(scores.row(t)));
  }
  return result;
}

// The definition as a double sum over all pairs.
MatrixXd by_pairs(const MatrixXd& scores, Index lag, Index interrupted) {
  MatrixXd S = MatrixXd::Zero(scores.cols(), scores.cols());
  for (Index t = 0; t < scores.rows(); ++t) {
    for (Index s = 0; s < scores.rows(); ++s) {
      const Index distance = std::abs(t - s);
      const bool apart = (t < interrupted) != (s < interrupted);
      if (distance > lag || apart) continue;
      const double weight = 1.0 - static_cast<double>(distance) / static_cast<double>(lag + 1);
      S += weight * scores.row(t).transpose() * scores.row(s);
    }
  }
  return S;
}

TEST(ScoreCovariance, IsTheWeightedSumOverPairs) {
  const MatrixXd scores = coloured(60, 0.7, 2);
  for (const Index interrupted : {-1, 25}) {
    const ScoreCovariance sums = summed(scores, 9, interrupted);
    EXPECT_EQ(sums.samples(), 60);
    for (const Index lag : {0, 1, 4, 9}) {
      EXPECT_TRUE(matrices_near(sums.covariance(lag), by_pairs(scores, lag, interrupted),
                                {.rel = 600 * kEps}))
          << lag;
    }
  }
}

// Bartlett's weights keep S positive semidefinite.
TEST(ScoreCovariance, IsPositiveSemidefinite) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ScoreCovariance sums = summed(coloured(50, -0.9, seed), 20);
    for (const Index lag : {1, 5, 20}) {
      EXPECT_TRUE(definiteness(sums.covariance(lag)).positive_semidefinite) << seed;
    }
  }
}

// For AR(1) scores the plug-in is L = 1.1447 (4 φ² N/(1 - φ²)²)^(1/3), [Newey and West 1994]; the
// estimate of the sums is rough, hence a factor of 2.
TEST(ScoreCovariance, ChoosesTheLagByTheColour) {
  const Index N = 5000;
  // White: s1/s0 is noise of standard deviation 2 √(Σ l²/N) = 0.48 for lags up to 9; at four of
  // them the lag is 30.
  EXPECT_LE(summed(coloured(N, 0.0, 1), 200).automatic_lag(), 30);
  for (const double phi : {0.8, 0.95}) {
    const double theory = 1.1447 * std::cbrt(4.0 * phi * phi * static_cast<double>(N) /
                                             std::pow(1.0 - phi * phi, 2.0));
    const double lag = static_cast<double>(summed(coloured(N, phi, 1), 200).automatic_lag());
    EXPECT_GT(lag, 0.5 * theory);
    EXPECT_LT(lag, 2.0 * theory);
  }
}

// The plug-in with the autocovariances of one score, by its formula: γ(l) up to n = 4 (N/100)^(2/9)
// and on to the first below 2/√N, s0 = γ(0) + 2 Σ γ(l), s1 = 2 Σ l γ(l), L = 1.1447 (N
// s1²/s0²)^(1/3).
TEST(ScoreCovariance, TheLagIsThatOfItsFormula) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Index N = 700;
    const VectorXd x = coloured(N, 0.85, seed).col(0);
    const auto gamma = [&](Index lag) { return x.head(N - lag).dot(x.tail(N - lag)); };
    const Index n = static_cast<Index>(4.0 * std::pow(7.0, 2.0 / 9.0));
    double s0 = gamma(0), s1 = 0.0;
    for (Index lag = 1; lag <= 100; ++lag) {
      if (lag > n && std::abs(gamma(lag)) < 2.0 / std::sqrt(700.0) * gamma(0)) break;
      s0 += 2.0 * gamma(lag);
      s1 += 2.0 * static_cast<double>(lag) * gamma(lag);
    }
    const double expected = 1.1447 * std::cbrt(s1 / s0 * (s1 / s0) * 700.0);
    ASSERT_LT(expected, 100.0);
    EXPECT_EQ(summed(MatrixXd(x), 100).automatic_lag(), static_cast<Index>(expected)) << seed;
  }
}

TEST(ScoreCovariance, NamesWhatIsWrong) {
  EXPECT_THAT(test::message_of([] { ScoreCovariance(0, 3); }), HasSubstr("parameters"));
  EXPECT_THAT(test::message_of([] { ScoreCovariance(2, -1); }), HasSubstr("max_lag"));
  EXPECT_THAT(test::message_of([] { ScoreCovariance(2, 3).add(VectorXd::Zero(3)); }),
              HasSubstr("score"));
  EXPECT_THAT(test::message_of([] { (void)ScoreCovariance(2, 3).covariance(4); }),
              HasSubstr("lag"));
}

}  // namespace score_covariance_test
}  // namespace alembert::optimize
