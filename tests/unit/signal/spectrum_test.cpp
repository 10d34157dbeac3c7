#include "alembert/signal/spectrum.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace spectrum_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

Eigen::VectorXd white_noise(Eigen::Index n, std::uint64_t seed) {
  return RandomStream(seed).normal_vector(n);
}

Eigen::VectorXd sine(Eigen::Index n, double turns_per_sample, double amplitude) {
  Eigen::VectorXd x(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    x(k) = amplitude * std::sin(2.0 * kPi * turns_per_sample * static_cast<double>(k) + 0.3);
  }
  return x;
}

// Parseval: Σ S / (N step) = Σ (w x)² / Σw², for one segment, any window, even and odd N.
TEST(PowerSpectralDensity, SumsToTheMeanSquare) {
  const double step = 0.02;
  for (const Eigen::Index n : {64, 101, 1000}) {
    const Eigen::VectorXd x = white_noise(n, 1);
    for (const WindowKind kind : {WindowKind::Rectangular, WindowKind::Hann, WindowKind::FlatTop}) {
      const Spectrum s = power_spectral_density(
          x, step, {.segment_samples = n, .window = {.kind = kind}, .trend_degree = -1});
      const Eigen::VectorXd w = window(n, {.kind = kind});
      const double expected = w.cwiseProduct(x).squaredNorm() / w.squaredNorm();
      const double power = s.values.sum() / (static_cast<double>(n) * step);
      EXPECT_NEAR(power, expected, 100 * kEps * expected) << n;
      EXPECT_EQ(s.averaging[0].segments, 1);
      EXPECT_NEAR(s.averaging[0].effective, 1.0, 4 * kEps);
    }
  }
}

// White noise of variance σ² has the one-sided density 2 σ² step. Neighbouring lines correlate
// through the window; their effective number is lines / bandwidth. Bound: 4 standard deviations.
TEST(PowerSpectralDensity, LevelOfWhiteNoise) {
  const double step = 0.001;
  const double sigma = 3.0;
  const Eigen::VectorXd x = sigma * white_noise(100000, 2);
  const Spectrum s = power_spectral_density(x, step, {.segment_samples = 500});
  const double level = 2.0 * sigma * sigma * step;
  const Eigen::VectorXd inner = s.values.col(0).segment(5, 240);
  const double spread = std::sqrt(1.5 / (240.0 * s.averaging[0].effective));
  EXPECT_NEAR(inner.mean() / level, 1.0, 4.0 * spread);
  EXPECT_NEAR(s.averaging[0].resolution_hz, 1.5 / 0.5, 1e-9);
  EXPECT_NEAR(s.frequencies_hz(250), 500.0, 1e-9);
}

// Monte Carlo over 200 records: the variance of the estimate is S²/K_effective and the 95 %
// interval covers the truth in 95 % of cases. Lines 8 apart are independent: 200 x 14 values.
// The relative deviation of a variance from m values is √(2/m) for normal and a little more for
// χ² values (kurtosis 3 + 6/K): 4 of them.
TEST(PowerSpectralDensity, EffectiveAveragesAndConfidenceAreHonest) {
  for (const double overlap : {0.0, 0.5, 0.75}) {
    const WelchOptions options{.segment_samples = 256, .overlap = overlap, .trend_degree = -1};
    double sum_squares = 0.0;
    int covered = 0;
    int count = 0;
    double effective = 0.0;
    for (std::uint64_t run = 0; run < 200; ++run) {
      const Spectrum s = power_spectral_density(white_noise(1280, 100 + run), 1.0, options);
      effective = s.averaging[0].effective;
      const ConfidenceFactors factors = density_confidence(effective);
      for (Eigen::Index k = 8; k < 120; k += 8) {
        const double ratio = s.values(k, 0) / 2.0;  // the truth is 2 σ² step = 2
        sum_squares += (ratio - 1.0) * (ratio - 1.0);
        covered += factors.lower * ratio <= 1.0 && 1.0 <= factors.upper * ratio ? 1 : 0;
        ++count;
      }
    }
    const double m = count;
    const double variance = sum_squares / m;
    EXPECT_NEAR(variance * effective, 1.0, 4.0 * std::sqrt((2.0 + 6.0 / effective) / m)) << overlap;
    EXPECT_NEAR(covered / m, 0.95, 4.0 * std::sqrt(0.95 * 0.05 / m)) << overlap;
  }
}

