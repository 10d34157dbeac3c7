// What an observer does when the mechanism cannot follow it, or its gate keeps everything out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "slider_crank_record.hpp"

namespace alembert::estimate {
namespace kinematic_recovery_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A four-bar whose crank cannot turn: ground 0.3, crank 0.16, coupler and rocker 0.2 m. Its crank
/// has an encoder; the rocker's adds hardly anything.
std::shared_ptr<const model::planar::Mechanism> rocking_four_bar(bool encoder) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "ground", .points = {{"Q", {0.3, 0.0}}}},
              {.name = "crank", .points = {{"O", {0.0, 0.0}}, {"A", {0.16, 0.0}}}},
              {.name = "coupler", .points = {{"A", {0.0, 0.0}}, {"B", {0.2, 0.0}}}},
              {.name = "rocker",
               .points = {{"Q", {0.0, 0.0}}, {"B", {0.2, 0.0}}},
               .start = Eigen::Vector3d(0.3, 0.0, 1.9)}};
  d.joints = {{.name = "O", .b = "crank.O"},
              {.name = "A", .a = "crank.A", .b = "coupler.A"},
              {.name = "B", .a = "coupler.B", .b = "rocker.B"},
              {.name = "Q", .a = "ground.Q", .b = "rocker.Q"}};
  d.coordinates = {parse_coordinate("angle(crank)")};
  d.sensors = {{.name = "rocker", .of = "rocker", .sigma = 1e-3}};
  if (encoder) d.sensors.push_back({.name = "crank", .of = "crank", .sigma = 5e-4});
  return std::make_shared<const Mechanism>(d);
}

// The angle of the rocker in closed form, on the branch of the start.
double rocker_angle(double crank) {
  const double x = 0.16 * std::cos(crank) - 0.3;
  const double y = 0.16 * std::sin(crank);
  const double distance = std::hypot(x, y);
  // B is on the circle of radius 0.2 about Q and A.
  return std::atan2(y, x) - std::acos(0.5 * distance / 0.2);
}

/// The limit: crank and ground subtend coupler and rocker stretched, 0.16² + 0.3² - 0.096 c = 0.4².
const double kLimit = std::acos((0.16 * 0.16 + 0.09 - 0.16) / 0.096);

// Swings to 0.01 rad from the limit of 2.06 rad at 1 Hz, read at 20 Hz: a white-jerk prediction
// leaves the reach at each turn. The encoder of the crank brings the estimate back.
TEST(KinematicRecovery, ComesBackFromBeyondTheReach) {
  const auto mechanism = rocking_four_bar(true);
  const Index samples = 160;
  RandomStream random(1);
  VectorXd time(samples), truth(samples);
  MatrixXd readings(samples, 2);
  for (Index k = 0; k < samples; ++k) {
    time(k) = 0.05 * static_cast<double>(k);
    truth(k) = kLimit - 0.41 + 0.4 * std::sin(2.0 * std::numbers::pi * time(k));
    readings(k, 0) = std::numeric_limits<double>::quiet_NaN();
    readings(k, 1) = truth(k) + 5e-4 * random.normal();
  }
  KinematicObserverOptions options;
  options.start.z = truth.head(1);
  options.start.sigma_zd = 10.0;
  options.start.sigma_zdd = 50.0;
  options.output_noise.density = {1e4};
  const KinematicEstimate estimate = observe_record(mechanism, time, readings, options);
  EXPECT_EQ(estimate.status, Status::Success) << estimate.message;
  // All but the reading forgets itself between samples: errors are those of the encoder.
  EXPECT_LT((estimate.mean.col(0) - truth).cwiseAbs().maxCoeff(), 5.0 * 5e-4);
}

// Without an encoder on the crank nothing has a value out there: the observer waits at rest, and
// finds the motion again.
TEST(KinematicRecovery, WaitsWhereNothingLeadsBack) {
  const auto mechanism = rocking_four_bar(false);
  const Index samples = 160;
  VectorXd time(samples), truth(samples);
  MatrixXd readings(samples, 1);
  for (Index k = 0; k < samples; ++k) {
    time(k) = 0.05 * static_cast<double>(k);
    truth(k) = kLimit - 0.5 + 0.4 * std::sin(2.0 * std::numbers::pi * time(k));
    readings(k, 0) = rocker_angle(truth(k));
  }
  KinematicObserverOptions options;
  options.start.z = truth.head(1);
  options.start.zd = VectorXd::Constant(1, 30.0);  // far too fast: out of reach at once
  options.start.sigma_zd = 40.0;
  options.start.sigma_zdd = 50.0;
  options.output_noise.density = {1e4};
  const KinematicEstimate estimate = observe_record(mechanism, time, readings, options);
  EXPECT_GT(estimate.failed, 0);
  EXPECT_LT(estimate.failed, 20);
  EXPECT_THAT(estimate.message, testing::HasSubstr("failed first at sample 2 (t = 0.05 s)"));
  EXPECT_TRUE(estimate.mean.allFinite());
  EXPECT_LT((estimate.mean.col(0) - truth).tail(100).cwiseAbs().maxCoeff(), 0.02);
}

