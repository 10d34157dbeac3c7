#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/estimate/judge.hpp"

namespace alembert::test::compare_with_truth_test {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using estimate::CorrelatedSquares;
using estimate::judge_correlated_squares;

// x_k = a x_{k-1} + √(1 − a²) e_k, variance 1, n rows.
MatrixXd correlated_noise(double a, Index rows, Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd x(rows, samples);
  for (Index i = 0; i < rows; ++i) {
    double value = random.normal();
    for (Index k = 0; k < samples; ++k) {
      x(i, k) = value;
      value = a * value + std::sqrt(1.0 - a * a) * random.normal();
    }
  }
  return x;
}

TEST(JudgeCorrelatedSquares, WhiteOnesCountAlmostAll) {
  const CorrelatedSquares found = judge_correlated_squares(correlated_noise(0.0, 3, 3000, 1));
  EXPECT_TRUE(found.consistent);
  EXPECT_EQ(found.expected, 3.0);
  // Noise of the correlations takes about 10 n of N.
  EXPECT_GT(found.effective_samples, 0.97 * 3000.0);
}

// Squares of a Gaussian AR(1) have correlations a^2l: N_eff = N (1 − a²)/(1 + a²).
TEST(JudgeCorrelatedSquares, CountsCorrelatedOnesByTheirCorrelation) {
  const Index samples = 20000;
  for (const double a : {0.5, 0.9, 0.97}) {
    const CorrelatedSquares found = judge_correlated_squares(correlated_noise(a, 2, samples, 7));
    const double expected = static_cast<double>(samples) * (1.0 - a * a) / (1.0 + a * a);
    // Above 4096 samples every fifth is taken, which cannot see more than 4000.
    const double most = std::min(expected, 4000.0);
    // The relative error of a correlation time with this window is √(4 · 5 τ/N) at most, 0.18.
    EXPECT_NEAR(found.effective_samples, most, 0.25 * most) << a;
  }
}

// The band holds in about 95 of 100 records; 3 standard deviations of 200 trials are 0.046, and the
// number of independent samples is itself an estimate.
TEST(JudgeCorrelatedSquares, BandHoldsAsOftenAsItSays) {
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const CorrelatedSquares found = judge_correlated_squares(correlated_noise(0.95, 3, 1500, seed));
    inside += found.consistent ? 1 : 0;
  }
  EXPECT_GE(inside, 176);
}

TEST(JudgeCorrelatedSquares, FindsErrorsTwiceTooLargeAndTooSmall) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const MatrixXd noise = correlated_noise(0.9, 3, 2000, seed);
    EXPECT_GT(judge_correlated_squares(2.0 * noise).average,
              judge_correlated_squares(2.0 * noise).upper);
    EXPECT_LT(judge_correlated_squares(0.5 * noise).average,
              judge_correlated_squares(0.5 * noise).lower);
  }
}

TEST(JudgeCorrelatedSquares, RefusesWhatItCannotJudge) {
  EXPECT_THROW((void)judge_correlated_squares(MatrixXd::Zero(2, 1)), InvalidInput);
  EXPECT_THROW((void)judge_correlated_squares(MatrixXd::Constant(2, 9, std::nan(""))),
               InvalidInput);
  EXPECT_THROW((void)judge_correlated_squares(MatrixXd::Zero(2, 9), 1.0), InvalidInput);
}

/// A linear Kalman filter of position and velocity beside the truth that it assumes: the errors are
/// Gaussian with the covariances that it reports, so that their NEES has mean 2.
struct LinearCase {
  estimate::KinematicEstimate estimate;
  estimate::KnownMotion truth;
};

// `told`: the part of the true process noise that the filter is told of.
LinearCase linear_case(std::uint64_t seed, double told) {
  const Index samples = 800;
  const double step = 0.1;
  const double sigma = 0.3;
  RandomStream random(seed);
  Matrix2d F;
  F << 1.0, step, 0.0, 1.0;
  const Vector2d G(0.5 * step * step, step);
  Matrix2d P = Matrix2d::Identity();
  Vector2d x(random.normal(), random.normal());  // the filter starts at 0 with this covariance
  Vector2d mean = Vector2d::Zero();
  LinearCase made;
  made.estimate.mean.resize(samples, 2);
  made.estimate.deviation.resize(samples, 2);
  made.truth.columns = {"q", "v"};
  made.truth.values.resize(samples, 2);
  for (Index k = 0; k < samples; ++k) {
    x = F * x + G * random.normal();
    mean = F * mean;
    P = F * P * F.transpose() + told * G * G.transpose();
    const double S = P(0, 0) + sigma * sigma;
    const Vector2d K = P.col(0) / S;
    mean += K * (x(0) + sigma * random.normal() - mean(0));
    const Eigen::RowVector2d row = P.row(0);
    P -= K * row;
    P = 0.5 * (P + P.transpose()).eval();
    made.truth.values.row(k) = x.transpose();
    made.estimate.mean.row(k) = mean.transpose();
    made.estimate.deviation.row(k) = P.diagonal().cwiseSqrt().transpose();
    made.estimate.covariances.push_back(P);
  }
  return made;
}