// Hann, half overlap: neighbours correlate by 1/36, so K_eff = K / (1 + 2 (1 - 1/K)/36).
TEST(PowerSpectralDensity, EffectiveAveragesOfHalfOverlap) {
  const Spectrum s = power_spectral_density(white_noise(1024 * 10, 3), 1.0,
                                            {.segment_samples = 1024, .overlap = 0.5});
  EXPECT_EQ(s.averaging[0].segments, 19);
  EXPECT_NEAR(s.averaging[0].effective, 19.0 / (1.0 + 2.0 * (1.0 - 1.0 / 19.0) / 36.0), 1e-3);
}

TEST(PowerSpectralDensity, DefaultGivesEightSegments) {
  for (const Eigen::Index n : {900, 1000, 12345}) {
    for (const double overlap : {0.0, 0.5, 0.75}) {
      const Spectrum s = power_spectral_density(white_noise(n, 4), 1.0, {.overlap = overlap});
      EXPECT_EQ(s.averaging[0].segments, 8) << n << " " << overlap;
    }
  }
}

// Property: a polynomial of the removed degree changes nothing. Rounding scales with its size.
TEST(PowerSpectralDensity, TrendsAreTakenOff) {
  const Eigen::VectorXd x = white_noise(2000, 5);
  const Eigen::VectorXd line = Eigen::VectorXd::LinSpaced(2000, -50.0, 80.0);
  const Eigen::VectorXd constant = Eigen::VectorXd::Constant(2000, 70.0);
  const WelchOptions linear{.segment_samples = 200, .trend_degree = 1};
  const WelchOptions mean{.segment_samples = 200, .trend_degree = 0};
  EXPECT_TRUE(matrices_near(power_spectral_density(x + line, 0.1, linear).values,
                            power_spectral_density(x, 0.1, linear).values, {.rel = 1e4 * kEps}));
  EXPECT_TRUE(matrices_near(power_spectral_density(x + constant, 0.1, mean).values,
                            power_spectral_density(x, 0.1, mean).values, {.rel = 1e4 * kEps}));
  // And without removal the mean stands on line 0: 70² over one line of width 1.5/(N step).
  const Spectrum raw =
      power_spectral_density(constant, 0.1, {.segment_samples = 200, .trend_degree = -1});
  EXPECT_NEAR(raw.values(0, 0) * raw.averaging[0].resolution_hz, 4900.0, 1e-9);
}

// Property: with all samples there, channels are independent of each other; NaN leave NaN out.
TEST(PowerSpectralDensity, MissingSamplesAreGoneAround) {
  Eigen::MatrixXd samples(4000, 3);
  samples.col(0) = white_noise(4000, 6);
  samples.col(1) = white_noise(4000, 7);
  samples.col(2).setConstant(std::nan(""));
  const WelchOptions options{.segment_samples = 400, .overlap = 0.5};
  const Spectrum whole = power_spectral_density(samples.leftCols(2), 0.01, options);
  samples(1000, 1) = std::nan("");  // stretches of 1000 and 2999 samples
  const Spectrum s = power_spectral_density(samples, 0.01, options);
  EXPECT_EQ(s.values.col(0), whole.values.col(0));
  EXPECT_EQ(s.averaging[0].segments, 19);
  EXPECT_EQ(s.averaging[1].segments, 4 + 13);
  EXPECT_TRUE(s.values.col(1).allFinite());
  // The average over stretches is the mean of both parts weighted with their segments.
  const Eigen::VectorXd expected =
      (4.0 * power_spectral_density(samples.col(1).head(1000), 0.01, options).values +
       13.0 * power_spectral_density(samples.col(1).tail(2999), 0.01, options).values) /
      17.0;
  EXPECT_TRUE(matrices_near(s.values.col(1), expected, {.rel = 20 * kEps}));
  EXPECT_LT(s.averaging[1].effective, 17.0);
  EXPECT_GT(s.averaging[1].effective, 15.5);
  EXPECT_EQ(s.averaging[2].segments, 0);
  EXPECT_TRUE(s.values.col(2).array().isNaN().all());
}