// One reading beyond all reach is left out, without any gate.
TEST(KinematicRecovery, TakesAWildReadingBack) {
  const auto mechanism = rocking_four_bar(true);
  KinematicObserverOptions options;
  options.start.z = VectorXd::Constant(1, 1.0);
  KinematicObserver observer(mechanism, options);
  const std::vector<double> good = {rocker_angle(1.0), 1.0};
  for (int k = 0; k < 50; ++k) ASSERT_EQ(observer.step(0.01, good).status, Status::Success);
  const std::vector<double> wild = {rocker_angle(1.0), 40.0};
  const ObserverStep step = observer.step(0.01, wild);
  EXPECT_EQ(step.status, Status::Success);
  EXPECT_FALSE(step.update.accepted);
  EXPECT_EQ(step.update.rejected, 2);
  EXPECT_NEAR(observer.mean()(0), 1.0, 1e-3);
}

class Gated : public testing::Test {
 protected:
  KinematicObserverOptions options(double probability) const {
    KinematicObserverOptions made;
    made.start.z = VectorXd::Zero(1);
    made.start.zd = VectorXd::Constant(1, 13.8);
    made.output_noise.density = {162.0};
    made.gate = {.probability = probability, .each_output = true};
    return made;
  }
};

// The encoder jumps by 1 rad at 0.4 s and stays there: after 20 readings that the gate keeps out
// the deviations are widened, until they pass.
TEST_F(Gated, FindsTheMotionAgain) {
  VectorXd time = VectorXd::LinSpaced(1000, 0.0, 0.999);
  const test::SliderCrankRecord record = test::slider_crank_record_at(time, 3);
  MatrixXd readings = record.readings;
  for (Index k = 400; k < 1000; ++k) readings(k, 0) = test::one_turn(readings(k, 0) + 1.0);
  readings.col(1).setConstant(std::numeric_limits<double>::quiet_NaN());
  const KinematicEstimate estimate =
      observe_record(test::slider_crank_mechanism(), time, readings, options(0.999));
  EXPECT_GE(estimate.widened, 1);
  EXPECT_GE(estimate.rejected_readings[0], 20);
  EXPECT_LT(estimate.rejected_readings[0], 150);
  const double error =
      std::remainder(estimate.mean(999, 0) - record.theta(999) - 1.0, 2.0 * std::numbers::pi);
  EXPECT_NEAR(error, 0.0, 0.02);
}

// Outliers of the accelerometer between two positions are no reason to doubt the estimate.
TEST_F(Gated, OpensForPositionsOnly) {
  VectorXd time = VectorXd::LinSpaced(1000, 0.0, 0.999);
  const test::SliderCrankRecord record = test::slider_crank_record_at(time, 5);
  MatrixXd readings = record.readings;
  for (Index k = 0; k < 1000; ++k) {
    if (k % 200 != 0) readings(k, 0) = std::numeric_limits<double>::quiet_NaN();
    if (k % 5 == 3) readings(k, 1) += 100.0;
  }
  const KinematicEstimate estimate =
      observe_record(test::slider_crank_mechanism(), time, readings, options(0.99999));
  EXPECT_EQ(estimate.rejected_readings[1], 200);
  EXPECT_EQ(estimate.widened, 0);
}

// Rejected readings are counted for their sensor, and kept to be shown.
TEST_F(Gated, CountsWhatItKeepsOut) {
  VectorXd time = VectorXd::LinSpaced(600, 0.0, 0.599);
  const test::SliderCrankRecord record = test::slider_crank_record_at(time, 4);
  MatrixXd readings = record.readings;
  for (Index k = 105; k < 600; k += 50) readings(k, 1) += 100.0;
  const KinematicEstimate estimate =
      observe_record(test::slider_crank_mechanism(), time, readings, options(0.99999));
  EXPECT_EQ(estimate.rejected_readings[0], 0);
  EXPECT_EQ(estimate.rejected_readings[1], 10);
  EXPECT_EQ(estimate.rejected, 0);  // the encoder was used all the same
  EXPECT_NEAR(estimate.innovation(105, 1), 100.0, 5.0);
  EXPECT_TRUE(std::isnan(estimate.whitened(105, 1)));
  EXPECT_EQ(estimate.used[105], 1);
}

}  // namespace kinematic_recovery_test
}  // namespace alembert::estimate
