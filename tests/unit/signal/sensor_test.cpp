#include "alembert/signal/sensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace sensor_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

Eigen::VectorXd sine(Eigen::Index n, double step, double frequency_hz, double delay = 0.0) {
  Eigen::VectorXd x(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    x(k) = std::sin(2.0 * kPi * frequency_hz * (static_cast<double>(k) * step - delay));
  }
  return x;
}

SensorRecord sense(const Eigen::VectorXd& truth, double step, const SensorOptions& options,
                   std::uint64_t seed = 1) {
  RandomStream random(seed);
  return simulate_sensor(truth, step, options, random);
}

TEST(Sensor, WithoutOptionsIsTheTruth) {
  const Eigen::VectorXd x = sine(100, 0.01, 3.0);
  const SensorRecord record = sense(x, 0.01, {});
  EXPECT_EQ(record.values, x);
  EXPECT_EQ(record.sigma, 0.0);
  EXPECT_EQ(record.clipped, 0);
}

TEST(Sensor, DelayOfWholeStepsCopiesSamples) {
  const Eigen::VectorXd x = sine(50, 0.1, 0.3, 0.05);
  const SensorRecord record = sense(x, 0.1, {.delay = 0.7});  // 0.7/0.1 rounds below 7
  EXPECT_EQ(record.values.tail(43), x.head(43));
  EXPECT_EQ(record.values.head(7), Eigen::VectorXd::Constant(7, x(0)));
}

// Truncation: halving the step divides the error of the cubic spline by 2⁴, within 10 %, when the
// delay falls at the same share of an interval. Away from the held beginning.
TEST(Sensor, FractionalDelayHasOrderFour) {
  double previous = 0.0;
  for (const Eigen::Index n : {200, 400, 800}) {
    const double step = 2.0 / static_cast<double>(n);
    const double delay = 3.4 * step;
    const SensorRecord record = sense(sine(n, step, 2.0), step, {.delay = delay});
    const Eigen::VectorXd expected = sine(n, step, 2.0, delay);
    const double error = (record.values - expected).segment(n / 4, n / 2).cwiseAbs().maxCoeff();
    if (previous > 0.0) {
      EXPECT_NEAR(previous / error, 16.0, 1.6);
    }
    previous = error;
  }
}

// A cubic is its own not-a-knot spline.
TEST(Sensor, DelayOfACubicIsExact) {
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(41, 0.0, 4.0);
  const auto cubic = [](double s) { return 1.0 + s - 0.5 * s * s + 0.1 * s * s * s; };
  const Eigen::VectorXd x = t.unaryExpr(cubic);
  for (const double delay : {0.01, 0.05, 0.0999, 0.123, 1.27}) {
    const SensorRecord record = sense(x, 0.1, {.delay = delay});
    for (Eigen::Index k = 0; k < 41; ++k) {
      const double place = t(k) - delay;
      const double expected = place < 0.0 ? x(0) : cubic(place);
      EXPECT_NEAR(record.values(k), expected, 200 * kEps) << delay << " " << k;
    }
  }
}

TEST(Sensor, DelayBeyondTheRecordHoldsTheFirstValue) {
  const Eigen::VectorXd x = sine(10, 0.1, 1.0, 0.3);
  EXPECT_EQ(sense(x, 0.1, {.delay = 1e9}).values, Eigen::VectorXd::Constant(10, x(0)));
  EXPECT_EQ(sense(x.head(1), 0.1, {.delay = 0.05}).values, x.head(1));
}

TEST(Sensor, NothingIsReadOfBeforeTheRecord) {
  const Eigen::VectorXd x = sine(10, 0.1, 1.0, 0.3);
  const auto empty_cells = [&x](double delay) {
    const SensorRecord record = sense(x, 0.1, {.delay = delay, .empty_before = true});
    for (Eigen::Index k = 1; k < 10; ++k) {
      if (std::isnan(record.values(k))) {
        EXPECT_TRUE(std::isnan(record.values(k - 1)));
      }
    }
    return record.values.array().isNaN().count();
  };
  EXPECT_EQ(empty_cells(0.0), 0);
  EXPECT_EQ(empty_cells(0.05), 1);
  EXPECT_EQ(empty_cells(0.3), 3);
  EXPECT_EQ(empty_cells(0.9), 9);
  EXPECT_EQ(empty_cells(0.95), 10);
  EXPECT_EQ(empty_cells(1e9), 10);
}