// Property: scaling of units: x → a x gives a² S; step → b step gives b S.
TEST(PowerSpectralDensity, ScalesWithUnits) {
  const Eigen::VectorXd x = white_noise(1000, 8);
  const Spectrum base = power_spectral_density(x, 0.5);
  EXPECT_TRUE(matrices_near(power_spectral_density(1000.0 * x, 0.5).values, 1e6 * base.values,
                            {.rel = 100 * kEps}));
  EXPECT_TRUE(
      matrices_near(power_spectral_density(x, 1.0).values, 2.0 * base.values, {.rel = 100 * kEps}));
}

TEST(AmplitudeSpectrum, SineOnALineHasItsAmplitude) {
  for (const WindowKind kind : {WindowKind::Rectangular, WindowKind::Hann, WindowKind::Hamming,
                                WindowKind::BlackmanHarris, WindowKind::FlatTop}) {
    const Spectrum s =
        amplitude_spectrum(sine(1000, 20.0 / 100.0, 2.5), 0.01,
                           {.segment_samples = 100, .window = {.kind = kind}, .trend_degree = -1});
    // Leakage of the negative frequency, 40 lines away, is below -90 dB for all but the
    // rectangular window, which has none on lines.
    EXPECT_NEAR(s.values(20, 0), 2.5, 1e-4) << static_cast<int>(kind);
    EXPECT_NEAR(s.frequencies_hz(20), 20.0, 1e-9);
  }
}

TEST(AmplitudeSpectrum, FlatTopReadsSinesBetweenLines) {
  for (double line = 30.0; line <= 31.0; line += 0.125) {
    const Spectrum s =
        amplitude_spectrum(sine(1000, line / 200.0, 1.0), 1.0,
                           {.segment_samples = 200, .window = {.kind = WindowKind::FlatTop}});
    EXPECT_NEAR(s.values.maxCoeff(), 1.0, 0.0012) << line;  // 0.01 dB
  }
}

TEST(AmplitudeSpectrum, MeanAndHighestLine) {
  Eigen::VectorXd x(64);
  for (Eigen::Index k = 0; k < 64; ++k) x(k) = 3.0 + (k % 2 == 0 ? 0.5 : -0.5);
  const Spectrum s = amplitude_spectrum(
      x, 1.0,
      {.segment_samples = 64, .window = {.kind = WindowKind::Rectangular}, .trend_degree = -1});
  EXPECT_NEAR(s.values(0, 0), 3.0, 100 * kEps);
  EXPECT_NEAR(s.values(32, 0), 0.5, 100 * kEps);
}

TEST(CrossSpectra, HermitianWithDensitiesOnTheDiagonal) {
  Eigen::MatrixXd samples(3000, 3);
  for (Eigen::Index c = 0; c < 3; ++c) {
    samples.col(c) = white_noise(3000, 10 + static_cast<std::uint64_t>(c));
  }
  samples.col(2) += 0.7 * samples.col(0);
  const WelchOptions options{.segment_samples = 256};
  const CrossSpectra cross = cross_spectra(samples, 0.01, options);
  const Spectrum power = power_spectral_density(samples, 0.01, options);
  ASSERT_EQ(cross.density.size(), 129u);
  for (Eigen::Index k = 0; k <= 128; ++k) {
    const Eigen::MatrixXcd& S = cross.density[static_cast<std::size_t>(k)];
    EXPECT_LT((S - S.adjoint()).norm(), 10 * kEps * S.norm());
    EXPECT_TRUE(
        matrices_near(S.diagonal().real(), power.values.row(k).transpose(), {.rel = 50 * kEps}));
  }
  EXPECT_EQ(cross.averaging.segments, power.averaging[0].segments);
  EXPECT_EQ(cross.frequencies_hz, power.frequencies_hz);
}

