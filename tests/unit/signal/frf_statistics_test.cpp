#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/signal/frf_support.hpp"

namespace alembert::signal {
namespace frf_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::HasSubstr;

// Statistics of errors in units of the reported deviation, over independent lines: the mean of
// squares of m normal numbers is 1 ± 4 √(2/m); the deviation itself is estimated from n averages,
// which adds (n-p)^-1/2 relative to it, so the bound is widened by t-distribution tails 1/(n-2).
struct Honesty {
  double magnitude = 0.0;
  double phase = 0.0;
  double count = 0.0;

  void add(const FrfResult& frf, std::size_t k, Eigen::Index i, Eigen::Index j, Complex truth) {
    const Complex H = frf.response[k](i, j);
    magnitude += std::pow((std::abs(H) - std::abs(truth)) / frf.magnitude_deviation[k](i, j), 2);
    phase += std::pow(std::arg(H / truth) / frf.phase_deviation[k](i, j), 2);
    count += 1.0;
  }
  void expect_one(double averages) const {
    const double bound = 4.0 * std::sqrt(2.0 / count) + 3.0 / averages;
    EXPECT_NEAR(magnitude / count, 1.0, bound);
    EXPECT_NEAR(phase / count, 1.0, bound);
  }
};

TEST(EstimateFrf, DeviationsAreHonestWithOutputNoise) {
  for (const double overlap : {0.0, 0.5}) {
    Honesty honesty;
    double effective = 0.0;
    for (std::uint64_t run = 0; run < 10; ++run) {
      const Eigen::VectorXd u = white(20480, 100 + run);
      const Eigen::VectorXd y = kShort(u) + 0.5 * white(20480, 200 + run);
      const FrfResult frf =
          estimate_frf({{u, y}}, kStep, {.welch = {.segment_samples = 512, .overlap = overlap}});
      effective = frf.averaging.effective;
      for (std::size_t k = 4; k < 252; k += 4) {
        honesty.add(frf, k, 0, 0, kShort.response(frf.frequencies_hz(static_cast<int>(k))));
      }
    }
    honesty.expect_one(effective);
  }
}

TEST(EstimateFrf, DeviationsAreHonestWithTwoCorrelatedInputs) {
  Honesty honesty;
  const Filter other{0.0, 0.0, -0.7, 0.2};
  for (std::uint64_t run = 0; run < 8; ++run) {
    Eigen::MatrixXd u(25600, 2);
    u.col(0) = white(25600, 300 + run);
    u.col(1) = 0.6 * u.col(0) + white(25600, 400 + run);
    const Eigen::VectorXd y = kShort(u.col(0)) + other(u.col(1)) + 0.5 * white(25600, 500 + run);
    const FrfResult frf =
        estimate_frf({{u, y}}, kStep, {.welch = {.segment_samples = 512, .overlap = 0.0}});
    for (std::size_t k = 4; k < 252; k += 4) {
      const double f = frf.frequencies_hz(static_cast<Eigen::Index>(k));
      honesty.add(frf, k, 0, 0, kShort.response(f));
      honesty.add(frf, k, 0, 1, other.response(f));
    }
  }
  honesty.expect_one(50.0);
}

TEST(EstimateFrf, DeviationsAreHonestForPeriodicRecords) {
  Honesty honesty;
  const Eigen::Index period = 200;
  for (std::uint64_t run = 0; run < 20; ++run) {
    const Eigen::VectorXd clean = periodic(31 * period, period, 600 + run);
    const Eigen::VectorXd u = clean + 0.1 * white(clean.size(), 700 + run);
    const Eigen::VectorXd y = kShort(clean) + 0.2 * white(clean.size(), 800 + run);
    const FrfResult frf = estimate_frf({{u, y}}, kStep, {.period_samples = period});
    for (std::size_t k = 1; k < 100; ++k) {
      honesty.add(frf, k, 0, 0, kShort.response(frf.frequencies_hz(static_cast<int>(k))));
    }
  }
  honesty.expect_one(30.0);
}

// Mean of estimates over all lines, in units of the true response; 4 standard deviations of that
// mean from the reported ones.
struct Bias {
  double mean = 0.0;
  double bound = 0.0;
};

Bias mean_ratio(const FrfResult& frf, const Filter& filter) {
  Complex sum = 0.0;
  double variance = 0.0;
  double count = 0.0;
  for (Eigen::Index k = 4; k + 4 < frf.frequencies_hz.size(); k += 4) {
    const auto line = static_cast<std::size_t>(k);
    const Complex truth = filter.response(frf.frequencies_hz(k));
    sum += at(frf, line) / truth;
    variance += std::pow(frf.magnitude_deviation[line](0, 0) / std::abs(truth), 2);
    count += 1.0;
  }
  return {sum.real() / count, 4.0 * std::sqrt(variance) / count};
}

// Input noise of power 0.5 on an input of power 1: H1 is low by 1/1.5, H2 is right, and H2 with
// output noise is high by 1 + noise/|H|² (here |H| = 1).
TEST(EstimateFrf, H1AndH2AreEachUnbiasedWithTheirNoise) {
  const Eigen::VectorXd u = white(200000, 5);
  const Eigen::VectorXd e = std::sqrt(0.5) * white(200000, 6);
  const Filter gain{};
  const WelchOptions welch{.segment_samples = 256};
  const auto estimate = [&](const Eigen::VectorXd& in, const Eigen::VectorXd& out,
                            FrfEstimator estimator) {
    return mean_ratio(estimate_frf({{in, out}}, kStep, {.estimator = estimator, .welch = welch}),
                      gain);
  };
  const Bias h1_in = estimate(u + e, u, FrfEstimator::H1);
  EXPECT_NEAR(h1_in.mean, 1.0 / 1.5, h1_in.bound);
  const Bias h2_in = estimate(u + e, u, FrfEstimator::H2);
  EXPECT_NEAR(h2_in.mean, 1.0, h2_in.bound);
  const Bias h1_out = estimate(u, u + e, FrfEstimator::H1);
  EXPECT_NEAR(h1_out.mean, 1.0, h1_out.bound);
  const Bias h2_out = estimate(u, u + e, FrfEstimator::H2);
  EXPECT_NEAR(h2_out.mean, 1.5, h2_out.bound);
  // The bounds tell the cases apart.
  EXPECT_LT(h2_out.bound, 0.05);
}

TEST(EstimateFrf, HvIsUnbiasedWithNoiseOnBothSides) {
  const Eigen::VectorXd u = white(200000, 7);
  const Eigen::VectorXd in = u + 0.3 * white(200000, 8);
  const Eigen::VectorXd out = 2.0 * u + 0.9 * white(200000, 9);
  FrfOptions options{.estimator = FrfEstimator::Hv, .welch = {.segment_samples = 256}};
  options.input_sigma = Eigen::VectorXd::Constant(1, 0.3);
  options.output_sigma = Eigen::VectorXd::Constant(1, 0.9);
  const Filter gain{.b0 = 2.0};
  const Bias known = mean_ratio(estimate_frf({{in, out}}, kStep, options), gain);
  EXPECT_NEAR(known.mean, 1.0, known.bound);
  options.estimator = FrfEstimator::H1;
  EXPECT_LT(mean_ratio(estimate_frf({{in, out}}, kStep, options), gain).mean, 1.0 - known.bound);
  options.estimator = FrfEstimator::H2;
  EXPECT_GT(mean_ratio(estimate_frf({{in, out}}, kStep, options), gain).mean, 1.0 + known.bound);
}

// γ² = 1/(1 + noise/signal). Estimated from n averages it is biased by (1-γ²)²/n and scatters by
// √(2γ²/n) (1-γ²) [BendatPiersol2010].
TEST(EstimateFrf, CoherenceOfKnownSignalToNoiseRatio) {
  const Eigen::VectorXd u = white(100000, 10);
  for (const double noise : {0.1, 1.0, 3.0}) {
    const Eigen::VectorXd y = u + std::sqrt(noise) * white(100000, 11);
    const FrfResult frf =
        estimate_frf({{u, y}}, kStep, {.welch = {.segment_samples = 500, .overlap = 0.0}});
    double sum = 0.0;
    double count = 0.0;
    for (Eigen::Index k = 4; k < 248; k += 4) {
      sum += frf.multiple_coherence(k, 0);
      count += 1.0;
      const auto line = static_cast<std::size_t>(k);
      EXPECT_NEAR(frf.ordinary_coherence[line](0, 0), frf.multiple_coherence(k, 0), 100 * kEps);
    }
    const double g = 1.0 / (1.0 + noise);
    const double n = frf.averaging.effective;
    const double bias = (1.0 - g) * (1.0 - g) / n;
    const double scatter = std::sqrt(2.0 * g / n) * (1.0 - g);
    EXPECT_NEAR(sum / count, g + bias, 4.0 * scatter / std::sqrt(count)) << noise;
  }
}

// The published relative deviation of |H|, √((1-γ²)/(2nγ²)), with n-1 for n.
TEST(EstimateFrf, DeviationOfOneInputFollowsCoherence) {
  const Eigen::VectorXd u = white(20000, 12);
  const Eigen::VectorXd y = kShort(u) + white(20000, 13);
  for (const FrfEstimator estimator : {FrfEstimator::H1, FrfEstimator::H2, FrfEstimator::Hv}) {
    const FrfResult frf =
        estimate_frf({{u, y}}, kStep, {.estimator = estimator, .welch = {.segment_samples = 400}});
    const double n = frf.averaging.effective;
    for (Eigen::Index k = 0; k <= 200; ++k) {
      const auto line = static_cast<std::size_t>(k);
      const double g = frf.multiple_coherence(k, 0);
      const double real_line = k == 0 || k == 200 ? 2.0 : 1.0;
      const double expected = std::sqrt(real_line * (1.0 - g) / (2.0 * (n - 1.0) * g));
      EXPECT_NEAR(frf.magnitude_deviation[line](0, 0) / std::abs(at(frf, line)), expected,
                  1e4 * kEps);
      EXPECT_NEAR(frf.phase_deviation[line](0, 0), std::min(expected, kPi / std::sqrt(3.0)),
                  1e4 * kEps);
    }
  }
}

}  // namespace frf_test
}  // namespace alembert::signal
