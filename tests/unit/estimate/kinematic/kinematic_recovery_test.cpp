// What an observer does when the mechanism cannot follow it, or its gate keeps everything out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "rocking_four_bar.hpp"
#include "slider_crank_record.hpp"

namespace alembert::estimate {
namespace kinematic_recovery_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kLimit;
using test::rocker_angle;
using test::rocking_four_bar;

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
  // The first prediction leaves the reach; after the wait at rest one reading sets the position,
  // and each wait takes half of the deviation of the velocity, 50 rad/s, away: 2 rad/s, with which
  // it stays within, take 5 at most.
  EXPECT_GE(estimate.failed, 1);
  EXPECT_LE(estimate.failed, 5);
  EXPECT_THAT(estimate.message, testing::HasSubstr("failed first at sample 2 (t = 0.05 s)"));
  EXPECT_TRUE(estimate.mean.allFinite());
  // Exact readings: what is left is less than the noise that the filter was told, and 5 of its
  // deviations are more than chance gives in 100 samples.
  const auto tail = [](const auto& column) { return column.tail(100).array(); };
  EXPECT_LT((tail(estimate.mean.col(0) - truth).abs() / tail(estimate.deviation.col(0))).maxCoeff(),
            5.0);
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

// A reading that is infinite, or so large that its square is, is left out with those beside it: the
// estimate is that of a step without readings.
TEST(KinematicRecovery, LeavesOutReadingsThatOverflow) {
  const test::SliderCrankRecord record = test::slider_crank_record(0.3, 5);
  const double none = std::nan("");
  const double infinite = std::numeric_limits<double>::infinity();
  for (const ObserverFilter filter : std::initializer_list<ObserverFilter>{
           FilterRule::Ekf, square_root(FilterRule::Ekf), FilterRule::Simplex,
           square_root(FilterRule::Simplex)}) {
    for (const double bad : {infinite, -infinite, 1e200}) {
      KinematicObserver observer(test::slider_crank_mechanism(), test::output_form(filter));
      KinematicObserver without(test::slider_crank_mechanism(), test::output_form(filter));
      for (Index k = 0; k < 200; ++k) {
        const double row[] = {record.readings(k, 0), record.readings(k, 1)};
        ASSERT_EQ(observer.step(k == 0 ? 0.0 : 1e-3, row).status, Status::Success);
        ASSERT_EQ(without.step(k == 0 ? 0.0 : 1e-3, row).status, Status::Success);
      }
      const double wrong[] = {record.readings(200, 0), bad};
      const ObserverStep step = observer.step(1e-3, wrong);
      EXPECT_EQ(step.status, Status::Success);
      EXPECT_FALSE(step.update.accepted);
      EXPECT_EQ(step.update.rejected, 2);
      const double nothing[] = {none, none};
      ASSERT_EQ(without.step(1e-3, nothing).status, Status::Success);
      EXPECT_EQ(observer.mean(), without.mean());
      EXPECT_EQ(observer.covariance(), without.covariance());
    }
  }
}

// The record counts such readings, and keeps no infinite innovation.
TEST(KinematicRecovery, CountsReadingsThatOverflow) {
  test::SliderCrankRecord record = test::slider_crank_record(0.3, 5);
  record.readings(200, 1) = std::numeric_limits<double>::infinity();
  const KinematicEstimate estimate =
      observe_record(test::slider_crank_mechanism(), record.time, record.readings,
                     test::output_form(FilterRule::Ekf));
  EXPECT_EQ(estimate.status, Status::Success);
  EXPECT_EQ(estimate.failed, 0);
  EXPECT_EQ(estimate.rejected, 1);
  EXPECT_EQ(estimate.rejected_readings[1], 1);
  EXPECT_TRUE(std::isnan(estimate.innovation(200, 1)));
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

// The encoder alone, which jumps by 1 rad at sample 400 and stays there.
MatrixXd with_a_jump(MatrixXd readings) {
  for (Index k = 400; k < readings.rows(); ++k) {
    readings(k, 0) = test::one_turn(readings(k, 0) + 1.0);
  }
  readings.col(1).setConstant(std::numeric_limits<double>::quiet_NaN());
  return readings;
}

// The encoder jumps by 1 rad at 0.4 s and stays there: after 20 readings that the gate keeps out
// the deviations are widened, until they pass.
TEST_F(Gated, FindsTheMotionAgain) {
  const VectorXd time = VectorXd::LinSpaced(1000, 0.0, 0.999);
  const test::SliderCrankRecord record = test::slider_crank_record_at(time, 3);
  const MatrixXd readings = with_a_jump(record.readings);
  const KinematicEstimate estimate =
      observe_record(test::slider_crank_mechanism(), time, readings, options(0.999));
  // Each time 20 are kept out and deviations grow tenfold: from 0.002 to 1/3.3 rad, where 1 rad
  // passes a gate of 0.999, in three times, and chance rejects 1 of 1000 beside.
  EXPECT_GE(estimate.widened, 1);
  EXPECT_LE(estimate.widened, 3);
  EXPECT_GE(estimate.rejected_readings[0], 20);
  EXPECT_LE(estimate.rejected_readings[0], 3 * 20 + 5);
  const double error =
      std::remainder(estimate.mean(999, 0) - record.theta(999) - 1.0, 2.0 * std::numbers::pi);
  EXPECT_NEAR(error, 0.0, 5.0 * estimate.deviation(999, 0));
}

// What comes after the jump says nothing on what was before: up to the last step before the
// deviations are widened the smoother gives what it gives for the record that ends there.
TEST_F(Gated, SmoothsUpToTheJump) {
  const VectorXd time = VectorXd::LinSpaced(1000, 0.0, 0.999);
  const test::SliderCrankRecord record = test::slider_crank_record_at(time, 3);
  const MatrixXd readings = with_a_jump(record.readings);
  for (const ObserverFilter filter :
       std::initializer_list<ObserverFilter>{FilterRule::Ekf, square_root(FilterRule::Simplex)}) {
    KinematicObserverOptions made = options(0.999);
    made.filter = filter;
    const auto smoothed = [&](Index samples) {
      return observe_record(test::slider_crank_mechanism(), time.head(samples),
                            readings.topRows(samples), made, {.smooth = true});
    };
    const KinematicEstimate whole = smoothed(1000);
    ASSERT_GE(whole.widened, 1);
    const KinematicEstimate first = smoothed(420);  // the 20th reading is kept out at 419
    ASSERT_EQ(first.widened, 0);
    // The same operations on the same numbers.
    EXPECT_EQ(whole.smoothed_mean.topRows(420), first.smoothed_mean);
    EXPECT_EQ(whole.smoothed_deviation.topRows(420), first.smoothed_deviation);
    const VectorXd error = whole.smoothed_mean.col(0).head(400) - record.theta.head(400);
    EXPECT_LT((error.array() / whole.smoothed_deviation.col(0).head(400).array()).abs().maxCoeff(),
              5.0);
  }
}

// Wider deviations are for what moves: a bias stays as certain as it was.
TEST_F(Gated, WidensTheMotionOnly) {
  VectorXd time = VectorXd::LinSpaced(500, 0.0, 0.499);
  const test::SliderCrankRecord record = test::slider_crank_record_at(time, 3);
  for (const ObserverFilter filter :
       std::initializer_list<ObserverFilter>{FilterRule::Ekf, square_root(FilterRule::Ekf)}) {
    KinematicObserverOptions made = options(0.999);
    made.filter = filter;
    made.output.biases = {test::kAccelerometer};
    KinematicObserver observer(test::slider_crank_mechanism(), made);
    bool widened = false;
    for (Index k = 0; k < 500 && !widened; ++k) {
      const MatrixXd before = observer.covariance();
      const double encoder = test::one_turn(record.readings(k, 0) + (k < 400 ? 0.0 : 1.0));
      const double row[] = {encoder, k < 400 ? record.readings(k, 1) : std::nan("")};
      widened = observer.step(k == 0 ? 0.0 : 1e-3, row).widened;
      if (!widened) continue;
      // No update in this step: 10 times as uncertain, more by its process noise, which is less
      // than a hundredth of that; the bias is as it was but for its drift, zero here.
      const MatrixXd after = observer.covariance();
      EXPECT_NEAR(std::sqrt(after(2, 2) / before(2, 2)), 10.0, 0.1);
      EXPECT_NEAR(after(3, 3), before(3, 3), 1e-9 * before(3, 3));
    }
    EXPECT_TRUE(widened);
  }
}

// A sensor that reads 1e200 for long is no reason to know nothing any more.
TEST_F(Gated, WidensNoFurtherThanAReading) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "slider"}};
  d.joints = {{.name = "guide", .kind = JointKind::Prismatic, .b = "slider", .axis = {1.0, 0.0}}};
  d.coordinates = {parse_coordinate("x(slider)")};
  d.sensors = {{.name = "place",
                .kind = SensorKind::Displacement,
                .of = "slider",
                .axis = {1.0, 0.0},
                .sigma = 0.01}};
  KinematicObserver observer(std::make_shared<const Mechanism>(d), options(0.999));
  for (const double bad : {1e200, std::numeric_limits<double>::infinity()}) {
    for (int k = 0; k < 8000; ++k) {
      const ObserverStep step = observer.step(1e-3, std::span<const double>(&bad, 1));
      ASSERT_EQ(step.status, Status::Success);
      ASSERT_FALSE(step.update.accepted);
    }
    ASSERT_TRUE(observer.covariance().allFinite());
    const double good = 0.5;
    for (int k = 0; k < 1000; ++k) {
      ASSERT_EQ(observer.step(1e-3, std::span<const double>(&good, 1)).status, Status::Success);
    }
    EXPECT_NEAR(observer.mean()(0), good, 5.0 * std::sqrt(observer.covariance()(0, 0)));
    EXPECT_LT(observer.covariance()(0, 0), 0.01 * 0.01);  // better than a single reading
  }
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