TEST(Sensor, OwnRateLeavesTheNearestSamples) {
  const Eigen::VectorXd x = sine(21, 0.01, 1.0);
  const SensorRecord record = sense(x, 0.01, {.rate_hz = 40.0});  // every 2.5 steps
  for (Eigen::Index k = 0; k < 21; ++k) {
    bool sampled = false;
    for (int j = 0; j < 20; ++j) sampled |= k == std::lround(2.5 * j);
    if (sampled) {
      EXPECT_EQ(record.values(k), x(k)) << k;
    } else {
      EXPECT_TRUE(std::isnan(record.values(k))) << k;
    }
  }
}

// 1/(rate step) overflows for the second rate: the sensor takes its first sample and no other.
TEST(Sensor, ARateBeyondAllBoundsTakesOneSample) {
  const Eigen::VectorXd x = sine(21, 0.01, 1.0);
  for (const double rate : {1e-9, 1e-310}) {
    const SensorRecord record = sense(x, 0.01, {.rate_hz = rate});
    EXPECT_EQ(record.values(0), x(0));
    EXPECT_EQ(record.values.array().isNaN().count(), 20);
  }
}

TEST(Sensor, FullRateInDecimalsKeepsAllSamples) {
  const Eigen::VectorXd x = sine(3000, 1.0 / 3000.0, 1.0);
  EXPECT_EQ(sense(x, 1.0 / 3000.0, {.rate_hz = 3000.0}).values, x);
  EXPECT_EQ(sense(x, 0.0003333333333, {.rate_hz = 3000.0}).values, x);
}

// Statistics: mean within 4 σ/√n, variance within 4 √(2/n) of σ², lag-one correlation within
// 4/√n, for a fixed seed.
TEST(Sensor, NoiseHasItsSigmaAndIsWhite) {
  const Eigen::Index n = 100000;
  const auto count = static_cast<double>(n);
  const Eigen::VectorXd x = sine(n, 0.001, 1.0);
  const Eigen::VectorXd e = sense(x, 0.001, {.sigma = 0.2}).values - x;
  EXPECT_LT(std::abs(e.mean()), 4.0 * 0.2 / std::sqrt(count));
  EXPECT_NEAR(e.squaredNorm() / count / 0.04, 1.0, 4.0 * std::sqrt(2.0 / count));
  EXPECT_LT(std::abs(e.head(n - 1).dot(e.tail(n - 1))) / e.squaredNorm(), 4.0 / std::sqrt(count));
}

// mean(x²) = 1/2 of a sine over whole periods: at 20 dB σ² = 0.005.
TEST(Sensor, SnrSetsSigmaFromTheMeanSquare) {
  const Eigen::VectorXd x = sine(1000, 0.01, 1.0);
  const SensorRecord record = sense(x, 0.01, {.bias = 100.0, .snr_db = 20.0});
  EXPECT_NEAR(record.sigma, std::sqrt(0.005), 100 * kEps);
  // A constant counts with its mean square too.
  const SensorRecord constant = sense(Eigen::VectorXd::Constant(10, 3.0), 1.0, {.snr_db = 0.0});
  EXPECT_NEAR(constant.sigma, 3.0, 10 * kEps);
}

TEST(Sensor, SnrOfASignalOfZerosGivesNoNoise) {
  const SensorRecord record = sense(Eigen::VectorXd::Zero(10), 1.0, {.snr_db = 20.0});
  EXPECT_EQ(record.sigma, 0.0);
  EXPECT_EQ(record.values, Eigen::VectorXd::Zero(10));
}