// A signal delayed by d samples, on one period of a periodic record: S_yx = S_xx exp(-iωd).
TEST(CrossSpectra, PhaseOfADelay) {
  const Eigen::Index n = 128;
  const Eigen::Index delay = 5;
  Eigen::MatrixXd samples(n, 2);
  samples.col(0) = white_noise(n, 20);
  for (Eigen::Index k = 0; k < n; ++k) samples(k, 1) = samples((k - delay + n) % n, 0);
  const CrossSpectra cross = cross_spectra(
      samples, 1.0,
      {.segment_samples = n, .window = {.kind = WindowKind::Rectangular}, .trend_degree = -1});
  for (Eigen::Index k = 0; k <= n / 2; ++k) {
    const Eigen::MatrixXcd& S = cross.density[static_cast<std::size_t>(k)];
    const double angle = -2.0 * kPi * static_cast<double>(k * delay) / static_cast<double>(n);
    EXPECT_LT(std::abs(S(1, 0) - S(0, 0) * std::polar(1.0, angle)), 1e3 * kEps * S.norm()) << k;
  }
}

TEST(CrossSpectra, SegmentsAreWholeInAllChannels) {
  Eigen::MatrixXd samples(1000, 2);
  samples.col(0) = white_noise(1000, 21);
  samples.col(1) = white_noise(1000, 22);
  samples(200, 0) = std::nan("");
  samples(700, 1) = std::nan("");
  const CrossSpectra cross = cross_spectra(samples, 1.0, {.segment_samples = 150, .overlap = 0.0});
  EXPECT_EQ(cross.averaging.segments, 1 + 3 + 1);
  samples.row(400).setConstant(std::nan(""));
  EXPECT_THAT(message_of([&] { (void)cross_spectra(samples, 1.0, {.segment_samples = 350}); }),
              HasSubstr("cross_spectra: samples must have 350 in a row without NaN"));
}

// Tabulated: 95 %, 10 averages, ν = 20: χ² = 9.591 and 34.170.
TEST(DensityConfidence, TabulatedFactors) {
  const ConfidenceFactors factors = density_confidence(10.0);
  EXPECT_NEAR(factors.lower, 20.0 / 34.170, 1e-4);
  EXPECT_NEAR(factors.upper, 20.0 / 9.591, 1e-3);
  EXPECT_THAT(message_of([] { (void)density_confidence(0.0); }), HasSubstr("effective_averages"));
  EXPECT_THAT(message_of([] { (void)density_confidence(3.0, 1.0); }), HasSubstr("probability"));
}

TEST(PowerSpectralDensity, BadInputIsNamed) {
  const Eigen::MatrixXd x = white_noise(100, 30);
  const auto message = [&](const WelchOptions& options) {
    return message_of([&] { (void)power_spectral_density(x, 0.1, options); });
  };
  EXPECT_THAT(message({.segment_samples = 101}), HasSubstr("segment_samples must be in [2, 100]"));
  EXPECT_THAT(message({.segment_samples = 1}), HasSubstr("segment_samples"));
  EXPECT_THAT(message({.segment_samples = -4}), HasSubstr("got -4"));
  EXPECT_THAT(message({.overlap = 1.0}), HasSubstr("power_spectral_density: overlap"));
  EXPECT_THAT(message({.trend_degree = -2}), HasSubstr("trend_degree"));
  EXPECT_THAT(message({.segment_samples = 4, .trend_degree = 4}), HasSubstr("trend_degree"));
  EXPECT_THAT(message_of([&] { (void)power_spectral_density(x, 0.0); }), HasSubstr("step"));
  EXPECT_THAT(message_of([&] { (void)power_spectral_density(x.topRows(1), 0.1); }),
              HasSubstr("number of samples"));
  EXPECT_THAT(message_of([&] { (void)power_spectral_density(x.leftCols(0), 0.1); }),
              HasSubstr("number of channels"));
  Eigen::MatrixXd bad = x;
  bad(7, 0) = INFINITY;
  EXPECT_THAT(message_of([&] { (void)amplitude_spectrum(bad, 0.1); }),
              HasSubstr("amplitude_spectrum: samples must be finite or NaN, got inf at sample 8"));
}

}  // namespace spectrum_test
}  // namespace alembert::signal
