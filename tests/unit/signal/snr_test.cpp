#include "alembert/signal/snr.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace snr_test {

using test::kEps;
using test::message_of;
using testing::HasSubstr;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Eigen::VectorXd sine(Eigen::Index n, double turns_per_sample) {
  Eigen::VectorXd x(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    x(k) = std::sin(2.0 * std::numbers::pi * turns_per_sample * static_cast<double>(k));
  }
  return x;
}

TEST(Snr, AgainstTheTruth) {
  const Eigen::Vector4d x(1.0, -1.0, 1.0, -1.0);
  EXPECT_NEAR(snr_db(x + Eigen::Vector4d(0.1, 0.1, -0.1, 0.1), x), 20.0, 100 * kEps);
  EXPECT_EQ(snr_db(x, x), std::numeric_limits<double>::infinity());
  EXPECT_EQ(snr_db(x, Eigen::Vector4d::Zero()), -std::numeric_limits<double>::infinity());
}

TEST(Snr, MissingSamplesAreLeftOut) {
  const Eigen::Vector4d x(1.0, 50.0, 1.0, -1.0);
  EXPECT_NEAR(snr_db(Eigen::Vector4d(1.1, kMissing, 0.9, -1.1), x), 20.0, 200 * kEps);
}

// Readings that start again after 2 differ from the truth by 0.1 only.
TEST(Snr, ErrorsAreTakenToTheNearestTurn) {
  const Eigen::Vector4d x(1.0, -1.0, 1.0, -1.0);
  const Eigen::Vector4d y(1.1, 0.9, -0.9, 1.1);
  EXPECT_NEAR(snr_db(y, x, 2.0), 20.0, 200 * kEps);
  EXPECT_THAT(message_of([&] { (void)snr_db(y, x, 0.0); }), HasSubstr("snr_db: turn"));
}

// Statistics for all estimates below: σ² from m effectively independent values scatters by
// √(2/m). Differences of order d correlate; the effective number is above n/4 for d <= 8.
TEST(NoiseByDifferences, FindsWhiteNoiseOnASlowSignal) {
  const Eigen::Index n = 20000;
  const double bound = 4.0 * 0.5 * std::sqrt(2.0 * 4.0 / static_cast<double>(n));
  for (const double turns : {0.0005, 0.01, 0.05}) {
    for (const double sigma : {1e-3, 0.1, 1.0}) {
      RandomStream random(1);
      const Eigen::VectorXd y = 2.0 * sine(n, turns) + sigma * random.normal_vector(n);
      const NoiseEstimate found = noise_by_differences(y, 8);
      EXPECT_NEAR(found.sigma / sigma, 1.0, bound) << turns << " " << sigma;
      EXPECT_NEAR(found.signal_rms, std::sqrt(2.0), 0.05) << turns << " " << sigma;
      EXPECT_NEAR(found.snr_db, 10.0 * std::log10(2.0 / (sigma * sigma)), 0.6);
    }
  }
}

// First differences alone see the signal: 2 sin²(πf) of its power 1/2 at f = 0.05.
TEST(NoiseByDifferences, HigherOrdersRejectTheSignal) {
  const Eigen::VectorXd x = sine(20000, 0.05);
  const double first = noise_by_differences(x, 1).sigma;
  const double s = std::sin(std::numbers::pi * 0.05);
  EXPECT_NEAR(first, std::sqrt(0.5 * 2.0 * s * s), 1e-4);
  EXPECT_LT(noise_by_differences(x, 8).sigma, 1e-5 * first);
}

// Polynomials of degree below the order vanish exactly but for rounding.
TEST(NoiseByDifferences, PolynomialsAreSignal) {
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(400, -1.0, 1.0);
  const Eigen::VectorXd x = 1.0 + t.array() - 2.0 * t.array().cube();
  EXPECT_LT(noise_by_differences(x, 6).sigma, 100 * kEps);
}

TEST(NoiseByDifferences, GoesAroundMissingSamples) {
  RandomStream random(2);
  Eigen::VectorXd y = 5.0 * sine(20000, 0.002) + 0.1 * random.normal_vector(20000);
  for (Eigen::Index k = 50; k < 20000; k += 100) y(k) = kMissing;
  EXPECT_NEAR(noise_by_differences(y).sigma, 0.1, 0.1 * 2.0 * std::sqrt(2.0 * 4.0 / 18000.0));
  // Every other sample missing leaves no neighbours.
  for (Eigen::Index k = 0; k < 20000; k += 2) y(k) = kMissing;
  EXPECT_THAT(message_of([&] { (void)noise_by_differences(y); }), HasSubstr("two neighbours"));
}

TEST(NoiseByDifferences, BadInputIsNamed) {
  const Eigen::VectorXd y = sine(100, 0.1);
  EXPECT_THAT(message_of([&] { (void)noise_by_differences(y, 0); }), HasSubstr("max_order"));
  EXPECT_THAT(message_of([&] { (void)noise_by_differences(y, 21); }), HasSubstr("max_order"));
  EXPECT_THAT(message_of([&] { (void)noise_by_differences(y.head(1)); }),
              HasSubstr("noise_by_differences: values"));
  EXPECT_THAT(
      message_of([] { (void)noise_by_differences(Eigen::VectorXd::Constant(4, INFINITY)); }),
      HasSubstr("got inf at sample 1"));
}