const std::vector<estimate::StateColumn>& two_states() {
  static const std::vector<estimate::StateColumn> states = {
      {.name = "q", .column = "q", .unit = "m"},
      {.name = "q'", .column = "v", .unit = "m/s", .derivative = 1}};
  return states;
}

TEST(CompareWithTruth, LinearGaussianFilterIsConsistent) {
  double sum = 0.0;
  double effective = 0.0;
  int inside = 0;
  const int runs = 60;
  for (int run = 1; run <= runs; ++run) {
    const LinearCase made = linear_case(static_cast<std::uint64_t>(run), 1.0);
    const auto report = compare_with_truth(made.estimate, two_states(), made.truth, 100);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->samples, 700);
    ASSERT_EQ(report->states.size(), 2U);
    sum += report->joint.average / runs;
    effective += report->joint.effective_samples;
    inside += report->joint.consistent ? 1 : 0;
  }
  // Mean n = 2 with variance 2n/N_eff over all runs: 4 standard deviations.
  EXPECT_NEAR(sum, 2.0, 4.0 * std::sqrt(4.0 / effective));
  EXPECT_GE(inside, 50);  // 57 expected; 4 standard deviations are 6.8
}

// A filter that is told of a hundredth of the process noise is far too sure.
TEST(CompareWithTruth, FindsAFilterThatIsTooSure) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const LinearCase made = linear_case(seed, 0.01);
    const auto report = compare_with_truth(made.estimate, two_states(), made.truth, 100);
    ASSERT_TRUE(report.has_value());
    EXPECT_GT(report->joint.average, report->joint.upper) << seed;
    EXPECT_LT(report->states[1].covered, 0.9) << seed;
  }
}

// With correlated errors the joint NEES is not the sum of the single ones: eᵀP⁻¹e by hand.
TEST(CompareWithTruth, JointSquaresUseTheWholeCovariance) {
  LinearCase made = linear_case(3, 1.0);
  const auto report = compare_with_truth(made.estimate, two_states(), made.truth, 0);
  ASSERT_TRUE(report.has_value());
  double sum = 0.0;
  for (Index k = 0; k < 800; ++k) {
    const Vector2d e = (made.estimate.mean.row(k) - made.truth.values.row(k)).transpose();
    const MatrixXd& P = made.estimate.covariances[static_cast<std::size_t>(k)];
    const double det = P(0, 0) * P(1, 1) - P(0, 1) * P(1, 0);
    sum += (P(1, 1) * e(0) * e(0) - 2.0 * P(0, 1) * e(0) * e(1) + P(0, 0) * e(1) * e(1)) / det;
  }
  EXPECT_NEAR(report->joint.average, sum / 800.0, 1e-10 * sum / 800.0);  // rounding
  const double single = report->states[0].nees.average + report->states[1].nees.average;
  EXPECT_GT(std::abs(report->joint.average - single), 0.01);
}

TEST(CompareWithTruth, PassesOverWhatIsNotKnown) {
  LinearCase made = linear_case(5, 1.0);
  made.truth.columns = {"q", "other"};
  made.truth.values.col(0).head(300).setConstant(std::nan(""));
  const auto report = compare_with_truth(made.estimate, two_states(), made.truth, 100);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->samples, 500);
  ASSERT_EQ(report->states.size(), 1U);
  EXPECT_EQ(report->joint.expected, 1.0);
  made.truth.columns = {"something", "other"};
  EXPECT_FALSE(compare_with_truth(made.estimate, two_states(), made.truth, 100).has_value());
  made.estimate.covariances.pop_back();
  EXPECT_THROW((void)compare_with_truth(made.estimate, two_states(), made.truth, 100),
               InvalidInput);
}

}  // namespace alembert::test::compare_with_truth_test
