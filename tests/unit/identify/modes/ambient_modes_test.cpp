#include "alembert/identify/modes/ambient_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/model/modes.hpp"
#include "identify/modes/ambient/stochastic_orders.hpp"
#include "support/message_of.hpp"
#include "unit/identify/modes/modal_systems.hpp"

namespace alembert::identify::ambient_modes_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using modes::AmbientOrder;
using modes::AmbientPole;
using modes::BlockCovariances;
using test::KnownMode;

constexpr double kStep = 0.01;

std::vector<KnownMode> three_modes() {
  return test::random_modes({5.0, 12.0, 27.0}, {0.01, 0.02, 0.015}, 4, 4, 41);
}

// R_k = Σ_r Re φ_r g_rᵀ z_r^k: covariances of exactly three modes.
BlockCovariances exact_covariances(const std::vector<KnownMode>& modes, Index lags) {
  BlockCovariances all{.outputs = 4, .references = 4, .lags = lags, .mean = {}, .deviations = {}};
  all.mean = MatrixXd::Zero(16, lags);
  for (Index k = 1; k <= lags; ++k) {
    MatrixXd R = MatrixXd::Zero(4, 4);
    for (const KnownMode& mode : modes) {
      const Complex power = std::exp(mode.pole() * (kStep * static_cast<double>(k)));
      R += power.real() * mode.outputs * mode.inputs.transpose();
      R += 0.3 * power.imag() * mode.outputs * mode.outputs.transpose();
    }
    all.mean.col(k - 1) = R.reshaped();
  }
  return all;
}

// Exact covariances have exact poles, to rounding times the condition of the Hankel matrix.
TEST(StochasticOrders, FindsThePolesOfExactCovariances) {
  const auto modes = three_modes();
  BlockCovariances covariances = exact_covariances(modes, 39);
  covariances.deviations = {MatrixXd::Zero(16, 39)};
  const modes::StochasticOrders orders(covariances, 20, 6);
  const AmbientOrder found = orders.poles(6, kStep, 0.15);
  ASSERT_EQ(found.poles.size(), 3u);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(found.poles[r].frequency_hz, modes[r].frequency_hz, 1e-8);
    EXPECT_NEAR(found.poles[r].damping_ratio, modes[r].damping_ratio, 1e-8);
    EXPECT_GT(model::mac(found.poles[r].shape, modes[r].outputs.cast<Complex>()), 1.0 - 1e-9);
  }
}

// The deviations of one block are |df| and |dζ| of a change of the covariances by that block: first
// derivatives against the change itself, whose second order is 1e-6 of the first here.
TEST(StochasticOrders, DeviationsAreFirstDerivatives) {
  const auto modes = three_modes();
  BlockCovariances covariances = exact_covariances(modes, 39);
  RandomStream random(6);
  const MatrixXd change = 1e-7 * random.normal_vector(16 * 39).reshaped(16, 39);
  covariances.deviations = {change};
  const AmbientOrder before = modes::StochasticOrders(covariances, 20, 6).poles(6, kStep, 0.15);
  BlockCovariances moved = covariances;
  moved.mean += change;
  const AmbientOrder after = modes::StochasticOrders(moved, 20, 6).poles(6, kStep, 0.15);
  ASSERT_EQ(before.poles.size(), 3u);
  ASSERT_EQ(after.poles.size(), 3u);
  for (std::size_t r = 0; r < 3; ++r) {
    const AmbientPole& a = before.poles[r];
    const AmbientPole& b = after.poles[r];
    EXPECT_NEAR(a.frequency_deviation, std::abs(b.frequency_hz - a.frequency_hz),
                1e-3 * a.frequency_deviation);
    EXPECT_NEAR(a.damping_deviation, std::abs(b.damping_ratio - a.damping_ratio),
                1e-3 * a.damping_deviation);
  }
}

