#include "alembert/signal/excitation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "alembert/signal/fft.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace excitation_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Phase = MultisineOptions::Phase;

constexpr double kPi = std::numbers::pi;

double rms(const Eigen::VectorXd& x) {
  return std::sqrt(x.squaredNorm() / static_cast<double>(x.size()));
}

double crest(const Eigen::VectorXd& x) { return x.cwiseAbs().maxCoeff() / rms(x); }

std::vector<int> lines_up_to(int highest) {
  std::vector<int> lines(static_cast<std::size_t>(highest));
  std::iota(lines.begin(), lines.end(), 1);
  return lines;
}

TEST(Multisine, RmsIsExactForBothPhasesAndAnyPeriod) {
  for (const Eigen::Index period : {5, 64, 127, 1000}) {
    for (const Phase phase : {Phase::Random, Phase::Schroeder}) {
      RandomStream random(1);
      const std::vector<int> lines = {1, static_cast<int>((period - 1) / 2)};
      const Eigen::VectorXd u =
          multisine(3 * period,
                    {.period_samples = period, .lines = lines, .rms = 2.5, .phase = phase}, random);
      EXPECT_NEAR(rms(u), 2.5, 100 * kEps) << period;
    }
  }
}

TEST(Multisine, OnlyChosenLinesAreExcitedAndEqually) {
  RandomStream random(2);
  const std::vector<int> lines = {3, 7, 20, 49};
  const Eigen::VectorXd u = multisine(100, {.lines = lines, .rms = 1.0}, random);
  const Eigen::VectorXcd spectrum = rfft(u);
  for (int k = 0; k <= 50; ++k) {
    const bool chosen = std::find(lines.begin(), lines.end(), k) != lines.end();
    // a P/2 with a = √(2/4)
    const double expected = chosen ? std::sqrt(0.5) * 50.0 : 0.0;
    EXPECT_NEAR(std::abs(spectrum(k)), expected, 50 * 100 * kEps) << k;
  }
}

TEST(Multisine, RepeatsAfterThePeriodAlsoInABrokenLastOne) {
  RandomStream random(3);
  const Eigen::VectorXd u = multisine(250, {.period_samples = 100, .lines = {1, 5}}, random);
  EXPECT_EQ(u.head(100), u.segment(100, 100));
  EXPECT_EQ(u.head(50), u.tail(50));
}

// The phases are those of the formula: compare with the sum of cosines.
TEST(Multisine, SchroederPhasesFollowTheFormula) {
  RandomStream random(4);
  const int count = 6;
  const Eigen::VectorXd u =
      multisine(64, {.lines = {2, 4, 5, 9, 11, 30}, .rms = 1.0, .phase = Phase::Schroeder}, random);
  const std::vector<int> lines = {2, 4, 5, 9, 11, 30};
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(64);
  for (int n = 1; n <= count; ++n) {
    for (Eigen::Index k = 0; k < 64; ++k) {
      const double angle =
          2.0 * kPi * lines[static_cast<std::size_t>(n - 1)] * static_cast<double>(k) / 64.0;
      expected(k) += std::sqrt(2.0 / count) * std::cos(angle - kPi * n * (n - 1) / count);
    }
  }
  EXPECT_TRUE(matrices_near(u, expected, {.abs = 200 * kEps}));
  EXPECT_EQ(random.bits(), RandomStream(4).bits());  // nothing was drawn
}

// Published: flat Schroeder multisines have crest factors around 1.7; random phases give about
// √(2 ln N), 2.5 and more.
TEST(Multisine, SchroederHasALowCrestFactor) {
  const std::vector<int> lines = lines_up_to(100);
  RandomStream random(5);
  const MultisineOptions schroeder{.lines = lines, .phase = Phase::Schroeder};
  const double low = crest(multisine(2048, schroeder, random));
  EXPECT_LT(low, 1.9);
  for (int trial = 0; trial < 20; ++trial) {
    EXPECT_GT(crest(multisine(2048, {.lines = lines}, random)), 1.2 * low) << trial;
  }
}

