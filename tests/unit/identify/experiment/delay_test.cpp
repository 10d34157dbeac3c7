#include "alembert/identify/delay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {
namespace delay_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kSamples = 1500;

// Sum of sines of 20 to 100 samples, at k - late.
VectorXd motion(double late, int which = 0) {
  VectorXd values(kSamples);
  for (Index k = 0; k < kSamples; ++k) {
    const double t = static_cast<double>(k) - late;
    values(k) = std::sin(2.0 * std::numbers::pi * t / (20.0 + which)) +
                std::cos(2.0 * std::numbers::pi * t / 47.0 + which) +
                0.5 * std::sin(2.0 * std::numbers::pi * t / 101.0);
  }
  return values;
}

// AR(1) of variance 1 with this time constant in samples; 0: white.
VectorXd noise(double time_constant, RandomStream& random) {
  const double a = time_constant > 0.0 ? std::exp(-1.0 / time_constant) : 0.0;
  VectorXd values = random.normal_vector(kSamples);
  for (Index k = 1; k < kSamples; ++k) {
    values(k) = a * values(k - 1) + std::sqrt(1.0 - a * a) * values(k);
  }
  return values;
}

// y = g ŷ(t - late) + e with the gain g and a constant fitted: residuals and Jacobian of those.
optimize::ColouredBlock fitted(const VectorXd& y, const VectorXd& predicted, int channel) {
  MatrixXd J(kSamples, 2);
  J << predicted, VectorXd::Ones(kSamples);
  const VectorXd found = Eigen::HouseholderQR<MatrixXd>(J).solve(y);
  MatrixXd wide = MatrixXd::Zero(kSamples, 4);
  wide.middleCols(2 * channel, 2) = J;
  return {.jacobian = wide, .residual = y - J * found, .channel = channel};
}

Delays delays_of(double late, double size, double time_constant, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<optimize::ColouredBlock> blocks;
  std::vector<VectorXd> predicted;
  for (int i = 0; i < 2; ++i) {
    predicted.push_back(motion(0.0, i));
    // The first output alone is late.
    const VectorXd y = motion(i == 0 ? late : 0.0, i) + size * noise(time_constant, random);
    blocks.push_back(fitted(y, predicted.back(), i));
  }
  return estimate_delays(blocks, predicted, 2);
}

TEST(EstimateDelays, FindsOneSampleInWhiteAndInColouredNoise) {
  for (const double time_constant : {0.0, 10.0, 75.0}) {
    const Delays found = delays_of(1.0, 0.1, time_constant, 3);
    ASSERT_EQ(found.outputs.size(), 2U);
    EXPECT_TRUE(found.outputs[0].beyond_chance(1e-3)) << time_constant;
    // sin(2π/20)/(2π/20) = 0.984 of the fastest part is seen by central differences; 4 deviations.
    EXPECT_NEAR(found.outputs[0].samples, 1.0, 0.02 + 4.0 * found.outputs[0].deviation);
    EXPECT_FALSE(found.outputs[1].beyond_chance(1e-3)) << time_constant;
  }
}

TEST(EstimateDelays, EarlyOnesAreNegativeAndFractionsAreSeen) {
  const DelayEstimate early = delays_of(-0.4, 0.05, 0.0, 5).outputs[0];
  EXPECT_NEAR(early.samples, -0.4, 0.01 + 4.0 * early.deviation);
  EXPECT_TRUE(early.beyond_chance(1e-3));
}

// 60 sound records with two outputs each, of which chance passes 1 % of 120: 1.2, deviation 1.1.
TEST(EstimateDelays, ColourRaisesNoAlarm) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const double time_constant : {0.0, 10.0, 75.0}) {
      for (const DelayEstimate& one : delays_of(0.0, 0.3, time_constant, 100 + seed).outputs) {
        alarms += one.beyond_chance(0.01) ? 1 : 0;
      }
    }
  }
  EXPECT_LE(alarms, 1.2 + 4.0 * 1.1);
}

TEST(EstimateDelays, NothingIsKnownOfAMotionThatDoesNotChange) {
  std::vector<optimize::ColouredBlock> blocks;
  RandomStream random(1);
  const VectorXd still = VectorXd::Ones(kSamples);
  const VectorXd y = still + 0.1 * random.normal_vector(kSamples);
  blocks.push_back({.jacobian = still, .residual = y.array() - y.mean()});
  const Delays found = estimate_delays(blocks, {still}, 1);
  for (const DelayEstimate& one : found.outputs) EXPECT_FALSE(one.beyond_chance(0.5));
  EXPECT_FALSE(found.common.beyond_chance(0.5));
}

}  // namespace delay_test
}  // namespace alembert::identify