// Modes that white noise drives, each by a noise of its own, with 10 % of sensor noise.
MatrixXd ambient_record(const std::vector<KnownMode>& modes, Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd y = MatrixXd::Zero(samples, modes.front().outputs.size());
  for (const KnownMode& mode : modes) {
    const Complex z = std::exp(mode.pole() * kStep);
    const double scale = std::sqrt(1.0 - std::norm(z));
    Complex x = 0.0;
    for (Index k = -2000; k < samples; ++k) {  // 2000 samples to settle
      if (k >= 0) y.row(k) += x.real() * mode.outputs.transpose();
      x = z * x + scale * random.normal();
    }
  }
  for (Index o = 0; o < y.cols(); ++o) y.col(o) += 0.1 * random.normal_vector(samples);
  return y;
}

// 8 records x 3 modes x 2 numbers: those within 1.96 deviations are binomial(48, 0.95); below 40
// with probability 5e-4, and the deviations come from 16 blocks only.
TEST(IdentifyAmbientModes, FindsTheModesAndTheirDeviationsCover) {
  const auto truth = three_modes();
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const AmbientModes found =
        identify_ambient_modes({ambient_record(truth, 16384, seed)}, kStep, {.largest_order = 40});
    ASSERT_TRUE(found.ok()) << found.message;
    ASSERT_EQ(found.modes.size(), 3u) << seed;
    for (std::size_t r = 0; r < 3; ++r) {
      const Mode& mode = found.modes[r];
      covered +=
          std::abs(mode.frequency_hz - truth[r].frequency_hz) < 1.96 * mode.frequency_deviation;
      covered +=
          std::abs(mode.damping_ratio - truth[r].damping_ratio) < 1.96 * mode.damping_deviation;
      EXPECT_NEAR(mode.frequency_hz, truth[r].frequency_hz, 0.01 * truth[r].frequency_hz);
      EXPECT_GT(model::mac(mode.shape, truth[r].outputs.cast<Complex>()), 0.98);
    }
  }
  EXPECT_GE(covered, 40);
}

// Units and gains of channels change shapes by those gains and nothing else.
TEST(IdentifyAmbientModes, GainsOfChannelsMoveNoPole) {
  const auto truth = three_modes();
  const MatrixXd y = ambient_record(truth, 8192, 3);
  VectorXd gains(4);
  gains << 1.0, 1000.0, 1e-3, -2.0;
  const AmbientOptions options{.largest_order = 30};
  const AmbientModes one = identify_ambient_modes({y}, kStep, options);
  const AmbientModes two = identify_ambient_modes({y * gains.asDiagonal()}, kStep, options);
  ASSERT_EQ(one.modes.size(), two.modes.size());
  for (std::size_t r = 0; r < one.modes.size(); ++r) {
    EXPECT_NEAR(one.modes[r].frequency_hz, two.modes[r].frequency_hz, 1e-7);
    const Eigen::VectorXcd scaled = gains.cast<Complex>().cwiseProduct(one.modes[r].shape);
    EXPECT_GT(model::mac(scaled, two.modes[r].shape), 1.0 - 1e-9);
  }
}

TEST(IdentifyAmbientModes, FindsNothingInNoise) {
  RandomStream random(9);
  const MatrixXd y = random.normal_vector(3 * 16384).reshaped(16384, 3);
  const AmbientModes found = identify_ambient_modes({y}, kStep);
  EXPECT_TRUE(found.status == Status::NotIdentifiable) << found.modes.size() << " modes";
  EXPECT_TRUE(found.verdict.level == TrustLevel::Bad);
}

TEST(IdentifyAmbientModes, RefusesWhatItCannotUse) {
  MatrixXd y = ambient_record(three_modes(), 2000, 1);
  EXPECT_NE(test::message_of([&] {
              (void)identify_ambient_modes({y.topRows(100).eval()}, kStep);
            }).find("must have at least 792 samples for 99 lags"),
            std::string::npos);
  y.col(2).setConstant(4.0);
  EXPECT_NE(test::message_of([&] {
              (void)identify_ambient_modes({y}, kStep);
            }).find("response 3 must not be constant"),
            std::string::npos);
}

}  // namespace
}  // namespace alembert::identify::ambient_modes_test