TEST(Multisine, SameSeedSameSignal) {
  RandomStream a(6);
  RandomStream b(6);
  RandomStream c(7);
  const MultisineOptions options{.lines = {1, 2, 3}};
  const Eigen::VectorXd u = multisine(50, options, a);
  EXPECT_EQ(u, multisine(50, options, b));
  EXPECT_NE(u, multisine(50, options, c));
}

TEST(Multisine, BadInputIsNamed) {
  RandomStream random(1);
  const auto message = [&](Eigen::Index samples, const MultisineOptions& options) {
    return message_of([&] { (void)multisine(samples, options, random); });
  };
  EXPECT_THAT(message(0, {.lines = {1}}), HasSubstr("multisine: samples"));
  EXPECT_THAT(message(10, {}), HasSubstr("multisine: number of lines"));
  EXPECT_THAT(message(10, {.lines = {5}}), HasSubstr("lines must be in [1, 4]"));
  EXPECT_THAT(message(10, {.lines = {0}}), HasSubstr("got 0"));
  EXPECT_THAT(message(10, {.lines = {2, 3, 2}}), HasSubstr("got 2 twice"));
  EXPECT_THAT(message(10, {.period_samples = -3, .lines = {1}}), HasSubstr("period_samples"));
  EXPECT_THAT(message(10, {.lines = {1}, .rms = -1.0}), HasSubstr("multisine: rms"));
}

