#include "alembert/model/planar/simulate_readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/model/planar/move_mechanism.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::simulate_readings_test {

using model::TimeFormula;
using model::planar::recorded_sensor;
using model::planar::simulate_readings;
using testing::HasSubstr;

constexpr double kStep = 0.001;  // s
constexpr Eigen::Index kSamples = 4000;
constexpr double kTurn = 2.0 * std::numbers::pi;

struct Moved {
  Mechanism mechanism;
  Eigen::MatrixXd exact;
};

Moved moved_crank(const std::vector<Sensor>& sensors) {
  MechanismDescription d = slider_crank(0.14, 0.56);
  d.sensors = sensors;
  const Mechanism mechanism(d);
  const Eigen::VectorXd times =
      kStep * Eigen::VectorXd::LinSpaced(kSamples, 0.0, static_cast<double>(kSamples - 1));
  model::planar::MechanismMotion motion =
      move_mechanism(mechanism, times, {TimeFormula("9*t + 0.3*sin(7*t)")}, {.poses = false});
  EXPECT_TRUE(motion.ok()) << motion.message;
  return {mechanism, motion.readings};
}

// physical_value() takes the middle of a count: an encoder is wrong by half a count at most.
TEST(SimulateReadings, AnObserverReadsThemBack) {
  const Sensor encoder{.name = "encoder", .of = "crank", .offset = 0.4, .counts = 1000.0};
  const Sensor angle{.name = "angle", .of = "rod", .offset = 0.1, .wrap = true};
  const Moved moved = moved_crank({encoder, angle});
  const Eigen::MatrixXd records =
      simulate_readings(moved.mechanism, moved.exact, kStep, RandomStream(1));
  for (Eigen::Index k = 0; k < kSamples; ++k) {
    EXPECT_EQ(records(k, 0), std::floor(records(k, 0)));
    EXPECT_NEAR(physical_value(encoder, records(k, 0)), moved.exact(k, 0),
                0.5 * kTurn / 1000.0 * (1.0 + 1e-9));
    EXPECT_GE(records(k, 1), 0.0);
    EXPECT_LT(records(k, 1), kTurn);
    const double read = physical_value(angle, records(k, 1));
    // Rounding of numbers up to 40 rad, a few operations.
    EXPECT_NEAR(sensor_difference(angle, read, moved.exact(k, 1)), 0.0, 1e-13);
  }
}

// Statistics: mean of 4000 errors of deviation 0.03 within 4 · 0.03/√4000, deviation within 5 %.
TEST(SimulateReadings, NoiseIsThatOfTheSensorOrOfItsErrors) {
  const Sensor accelerometer{
      .name = "a", .kind = SensorKind::Acceleration, .of = "slider", .sigma = 0.03};
  Sensor other = accelerometer;
  other.name = "b";
  const Moved moved = moved_crank({accelerometer, other});
  const RandomStream random(5);
  const Eigen::MatrixXd records = simulate_readings(moved.mechanism, moved.exact, kStep, random,
                                                    {{}, {.bias = 0.5, .sigma = 0.06}});
  const Eigen::MatrixXd errors = records - moved.exact;
  EXPECT_NEAR(errors.col(0).mean(), 0.0, 4.0 * 0.03 / std::sqrt(4000.0));
  EXPECT_NEAR(errors.col(1).mean(), 0.5, 4.0 * 0.06 / std::sqrt(4000.0));
  EXPECT_NEAR(std::sqrt(errors.col(0).squaredNorm() / 4000.0), 0.03, 0.05 * 0.03);
  const Eigen::VectorXd noise = errors.col(1).array() - errors.col(1).mean();
  EXPECT_NEAR(std::sqrt(noise.squaredNorm() / 4000.0), 0.06, 0.05 * 0.06);
  // One sensor's errors leave the noise of the other.
  const Eigen::MatrixXd plain = simulate_readings(moved.mechanism, moved.exact, kStep, random);
  EXPECT_EQ(plain.col(0), records.col(0));
}

TEST(SimulateReadings, ALateSensorReadsNothingBeforeTheMotion) {
  const Moved moved = moved_crank({{.name = "angle", .of = "crank"}});
  const Eigen::MatrixXd records = simulate_readings(moved.mechanism, moved.exact, kStep,
                                                    RandomStream(1), {{.delay = 3.0 * kStep}});
  EXPECT_TRUE(records.topRows(3).array().isNaN().all());
  EXPECT_EQ(records.bottomRows(kSamples - 3), moved.exact.topRows(kSamples - 3));
}

TEST(SimulateReadings, RefusesWhatDoesNotFit) {
  const Sensor encoder{.name = "encoder", .of = "crank", .counts = 1000.0};
  EXPECT_EQ(message_of([&] { (void)recorded_sensor(encoder, {.bits = 12}); }),
            "recorded_sensor: sensor 'encoder': bits has no place with counts");
  EXPECT_EQ(recorded_sensor(encoder).unit, "count");
  const Moved moved = moved_crank({encoder});
  EXPECT_THAT(
      message_of([&] {
        (void)simulate_readings(moved.mechanism, moved.exact, kStep, RandomStream(1), {{}, {}});
      }),
      HasSubstr("simulate_readings: errors"));
  EXPECT_THAT(message_of([&] {
                (void)simulate_readings(moved.mechanism, Eigen::MatrixXd::Zero(5, 2), kStep,
                                        RandomStream(1));
              }),
              HasSubstr("simulate_readings: columns of readings"));
}

}  // namespace alembert::test::simulate_readings_test
