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
    // The first output alone is late.
    const VectorXd y = motion(i == 0 ? late : 0.0, i) + size * noise(time_constant, random);
    blocks.push_back(fitted(y, motion(0.0, i), i));
    predicted.emplace_back(y - blocks.back().residual);
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

// A walk, as a simulated motion leaves that drifts away from a record.
VectorXd walk(RandomStream& random) {
  VectorXd values = random.normal_vector(kSamples);
  for (Index k = 1; k < kSamples; ++k) values(k) += values(k - 1);
  return values;
}

// The steps of the walk are 0.05, its rms over 1500 samples about 1: least squares alone know the
// delay to a sample or so. Differences of the motion have an rms of about 0.35, so that the steps
// give a deviation of 0.05/(0.35 √1500) = 0.004 samples, and two samples are found by 4 of it.
TEST(EstimateDelays, TwoSamplesAreFoundInResidualsThatDrift) {
  RandomStream random(8);
  const auto delays_in = [&](double late) {
    const VectorXd y = motion(late) + 0.05 * walk(random);
    const optimize::ColouredBlock block = fitted(y, motion(0.0), 0);
    return estimate_delays({block}, {y - block.residual}, 1);
  };
  const Delays found = delays_in(2.0);
  ASSERT_EQ(found.outputs.size(), 1U);
  EXPECT_TRUE(found.outputs[0].beyond_chance(1e-3));
  EXPECT_LT(found.outputs[0].deviation, 0.05);
  // Straight lines between samples miss a sine of 20 samples by (2π/20)²/8 = 1.2 % of it.
  EXPECT_NEAR(found.outputs[0].samples, 2.0, 0.05);
  const Delays none = delays_in(0.0);
  EXPECT_FALSE(none.outputs[0].beyond_chance(1e-3)) << none.outputs[0].samples;
}

// The slope alone gives sin(4 · 2π/20)/(4 · 2π/20) = 0.76 of the fastest sine's delay.
TEST(EstimateDelays, ADelayOfFourSamplesIsFoundWhole) {
  const DelayEstimate found = delays_of(4.0, 0.1, 0.0, 4).outputs[0];
  EXPECT_NEAR(found.samples, 4.0, 0.05 + 4.0 * found.deviation);
}

// A free motion of two outputs, an oscillation with a third harmonic and its rate, with the size,
// the rate of phase and the phase fitted: had all begun later, the phase would take it up.
struct FreeMotion {
  std::vector<VectorXd> predicted;
  std::vector<optimize::ColouredBlock> blocks;
};

FreeMotion free_motion(double late, std::uint64_t seed) {
  constexpr double kRate = 0.1, kThird = 0.2, kNoise = 0.01;
  RandomStream random(seed);
  const auto at = [&](int output, double t, double more) {
    const double phase = kRate * t + more;
    return output == 0 ? std::cos(phase) + kThird * std::cos(3.0 * phase)
                       : -std::sin(phase) - 3.0 * kThird * std::sin(3.0 * phase);
  };
  const auto slope = [&](int output, double t) {
    const double phase = kRate * t;
    return output == 0 ? -std::sin(phase) - 3.0 * kThird * std::sin(3.0 * phase)
                       : -std::cos(phase) - 9.0 * kThird * std::cos(3.0 * phase);
  };
  FreeMotion motion;
  MatrixXd J(2 * kSamples, 3);
  VectorXd y(2 * kSamples), exact(2 * kSamples);
  for (int i = 0; i < 2; ++i) {
    for (Index k = 0; k < kSamples; ++k) {
      const auto t = static_cast<double>(k);
      const Index row = i * kSamples + k;
      exact(row) = at(i, t, 0.0);
      J.row(row) << exact(row), t * slope(i, t), slope(i, t);
      y(row) = at(i, t, i == 1 ? -kRate * late : 0.0) + kNoise * random.normal();
    }
  }
  const VectorXd residual = y - exact;
  const VectorXd found = Eigen::HouseholderQR<MatrixXd>(J).solve(residual);
  for (int i = 0; i < 2; ++i) {
    motion.predicted.push_back(exact.segment(i * kSamples, kSamples));
    const MatrixXd own = J.middleRows(i * kSamples, kSamples);
    motion.blocks.push_back({.jacobian = own,
                             .residual = residual.segment(i * kSamples, kSamples) - own * found,
                             .channel = i});
  }
  return motion;
}

TEST(EstimateDelays, OutputsOfAFreeMotionAreHeldAgainstEachOther) {
  const FreeMotion motion = free_motion(2.0, 6);
  const Delays found = estimate_delays(motion.blocks, motion.predicted, 2);
  EXPECT_EQ(found.reference, 0);
  ASSERT_EQ(found.relative, std::vector<int>{1});
  EXPECT_TRUE(found.outputs[1].beyond_chance(1e-3));
  EXPECT_NEAR(found.outputs[1].samples, 2.0, 0.02 + 4.0 * found.outputs[1].deviation);
  EXPECT_FALSE(found.outputs[0].beyond_chance(0.5));
  EXPECT_FALSE(found.common.beyond_chance(0.5));
}

// What is left of the slope beside the phase is the error of its quotient, (3 · 0.1)²/6 = 1.5 %:
// a fit of that to noise must not be called a delay.
TEST(EstimateDelays, NoDelayOfAllOutputsOfAFreeMotionIsNamed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const FreeMotion motion = free_motion(0.0, 200 + seed);
    const Delays found = estimate_delays(motion.blocks, motion.predicted, 2);
    EXPECT_FALSE(found.common.beyond_chance(1e-3)) << seed;
    for (const DelayEstimate& one : found.outputs) {
      EXPECT_FALSE(one.beyond_chance(1e-4) && std::abs(one.samples) > 0.1) << one.samples;
    }
  }
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
