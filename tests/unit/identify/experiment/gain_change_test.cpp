#include "alembert/identify/slips/gain_change.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/core/random.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {
namespace gain_change_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kSamples = 1000;

// Two outputs, each a sine of its own with gain and offset fitted to it; the second one's readings
// have the gain `later` from the middle on.
struct TwoOutputs {
  std::vector<optimize::ColouredBlock> blocks;
  std::vector<VectorXd> predicted;
};

TwoOutputs two_outputs(double later, double noise, double time_constant, std::uint64_t seed) {
  RandomStream random(seed);
  const double a = time_constant > 0.0 ? std::exp(-1.0 / time_constant) : 0.0;
  TwoOutputs made;
  for (int i = 0; i < 2; ++i) {
    MatrixXd J(kSamples, 2);
    VectorXd e = random.normal_vector(kSamples);
    for (Index k = 1; k < kSamples; ++k) e(k) = a * e(k - 1) + std::sqrt(1.0 - a * a) * e(k);
    for (Index k = 0; k < kSamples; ++k) {
      J(k, 0) = std::sin(0.07 * static_cast<double>(k * (i + 1)));
      J(k, 1) = 1.0;
    }
    VectorXd y = J.col(0) + noise * e;
    if (i == 1) y.tail(kSamples / 2) += (later - 1.0) * J.col(0).tail(kSamples / 2);
    const VectorXd found = Eigen::HouseholderQR<MatrixXd>(J).solve(y);
    MatrixXd wide = MatrixXd::Zero(kSamples, 4);
    wide.middleCols(2 * i, 2) = J;
    made.blocks.push_back({.jacobian = wide, .residual = y - J * found, .channel = i});
    made.predicted.emplace_back(J * found);
  }
  return made;
}

// With the fitted gain g = 1 - 0.25 and the first half as reference: y2/y1 = 0.5 needs δ = 0.25 and
// γ g = -0.5. What is left is the noise: the power falls from 0.25²/2 and the noise of the output
// to that noise alone, 1 + 0.25²/2/noise².
TEST(EstimateGainChanges, HalfTheGainIsFound) {
  const TwoOutputs made = two_outputs(0.5, 0.1, 0.0, 1);
  const std::vector<GainChange> found = estimate_gain_changes(made.blocks, made.predicted, 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[1].part, -0.5 / 0.75, 4.0 * found[1].deviation);
  EXPECT_TRUE(found[1].beyond_chance(1e-3));
  // 1000 squares of noise tell its power to √(2/1000) = 4.5 %; four of that.
  EXPECT_NEAR(found[1].gain, 1.0 + 0.0625 / 2.0 / 0.01, 4.0 * 0.045 * found[1].gain);
  EXPECT_EQ(found[0].deviation, 0.0);
  EXPECT_FALSE(found[0].beyond_chance(0.5));
}

// 1 % of 120 outputs: 1.2, deviation 1.1.
TEST(EstimateGainChanges, ColourRaisesNoAlarm) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const double time_constant : {0.0, 10.0, 50.0}) {
      const TwoOutputs made = two_outputs(1.0, 0.3, time_constant, 50 + seed);
      for (const GainChange& one : estimate_gain_changes(made.blocks, made.predicted, 2)) {
        alarms += one.beyond_chance(0.01) ? 1 : 0;
      }
    }
  }
  EXPECT_LE(alarms, 1.2 + 4.0 * 1.1);
}

TEST(EstimateGainChanges, MissingSamplesDoNotMatter) {
  TwoOutputs made = two_outputs(0.8, 0.05, 0.0, 3);
  made.blocks[1].residual.segment(100, 7).setConstant(std::numeric_limits<double>::quiet_NaN());
  const GainChange found = estimate_gain_changes(made.blocks, made.predicted, 2)[1];
  EXPECT_NEAR(found.part, -0.2 / 0.9, 4.0 * found.deviation);
}

TEST(EstimateGainChanges, NothingIsAskedOfTooFewSamples) {
  const optimize::ColouredBlock few{.jacobian = MatrixXd::Ones(5, 1),
                                    .residual = VectorXd::Ones(5)};
  EXPECT_TRUE(estimate_gain_changes({few}, {VectorXd::Ones(5)}, 1).empty());
}

}  // namespace gain_change_test
}  // namespace alembert::identify