// The noise of a sample depends on the stream alone.
TEST(Sensor, NoiseDoesNotDependOnOtherOptions) {
  const Eigen::VectorXd x = sine(200, 0.01, 1.0);
  const Eigen::VectorXd noise = sense(x, 0.01, {.sigma = 0.5}).values - x;
  const Eigen::VectorXd slow =
      sense(x, 0.01, {.rate_hz = 7.0, .bias = 3.0, .sigma = 0.5}).values - x;
  int common = 0;
  for (Eigen::Index k = 0; k < 200; ++k) {
    if (std::isnan(slow(k))) continue;
    EXPECT_NEAR(slow(k) - 3.0, noise(k), 20 * kEps) << k;
    ++common;
  }
  EXPECT_EQ(common, 14);
  // Streams are left at the same position, noise or not.
  RandomStream with(9);
  RandomStream without(9);
  (void)simulate_sensor(x, 0.01, {.rate_hz = 3.0, .sigma = 1.0}, with);
  (void)simulate_sensor(x, 0.01, {.bits = 8}, without);
  EXPECT_EQ(with.bits(), without.bits());
}

// Levels j q; 0 is one of them (mid-tread); the error is uniform in ±q/2: variance q²/12 within
// 4 standard deviations √(1/180 n) q².
TEST(Sensor, ConverterRoundsToLevels) {
  RandomStream random(5);
  const Eigen::Index n = 50000;
  Eigen::VectorXd x(n);
  for (double& value : x) value = random.uniform(-0.95, 0.95);
  const SensorRecord record = sense(x, 1.0, {.bits = 6});
  const double q = 2.0 / 64.0;
  const Eigen::VectorXd levels = record.values / q;
  EXPECT_EQ(levels, levels.array().round().matrix());
  const Eigen::VectorXd e = record.values - x;
  EXPECT_LE(e.cwiseAbs().maxCoeff(), 0.5 * q * (1.0 + 10 * kEps));
  const auto count = static_cast<double>(n);
  EXPECT_NEAR(e.squaredNorm() / count, q * q / 12.0, 4.0 * q * q / std::sqrt(180.0 * count));
  EXPECT_EQ(record.clipped, 0);
  EXPECT_EQ(sense(Eigen::VectorXd::Constant(1, 0.01), 1.0, {.bits = 6}).values(0), 0.0);
}

TEST(Sensor, ConverterClipsAndCounts) {
  Eigen::VectorXd x(6);
  x << -5.0, 0.0, 9.9, 7.4, 7.6, 1e300;  // range 0..8, 3 bits: levels 0, 1, .. 7
  const SensorRecord record = sense(x, 1.0, {.bits = 3, .range_lower = 0.0, .range_upper = 8.0});
  Eigen::VectorXd expected(6);
  expected << 0, 0, 7, 7, 7, 7;
  EXPECT_EQ(record.values, expected);
  EXPECT_EQ(record.clipped, 4);
}

TEST(Sensor, OneAndThirtyTwoBits) {
  Eigen::VectorXd x(3);
  x << -0.9, 0.1, 0.3;
  Eigen::VectorXd expected(3);
  expected << -1.0, 0.0, 0.0;
  EXPECT_EQ(sense(x, 1.0, {.bits = 1}).values, expected);
  EXPECT_TRUE(matrices_near(sense(x, 1.0, {.bits = 32}).values, x, {.abs = std::ldexp(1.0, -32)}));
}

TEST(Sensor, UnsampledPlacesStayMissingAfterConversion) {
  const SensorRecord record =
      sense(Eigen::VectorXd::Constant(10, 5.0), 1.0, {.rate_hz = 0.5, .bits = 4});
  EXPECT_EQ(record.clipped, 5);
  EXPECT_TRUE(std::isnan(record.values(1)));
}

TEST(Sensor, EncoderCountsDownwards) {
  const double count = 2.0 * kPi / 100.0;
  Eigen::VectorXd x(4);
  x << 0.5 * count, 1.5 * count, -0.5 * count, 1000.25 * count;
  Eigen::VectorXd expected(4);
  expected << 0.0, count, -count, 1000 * count;
  EXPECT_TRUE(
      matrices_near(sense(x, 1.0, {.counts_per_turn = 100.0}).values, expected, {.rel = 4 * kEps}));
}