// The signal, a tone at 0.35 of the sampling rate, is too fast for differences; its band is known.
TEST(NoiseAboveFrequency, FindsNoiseOutsideTheBand) {
  const Eigen::Index n = 50000;
  const double step = 0.001;
  RandomStream random(3);
  const Eigen::VectorXd y = sine(n, 0.35) + 0.05 * random.normal_vector(n);
  const NoiseEstimate found = noise_above_frequency(y, step, 400.0, {.segment_samples = 1000});
  // A fifth of the band is used: n/5 values, of which overlapping Hann segments keep 1/1.05.
  EXPECT_NEAR(found.sigma, 0.05, 0.05 * 4.0 * 0.5 * std::sqrt(2.0 * 1.1 / (0.2 * n)));
  EXPECT_NEAR(found.snr_db, 10.0 * std::log10(0.5 / 0.0025), 0.2);
  EXPECT_GT(noise_by_differences(y).sigma, 2.0 * found.sigma);
}

TEST(NoiseAboveFrequency, BadInputIsNamed) {
  const Eigen::VectorXd y = sine(1000, 0.1);
  EXPECT_THAT(message_of([&] { (void)noise_above_frequency(y, 0.01, 50.0); }),
              HasSubstr("from_hz must leave a line below"));
  EXPECT_THAT(message_of([&] { (void)noise_above_frequency(y, 0.01, -1.0); }),
              HasSubstr("from_hz"));
  EXPECT_THAT(message_of([&] {
                (void)noise_above_frequency(Eigen::VectorXd::Constant(100, kMissing), 1.0, 0.1);
              }),
              HasSubstr("whole segments"));
}

// Twenty periods of 500 samples and a broken one: 500 * 19 degrees of freedom.
TEST(NoiseByPeriods, FindsNoiseOfAnyColour) {
  const Eigen::Index period = 500;
  RandomStream random(4);
  const Eigen::VectorXd shape = random.normal_vector(period);
  const Eigen::VectorXd white = random.normal_vector(20 * period + 123);
  for (const double colour : {0.0, 0.9}) {
    Eigen::VectorXd noise = white;
    for (Eigen::Index k = 1; k < noise.size(); ++k) noise(k) += colour * noise(k - 1);
    noise *= std::sqrt(1.0 - colour * colour) * 0.3;
    Eigen::VectorXd y = noise;
    for (Eigen::Index k = 0; k < y.size(); ++k) y(k) += shape(k % period);
    const NoiseEstimate found = noise_by_periods(y, period);
    // Correlation time (1+c²)/(1-c²) of the squares, 9.5 for 0.9.
    const double independent = 9500.0 * (1.0 - colour * colour) / (1.0 + colour * colour);
    EXPECT_NEAR(found.sigma, 0.3, 0.3 * 4.0 * 0.5 * std::sqrt(2.0 / independent)) << colour;
    EXPECT_NEAR(found.signal_rms, std::sqrt(shape.squaredNorm() / period), 0.03) << colour;
  }
}

TEST(NoiseByPeriods, ByHandWithMissingSamples) {
  Eigen::VectorXd y(7);
  y << 1.0, 4.0, 3.0, kMissing, 2.0, 6.0, kMissing;  // phases: {1, 3, 2}, {4, nan, 6}
  const NoiseEstimate found = noise_by_periods(y, 2);
  // Means 2 and 5; squares 2 + 2 over 2 + 1 degrees of freedom.
  EXPECT_NEAR(found.sigma * found.sigma, 4.0 / 3.0, 20 * kEps);
  const double signal = 0.5 * (4.0 - 4.0 / 9.0 + 25.0 - 2.0 / 3.0);
  EXPECT_NEAR(found.signal_rms * found.signal_rms, signal, 100 * kEps);
}

TEST(NoiseByPeriods, NoiseAloneHasNoSignal) {
  RandomStream random(5);
  const NoiseEstimate found = noise_by_periods(random.normal_vector(10000), 10);
  // mean(ȳ²) - σ²/1000 scatters by √(2/10) 1e-3.
  EXPECT_LT(found.signal_rms * found.signal_rms, 4.0 * std::sqrt(0.2) * 1e-3);
}

TEST(NoiseByPeriods, BadInputIsNamed) {
  const Eigen::VectorXd y = sine(10, 0.1);
  EXPECT_THAT(message_of([&] { (void)noise_by_periods(y, 0); }), HasSubstr("period_samples"));
  EXPECT_THAT(message_of([&] { (void)noise_by_periods(y, 10); }), HasSubstr("twice"));
  EXPECT_THAT(message_of([&] { (void)noise_by_periods(y, 100); }), HasSubstr("twice"));
  EXPECT_THAT(message_of([] { (void)noise_by_periods(Eigen::VectorXd(), 5); }), HasSubstr("twice"));
}

TEST(Snr, BadInputIsNamed) {
  const Eigen::Vector2d x(1.0, 2.0);
  EXPECT_THAT(message_of([&] { (void)snr_db(x, Eigen::Vector3d::Zero()); }), HasSubstr("truth"));
  EXPECT_THAT(message_of([&] { (void)snr_db(x, Eigen::Vector2d(kMissing, 1.0)); }),
              HasSubstr("truth"));
  EXPECT_THAT(message_of([&] { (void)snr_db(Eigen::Vector2d(kMissing, kMissing), x); }),
              HasSubstr("number of samples that are there"));
}

}  // namespace snr_test
}  // namespace alembert::signal
