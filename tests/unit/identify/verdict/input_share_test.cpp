#include "alembert/identify/input_share.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/not_a_number.hpp"
#include "alembert/core/random.hpp"

namespace alembert::identify {
namespace input_share_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kSamples = 2000;

// x(t) = a x(t-1) + e(t), of unit variance.
VectorXd coloured(Index samples, double a, RandomStream& random) {
  VectorXd values(samples);
  double x = random.normal();
  for (double& value : values) {
    value = x;
    x = a * x + std::sqrt(1.0 - a * a) * random.normal();
  }
  return values;
}

Experiment experiment(const MatrixXd& input, const VectorXd& output) {
  return {.input = input, .output = output, .step = 0.01};
}

TEST(InputShare, OfAFilteredInputIsAll) {
  RandomStream random(3);
  const VectorXd u = random.normal_vector(kSamples);
  // Five taps, one of them ahead of the input.
  VectorXd r = VectorXd::Zero(kSamples);
  for (Index t = 5; t + 2 < kSamples; ++t) r(t) = u(t) - 0.7 * u(t - 3) + 0.2 * u(t - 5) + u(t + 2);
  const InputShare found = input_shares({experiment(u, 3.0 * r)}, {r}).front();
  // The ends, seven of 2000 samples, do not follow the filter.
  EXPECT_GT(found.share, 1.0 - 7.0 / kSamples - 1e-3);
  EXPECT_TRUE(found.beyond_chance());
  EXPECT_NEAR(found.size, std::sqrt(found.excess()) / 3.0, 1e-12);
}

TEST(InputShare, IsThePartOfAMixture) {
  RandomStream random(4);
  const VectorXd u = random.normal_vector(kSamples);
  const VectorXd r = u + 2.0 * random.normal_vector(kSamples);
  const InputShare found = input_shares({experiment(u, r)}, {r}).front();
  // A fifth of the power; a share of s scatters by about 2 √(s(1-s)/N) = 0.018: four of these.
  EXPECT_NEAR(found.excess(), 0.2, 4.0 * 0.018);
}

// Mean and spread over records that have nothing to do with the input: the promise of the header.
TEST(InputShare, OfNoiseIsAsExpectedWhateverItsColour) {
  for (const double colour : {0.0, 0.9, -0.8}) {
    for (const double input_colour : {0.0, 0.9}) {
      double sum = 0.0;
      int alarms = 0;
      constexpr int kRecords = 100;
      for (std::uint64_t seed = 0; seed < kRecords; ++seed) {
        RandomStream random(100 + seed);
        MatrixXd u(kSamples, 2);
        u << coloured(kSamples, input_colour, random), coloured(kSamples, input_colour, random);
        const VectorXd r = coloured(kSamples, colour, random);
        const InputShare found = input_shares({experiment(u, r)}, {r}).front();
        sum += (found.share - found.expected) / found.deviation;
        alarms += found.beyond_chance() ? 1 : 0;
      }
      // The spectrum is estimated from the same residuals and smoothed: half a deviation of bias.
      EXPECT_LT(std::abs(sum / kRecords), 0.5) << colour << ' ' << input_colour;
      EXPECT_EQ(alarms, 0) << colour << ' ' << input_colour;
    }
  }
}

TEST(InputShare, OfAPulseIsFoundBehindIt) {
  RandomStream random(5);
  VectorXd u = VectorXd::Zero(kSamples);
  u.segment(200, 3) << 0.5, 1.0, 0.5;
  VectorXd r = 0.01 * random.normal_vector(kSamples);
  EXPECT_FALSE(input_shares({experiment(u, r)}, {r}).front().beyond_chance());
  for (Index t = 200; t < kSamples; ++t) {
    r(t) += std::exp(-0.1 * static_cast<double>(t - 200)) *
            std::sin(0.8 * static_cast<double>(t - 200));
  }
  const InputShare found = input_shares({experiment(u, r)}, {r}).front();
  EXPECT_TRUE(found.beyond_chance());
  EXPECT_GT(found.excess(), 0.5);
}

TEST(InputShare, TakesMissingSamplesAndSeveralExperiments) {
  RandomStream random(6);
  const VectorXd u = random.normal_vector(kSamples);
  VectorXd r = u;
  r.segment(100, 50).setConstant(kNaN);
  const VectorXd none = random.normal_vector(kSamples);
  const auto found =
      input_shares({experiment(u, r), experiment(random.normal_vector(kSamples), none)}, {r, none});
  // One filter for both experiments: (Σ u r)²/(Σ u² Σ r²) = N²/(2N 2N), less the missing samples,
  // and what 40 lags take of the noise, 40/4000.
  EXPECT_NEAR(found.front().share, 0.25 + 0.01, 0.03);
  EXPECT_EQ(input_shares({experiment(u, r)}, {}).front().share, 0.0) << "no residuals";
}

}  // namespace input_share_test
}  // namespace alembert::identify