// Both encoders read the same place: counts times 2π/counts is the angle that the other gives.
TEST(Sensor, WholeCountsAreTheSameEncoder) {
  const Eigen::VectorXd angle = Eigen::VectorXd::LinSpaced(400, -7.0, 9.0);
  const double counts = 2048.0;
  const double factor = counts / (2.0 * kPi);
  const Eigen::VectorXd in_rad = sense(angle, 0.01, {.counts_per_turn = counts}).values;
  const Eigen::VectorXd in_counts = sense(factor * angle, 0.01, {.whole_counts = true}).values;
  EXPECT_EQ(in_counts, in_counts.array().round().matrix());
  // One product and one quotient, each rounded.
  EXPECT_TRUE(matrices_near(in_counts / factor, in_rad, {.abs = 8.0 * 9.0 * kEps}));
}

TEST(Sensor, AReadingStartsAgainAfterATurn) {
  const double turn = 2.0 * kPi;
  Eigen::VectorXd angle(6);
  angle << -0.5, 0.0, 0.5, turn - 0.25, turn + 0.25, 5.0 * turn + 1.0;
  Eigen::VectorXd expected(6);
  expected << turn - 0.5, 0.0, 0.5, turn - 0.25, 0.25, 1.0;
  const Eigen::VectorXd read = sense(angle, 0.01, {.turn = turn}).values;
  EXPECT_TRUE(matrices_near(read, expected, {.abs = 5.0 * turn * kEps}));
  // A value so little below zero that its sum with a turn is rounded to the turn.
  EXPECT_EQ(sense(Eigen::VectorXd::Constant(1, -1e-30), 0.01, {.turn = turn}).values(0), 0.0);
  // Counts are counted first.
  angle << -1.5, -0.5, 0.5, 9.5, 10.5, 25.0;
  expected << 8.0, 9.0, 0.0, 9.0, 0.0, 5.0;
  EXPECT_EQ(sense(angle, 0.01, {.whole_counts = true, .turn = 10.0}).values, expected);
}

// An absolute encoder of 12 bits: each reading is within half a level of the angle, turns apart,
// all levels occur, and none is the turn itself. The range is given with the digits of a study.
TEST(Sensor, AnAbsoluteEncoderGoesRound) {
  const double turn = 2.0 * kPi;
  const Eigen::VectorXd angle = Eigen::VectorXd::LinSpaced(50000, -20.0, 30.0);
  for (const double lower : {0.0, -3.14159265}) {
    const SensorRecord record =
        sense(angle, 0.01,
              {.bits = 12, .range_lower = lower, .range_upper = lower + 6.2831853, .turn = turn});
    EXPECT_EQ(record.clipped, 0);
    const double q = 6.2831853 / 4096.0;
    // The range is 7.2e-9 rad short, which adds to the error of the last levels.
    for (Eigen::Index k = 0; k < angle.size(); ++k) {
      EXPECT_LE(std::abs(std::remainder(record.values(k) - angle(k), turn)), 0.5 * q + 8e-9);
    }
    EXPECT_EQ(record.values.minCoeff(), lower);
    EXPECT_NEAR(record.values.maxCoeff(), lower + 4095.0 * q, 10.0 * kEps);
  }
  Eigen::VectorXd x(4);  // levels 0, 1, .. 7 of a turn of 8
  x << 7.4, 7.6, 15.6, -0.3;
  Eigen::VectorXd expected(4);
  expected << 7.0, 0.0, 0.0, 0.0;
  EXPECT_EQ(sense(x, 0.01, {.bits = 3, .range_lower = 0.0, .range_upper = 8.0, .turn = 8.0}).values,
            expected);
}

