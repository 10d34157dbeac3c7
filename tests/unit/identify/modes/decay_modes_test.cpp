#include "alembert/identify/modes/decay_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/model/modes.hpp"
#include "support/message_of.hpp"
#include "unit/identify/modes/modal_systems.hpp"

namespace alembert::identify::decay_modes_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using test::KnownMode;

constexpr double kStep = 0.004;
constexpr Index kTap = 250;

std::vector<KnownMode> three_modes() {
  return test::random_modes({7.0, 23.0, 41.0}, {0.004, 0.006, 0.003}, 3, 2, 17);
}

// Quiet for a second, then a tap: each mode starts with its own size, and decays.
MatrixXd tapped(const std::vector<KnownMode>& modes, Index place, double noise, std::uint64_t seed,
                double hum = 0.0) {
  RandomStream random(seed);
  const Index samples = 2000;
  MatrixXd y = MatrixXd::Zero(samples, modes.front().outputs.size());
  for (const KnownMode& mode : modes) {
    for (Index k = kTap; k < samples; ++k) {
      const double t = kStep * static_cast<double>(k - kTap);
      y.row(k) +=
          (mode.inputs(place) * std::exp(mode.pole() * t)).imag() * mode.outputs.transpose();
    }
  }
  for (Index k = 0; k < samples; ++k) {
    const double t = kStep * static_cast<double>(k);
    y.row(k).array() += hum * std::sin(2.0 * std::numbers::pi * 50.0 * t);
    for (Index o = 0; o < y.cols(); ++o) y(k, o) += noise * random.normal();
  }
  return y;
}

// 10 pairs of taps x 3 modes x 2 numbers: those within 1.96 deviations are binomial(60, 0.95);
// below 50 with probability 4e-4 (deviations from 30 blocks widen the tails a little).
TEST(IdentifyDecayModes, FindsTheModesOfTwoTapsAndTheirDeviationsCover) {
  const auto truth = three_modes();
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const DecayModes found = identify_decay_modes(
        {tapped(truth, 0, 0.01, seed), tapped(truth, 1, 0.01, 100 + seed)}, kStep);
    ASSERT_TRUE(found.ok()) << found.message;
    ASSERT_EQ(found.modes.size(), 3u) << seed;
    EXPECT_TRUE(found.harmonics.empty());
    for (std::size_t r = 0; r < 3; ++r) {
      const Mode& mode = found.modes[r];
      covered +=
          std::abs(mode.frequency_hz - truth[r].frequency_hz) < 1.96 * mode.frequency_deviation;
      covered +=
          std::abs(mode.damping_ratio - truth[r].damping_ratio) < 1.96 * mode.damping_deviation;
      EXPECT_NEAR(mode.frequency_hz, truth[r].frequency_hz, 1e-3 * truth[r].frequency_hz);
      EXPECT_GT(model::mac(mode.shape, truth[r].outputs.cast<Complex>()), 0.999);
    }
  }
  EXPECT_GE(covered, 50);
}

// A hum of 50 Hz is there before the tap and does not decay: it is named, and is no mode.
TEST(IdentifyDecayModes, NamesASteadyVibration) {
  const auto truth = three_modes();
  const DecayModes found = identify_decay_modes({tapped(truth, 0, 0.01, 4, 0.3)}, kStep);
  ASSERT_EQ(found.modes.size(), 3u);
  ASSERT_EQ(found.harmonics.size(), 1u);
  EXPECT_NEAR(found.harmonics.front().frequency_hz, 50.0, 0.01);
  EXPECT_FALSE(found.harmonics.front().remark.empty());
}

// With an upper end far below half the sampling rate the records are decimated: 250 Hz is more
// than 2.5 times what 30 Hz need. The mode at 41 Hz is then filtered away.
TEST(IdentifyDecayModes, DecimatesToTheBand) {
  const auto truth = three_modes();
  const DecayModes found =
      identify_decay_modes({tapped(truth, 0, 0.001, 5)}, kStep, {.to_hz = 30.0});
  EXPECT_EQ(found.decimation, 3);
  ASSERT_EQ(found.modes.size(), 2u);
  for (std::size_t r = 0; r < 2; ++r) {
    // Four deviations of 2 x 2 numbers: beyond by chance with probability 3e-4.
    EXPECT_NEAR(found.modes[r].frequency_hz, truth[r].frequency_hz,
                4.0 * found.modes[r].frequency_deviation + 1e-5 * truth[r].frequency_hz);
    EXPECT_NEAR(found.modes[r].damping_ratio, truth[r].damping_ratio,
                4.0 * found.modes[r].damping_deviation + 1e-3 * truth[r].damping_ratio);
  }
}

TEST(IdentifyDecayModes, FindsNothingInNoise) {
  RandomStream random(9);
  const MatrixXd y = random.normal_vector(2 * 2000).reshaped(2000, 2);
  const DecayModes found = identify_decay_modes({y}, kStep, {.start = 0.0, .length = 2.0});
  EXPECT_TRUE(found.status == Status::NotIdentifiable || found.modes.empty());
}

TEST(IdentifyDecayModes, RefusesWhatItCannotUse) {
  MatrixXd y = tapped(three_modes(), 0, 0.01, 1);
  EXPECT_NE(test::message_of([&] {
              (void)identify_decay_modes({y}, kStep, {.length = 0.1});
            }).find("the decay of record 1 must have at least 64 samples"),
            std::string::npos);
  y.col(1).setConstant(4.0);
  EXPECT_NE(test::message_of([&] {
              (void)identify_decay_modes({y}, kStep);
            }).find("response 2 must not be constant"),
            std::string::npos);
}

}  // namespace
}  // namespace alembert::identify::decay_modes_test