TEST(LinesInBand, BoundsAreIncluded) {
  // 1000 samples at 1 kHz: 1 Hz lines. 0.001 is not exact in binary.
  EXPECT_THAT(lines_in_band(1000, 0.001, 3.0, 6.0), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(lines_in_band(1000, 0.001, 3.0, 8.0, true), ElementsAre(3, 5, 7));
  EXPECT_THAT(lines_in_band(1000, 0.001, 2.2, 4.9), ElementsAre(3, 4));
  EXPECT_THAT(lines_in_band(10, 0.1, 0.0, 1e9), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(lines_in_band(1000, 0.001, 0.1, 0.9), IsEmpty());
  EXPECT_THAT(lines_in_band(1000, 0.001, 600.0, 700.0), IsEmpty());
}

TEST(LinesInBand, EveryLineOfManyGridsIsFound) {
  for (const double step : {1.0 / 3.0, 0.01, 1.0 / 8192.0, 7e-5}) {
    for (int line = 1; line < 49; ++line) {
      const double frequency = line / (99 * step);
      EXPECT_THAT(lines_in_band(99, step, frequency, frequency), ElementsAre(line)) << step;
    }
  }
}

TEST(LinesInBand, BadInputIsNamed) {
  EXPECT_THAT(message_of([] { (void)lines_in_band(0, 1.0, 0.0, 1.0); }),
              HasSubstr("lines_in_band: period_samples"));
  EXPECT_THAT(message_of([] { (void)lines_in_band(9, 0.0, 0.0, 1.0); }),
              HasSubstr("lines_in_band: step"));
  EXPECT_THAT(message_of([] { (void)lines_in_band(9, 1.0, -1.0, 1.0); }), HasSubstr("lower_hz"));
  EXPECT_THAT(message_of([] { (void)lines_in_band(9, 1.0, 2.0, 1.0); }), HasSubstr("upper_hz"));
}

TEST(SplineNoise, PassesThroughItsKnots) {
  RandomStream random(12);
  const Eigen::VectorXd u = spline_noise(101, 0.01, {.knot_step = 0.05, .sigma = 2.0}, random);
  const Eigen::VectorXd knots = 2.0 * RandomStream(12).normal_vector(21);
  for (Eigen::Index i = 0; i <= 20; ++i) EXPECT_NEAR(u(5 * i), knots(i), 50 * kEps) << i;
}

// Property: a not-a-knot spline is one cubic on its first two intervals, so that fourth
// differences vanish there and not further on.
TEST(SplineNoise, FirstTwoIntervalsAreOneCubic) {
  RandomStream random(13);
  const Eigen::VectorXd u = spline_noise(200, 1.0, {.knot_step = 10.0}, random);
  const auto fourth = [&u](Eigen::Index k) {
    return u(k) - 4 * u(k + 1) + 6 * u(k + 2) - 4 * u(k + 3) + u(k + 4);
  };
  for (Eigen::Index k = 0; k + 4 <= 20; ++k) EXPECT_NEAR(fourth(k), 0.0, 200 * kEps) << k;
  EXPECT_GT(std::abs(fourth(28)), 1e-6);
}

TEST(SplineNoise, NoKnotStepGivesWhiteSamples) {
  RandomStream random(14);
  const Eigen::VectorXd u = spline_noise(1000, 0.01, {.sigma = 3.0}, random);
  EXPECT_EQ(u, 3.0 * RandomStream(14).normal_vector(1000));
}

TEST(SplineNoise, ShortAndUnevenRecords) {
  RandomStream random(15);
  EXPECT_EQ(spline_noise(1, 0.1, {.knot_step = 1.0}, random).size(), 1);
  // 7 steps of 0.1 are not exactly 0.7: no knot may be added for the rounding.
  RandomStream a(16);
  (void)spline_noise(8, 0.1, {.knot_step = 0.7}, a);
  RandomStream b(16);
  (void)b.normal_vector(2);
  EXPECT_EQ(a.bits(), b.bits());
}

TEST(SplineNoise, BadInputIsNamed) {
  RandomStream random(1);
  const auto message = [&](double step, const SplineNoiseOptions& options) {
    return message_of([&] { (void)spline_noise(10, step, options, random); });
  };
  EXPECT_THAT(message(0.0, {}), HasSubstr("spline_noise: step"));
  EXPECT_THAT(message(0.1, {.knot_step = 0.05}), HasSubstr("knot_step must be 0 or at least step"));
  EXPECT_THAT(message(0.1, {.knot_step = -1.0}), HasSubstr("spline_noise: knot_step"));
  EXPECT_THAT(message(0.1, {.sigma = -1.0}), HasSubstr("spline_noise: sigma"));
}

TEST(Steps, LevelsHoldFromTheirTimes) {
  const Eigen::VectorXd u =
      steps(8, 0.1, {.times = {0.1, 0.3, 0.55, 9.0}, .levels = {1.0, -2.0, 5.0, 7.0}});
  Eigen::VectorXd expected(8);
  expected << 0, 1, 1, -2, -2, -2, 5, 5;
  EXPECT_EQ(u, expected);
  EXPECT_EQ(steps(3, 0.1, {.times = {-1.0}, .levels = {4.0}}), Eigen::VectorXd::Constant(3, 4.0));
  EXPECT_EQ(steps(3, 0.1, {}), Eigen::VectorXd::Zero(3));
}

// Decimal times k step hit sample k although k * step rounds above or below them.
TEST(Steps, DecimalTimesHitTheirSamples) {
  for (int k = 0; k < 1000; ++k) {
    const double time = k / 1000.0;
    const Eigen::VectorXd u = steps(1001, 0.001, {.times = {time}, .levels = {1.0}});
    ASSERT_EQ(u.sum(), 1001.0 - k) << k;
  }
}

TEST(Steps, BadInputIsNamed) {
  const auto message = [](const StepsOptions& options) {
    return message_of([&] { (void)steps(10, 0.1, options); });
  };
  EXPECT_THAT(message({.times = {0.0}}), HasSubstr("steps: levels"));
  EXPECT_THAT(message({.times = {1.0, 1.0}, .levels = {0.0, 1.0}}),
              HasSubstr("steps: times must increase, got 1 after 1"));
  EXPECT_THAT(message({.times = {std::nan("")}, .levels = {0.0}}), HasSubstr("steps: times"));
  EXPECT_THAT(message({.times = {1.0}, .levels = {INFINITY}}), HasSubstr("steps: levels"));
  EXPECT_THAT(message_of([] { (void)steps(0, 0.1, {}); }), HasSubstr("steps: samples"));
}

TEST(Pulses, HalfSinesAddUp) {
  const double step = 0.01;
  const Eigen::VectorXd u =
      pulses(100, step, {.times = {0.5, 0.1, 0.12}, .width = 0.05, .amplitude = 3.0});
  for (Eigen::Index k = 0; k < 100; ++k) {
    const double t = static_cast<double>(k) * step;
    double expected = 0.0;
    for (const double begin : {0.1, 0.12, 0.5}) {
      if (t > begin && t < begin + 0.05) expected += 3.0 * std::sin(kPi * (t - begin) / 0.05);
    }
    EXPECT_NEAR(u(k), expected, 100 * kEps) << k;
  }
}

// The impulse of a half sine is 2 amplitude width / π; the trapezoidal sum errs by O(step²/width²).
TEST(Pulses, ImpulseOfAPulse) {
  const Eigen::VectorXd u = pulses(1000, 1e-4, {.times = {0.0123456}, .width = 0.02});
  EXPECT_NEAR(u.sum() * 1e-4, 2.0 * 0.02 / kPi, 1e-4 * 0.02);
}

TEST(Pulses, PulsesAtTheEdgesAreCut) {
  const Eigen::VectorXd u = pulses(10, 0.1, {.times = {-0.1, 0.8}, .width = 0.4});
  EXPECT_NEAR(u(0), std::sin(kPi * 0.25), 10 * kEps);
  EXPECT_NEAR(u(9), std::sin(kPi * 0.25), 10 * kEps);
}

TEST(Pulses, BadInputIsNamed) {
  const auto message = [](const PulsesOptions& options) {
    return message_of([&] { (void)pulses(10, 0.1, options); });
  };
  EXPECT_THAT(message({.times = {0.0}, .width = 0.1}),
              HasSubstr("width must be at least two steps"));
  EXPECT_THAT(message({.times = {0.0}, .width = INFINITY}), HasSubstr("pulses: width"));
  EXPECT_THAT(message({.times = {std::nan("")}, .width = 1.0}), HasSubstr("pulses: times"));
  EXPECT_THAT(message({.width = 1.0, .amplitude = INFINITY}), HasSubstr("pulses: amplitude"));
  EXPECT_THAT(message_of([] { (void)pulses(3, 0.0, {}); }), HasSubstr("pulses: step"));
}

TEST(MakeExcitation, IsTheSignalOfItsOptions) {
  constexpr Eigen::Index kCount = 200;
  constexpr double kSpacing = 0.01;
  const auto made = [&](const Excitation& excitation) {
    RandomStream random(3);
    return make_excitation(kCount, kSpacing, excitation, random);
  };
  RandomStream spline_stream(3);
  RandomStream sine_stream(3);
  RandomStream binary_stream(3);
  const SplineNoiseOptions spline{.knot_step = 0.05};
  const MultisineOptions sines{.lines = {1, 3, 5}};
  const ChirpOptions sweep{.begin_hz = 1.0, .end_hz = 9.0};
  const PrbsOptions binary{.order = 5};
  const StepsOptions levels{.times = {0.5}, .levels = {2.0}};
  const PulsesOptions hammer{.times = {0.3}, .width = 0.1};
  EXPECT_EQ(made(spline), spline_noise(kCount, kSpacing, spline, spline_stream));
  EXPECT_EQ(made(sines), multisine(kCount, sines, sine_stream));
  EXPECT_EQ(made(sweep), chirp(kCount, kSpacing, sweep));
  EXPECT_EQ(made(binary), prbs(kCount, binary, binary_stream));
  EXPECT_EQ(made(levels), steps(kCount, kSpacing, levels));
  EXPECT_EQ(made(hammer), pulses(kCount, kSpacing, hammer));
}

}  // namespace excitation_test
}  // namespace alembert::signal