// A converter behind a potentiometer that starts again: a range beyond the turn clips nothing, a
// smaller one clips what lies above it.
TEST(Sensor, ATurnComesBeforeTheConverter) {
  Eigen::VectorXd x(3);
  x << 9.0, 15.0, -1.0;  // 1, 7, 7 after turns of 8
  const auto converted = [&x](double upper) {
    return sense(x, 0.01, {.bits = 4, .range_lower = 0.0, .range_upper = upper, .turn = 8.0});
  };
  EXPECT_EQ(converted(16.0).values, Eigen::Vector3d(1.0, 7.0, 7.0));
  EXPECT_EQ(converted(16.0).clipped, 0);
  EXPECT_EQ(converted(4.0).values, Eigen::Vector3d(1.0, 3.75, 3.75));
  EXPECT_EQ(converted(4.0).clipped, 2);
}

// Order: bias comes before the converter, so that 0.6 becomes 1 on levels of 1.
TEST(Sensor, BiasComesBeforeConversion) {
  const SensorRecord record =
      sense(Eigen::VectorXd::Zero(1), 1.0,
            {.bias = 0.6, .bits = 3, .range_lower = -4.0, .range_upper = 4.0});
  EXPECT_EQ(record.values(0), 1.0);
}

// Order: the delay acts on the true signal before the sensor samples it.
TEST(Sensor, DelayComesBeforeSampling) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(11, 0.0, 10.0);
  const SensorRecord record = sense(x, 1.0, {.delay = 1.5, .rate_hz = 0.25});
  EXPECT_NEAR(record.values(4), 2.5, 10 * kEps);
  EXPECT_NEAR(record.values(8), 6.5, 20 * kEps);
  EXPECT_TRUE(std::isnan(record.values(5)));
}

TEST(Sensor, BadInputIsNamed) {
  const Eigen::VectorXd x = Eigen::VectorXd::Zero(3);
  const auto message = [&](const SensorOptions& options) {
    return message_of([&] { (void)sense(x, 0.1, options); });
  };
  EXPECT_THAT(message({.delay = -1.0}), HasSubstr("simulate_sensor: delay"));
  EXPECT_THAT(message({.rate_hz = 0.0}), HasSubstr("simulate_sensor: rate_hz"));
  EXPECT_THAT(message({.rate_hz = 11.0}), HasSubstr("rate_hz must not exceed 1/step = 10 Hz"));
  EXPECT_THAT(message({.bias = INFINITY}), HasSubstr("simulate_sensor: bias"));
  EXPECT_THAT(message({.sigma = -1.0}), HasSubstr("simulate_sensor: sigma"));
  EXPECT_THAT(message({.sigma = 1.0, .snr_db = 1.0}), HasSubstr("sigma must not be given"));
  EXPECT_THAT(message({.snr_db = std::nan("")}), HasSubstr("simulate_sensor: snr_db"));
  EXPECT_THAT(message({.bits = 0}), HasSubstr("simulate_sensor: bits"));
  EXPECT_THAT(message({.bits = 33}), HasSubstr("simulate_sensor: bits"));
  EXPECT_THAT(message({.bits = 8, .range_lower = 1.0}), HasSubstr("range_upper must exceed"));
  EXPECT_THAT(message({.bits = 8, .range_upper = INFINITY}), HasSubstr("range_upper"));
  EXPECT_THAT(message({.bits = 8, .counts_per_turn = 9.0}), HasSubstr("bits must not be given"));
  EXPECT_THAT(message({.counts_per_turn = 0.0}), HasSubstr("counts_per_turn"));
  EXPECT_THAT(message({.bits = 8, .whole_counts = true}), HasSubstr("bits must not be given"));
  EXPECT_THAT(message({.counts_per_turn = 9.0, .whole_counts = true}),
              HasSubstr("counts_per_turn must not be given together with whole_counts"));
  EXPECT_THAT(message({.turn = 0.0}), HasSubstr("simulate_sensor: turn"));
  EXPECT_THAT(message_of([] { (void)sense(Eigen::VectorXd(), 0.1, {}); }), HasSubstr("truth"));
  EXPECT_THAT(message_of([&] { (void)sense(x, 0.0, {}); }), HasSubstr("simulate_sensor: step"));
  Eigen::VectorXd gap = x;
  gap(1) = std::nan("");
  EXPECT_THAT(message_of([&] { (void)sense(gap, 0.1, {}); }), HasSubstr("truth"));
}

}  // namespace sensor_test
}  // namespace alembert::signal
