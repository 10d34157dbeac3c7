// The limits of docs/verdict.md, each just below and just above.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/estimate/judge.hpp"
#include "slider_crank_record.hpp"

namespace alembert::estimate {
namespace find_faults_test {

using test::kAccelerometer;
using test::kEncoder;
using test::slider_crank_mechanism;
using testing::HasSubstr;

// Innovations as they should be, with limits of a long record.
SensorScore sound(bool highest) {
  SensorScore score;
  score.role = SensorRole::Output;
  score.readings = 1000;
  score.judged = true;
  score.highest = highest;
  score.normalised = {.size = 1.0,
                      .size_limit = 1.01,
                      .slow = 1.0,
                      .slow_limit = 1.05,
                      .correlation_limit = 0.05,
                      .drift = 1.0,
                      .drift_limit = 1.1};
  return score;
}

using Change = void (*)(SensorScore&, double);

// What is found when one figure of a sensor has a value; the other sensor is sound.
std::vector<SensorFinding> found_with(int sensor, Change change, double value) {
  std::vector<SensorScore> scores = {sound(false), sound(true)};
  change(scores[static_cast<std::size_t>(sensor)], value);
  return find_faults(*slider_crank_mechanism(), scores);
}

void expect_limit(int sensor, Change change, double below, double above, SensorFault fault,
                  TrustLevel level = TrustLevel::Caution) {
  EXPECT_TRUE(found_with(sensor, change, below).empty()) << below;
  const std::vector<SensorFinding> found = found_with(sensor, change, above);
  ASSERT_EQ(found.size(), 1U) << above;
  EXPECT_EQ(found[0].sensor, sensor);
  EXPECT_EQ(found[0].fault, fault);
  EXPECT_EQ(found[0].level, level);
  EXPECT_THAT(found[0].reason, HasSubstr(sensor == kEncoder ? "encoder" : "accelerometer"));
  EXPECT_FALSE(found[0].advice.empty());
}

void size(SensorScore& score, double value) { score.normalised.size = value; }
void slow(SensorScore& score, double value) { score.normalised.slow = value; }
void drift(SensorScore& score, double value) { score.normalised.drift = value; }
void previous(SensorScore& score, double value) { score.normalised.previous = value; }
void strongest(SensorScore& score, double value) { score.normalised.strongest = value; }
void rejected(SensorScore& score, double value) {
  score.rejected = static_cast<Eigen::Index>(value);
}

TEST(FindFaults, SaysNothingOfSoundSensors) {
  EXPECT_TRUE(found_with(kEncoder, size, 1.0).empty());
}

TEST(FindFaults, LimitsOfTheSize) {
  expect_limit(kEncoder, size, 1.09, 1.11, SensorFault::TooLarge);
  EXPECT_EQ(found_with(kEncoder, size, 1.72)[0].level, TrustLevel::Caution);
  EXPECT_EQ(found_with(kEncoder, size, 1.74)[0].level, TrustLevel::Bad);
  // An encoder whose sigma is one count, not the 1/√12 of it: 3.6 times too large, and good.
  expect_limit(kEncoder, size, 0.26, 0.24, SensorFault::TooSmall);
  // A NIS 60 times too small.
  expect_limit(kAccelerometer, size, 1.0, 1.0 / std::sqrt(60.0), SensorFault::TooSmall);
}

TEST(FindFaults, LimitsOfTheCourse) {
  expect_limit(kEncoder, slow, 1.19, 1.21, SensorFault::Strays);
  expect_limit(kEncoder, drift, 1.39, 1.41, SensorFault::Drifts);
  // What the motion model does not foresee may last in the highest sensor.
  EXPECT_TRUE(found_with(kAccelerometer, slow, 4.0).empty());
  EXPECT_TRUE(found_with(kAccelerometer, drift, 4.0).empty());
}

TEST(FindFaults, LimitsOfTheColour) {
  expect_limit(kEncoder, strongest, 0.29, 0.31, SensorFault::Regular);
  expect_limit(kEncoder, strongest, -0.29, -0.31, SensorFault::Regular);
  expect_limit(kAccelerometer, strongest, 0.79, 0.81, SensorFault::Regular);
  expect_limit(kEncoder, previous, -0.19, -0.21, SensorFault::Follows);
  expect_limit(kAccelerometer, previous, -0.19, -0.21, SensorFault::Follows);
  // A density that is too large does the same on the safe side.
  const auto eager = [](SensorScore& score, double value) {
    score.normalised.previous = value;
    score.normalised.size = 0.89;
  };
  EXPECT_TRUE(found_with(kAccelerometer, eager, -0.3).empty());
}

TEST(FindFaults, LimitOfTheGate) { expect_limit(kEncoder, rejected, 50, 51, SensorFault::KeptOut); }

// In a short record chance alone passes the limits.
TEST(FindFaults, LeavesRoomForChance) {
  const auto short_record = [](SensorScore& score, double value) {
    score.normalised.size = score.normalised.slow = score.normalised.drift = value;
    score.normalised.size_limit = score.normalised.slow_limit = score.normalised.drift_limit = 3.0;
  };
  EXPECT_TRUE(found_with(kEncoder, short_record, 2.9).empty());
  EXPECT_FALSE(found_with(kEncoder, short_record, 3.1).empty());
}

// An accelerometer of the slider sees what the encoder of the crank sees, but for dead centres.
TEST(HighestSensors, OfTheSliderCrank) {
  const Eigen::VectorXd turn = Eigen::VectorXd::LinSpaced(200, 0.0, 6.2);
  EXPECT_EQ(highest_sensors(*slider_crank_mechanism(), turn), (std::vector<bool>{false, true}));
}

// A gyroscope does not see where a plate goes, only how it turns.
TEST(HighestSensors, OfAPlate) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "plate"}};
  d.coordinates = {parse_coordinate("x(plate)"), parse_coordinate("y(plate)"),
                   parse_coordinate("angle(plate)")};
  d.sensors = {{.name = "x", .kind = SensorKind::Displacement, .of = "plate", .sigma = 0.01},
               {.name = "turn", .of = "plate", .sigma = 0.01},
               {.name = "gyro", .kind = SensorKind::AngularRate, .of = "plate", .sigma = 0.01}};
  const Eigen::MatrixXd path = Eigen::MatrixXd::Zero(3, 3);
  EXPECT_EQ(highest_sensors(Mechanism(d), path), (std::vector<bool>{true, false, true}));
}

}  // namespace find_faults_test
}  // namespace alembert::estimate
