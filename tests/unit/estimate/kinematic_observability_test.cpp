#include "alembert/estimate/kinematic_observability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "slider_crank_record.hpp"
#include "support/message_of.hpp"

namespace alembert::test::kinematic_observability_test {

using estimate::examine_sensors;
using estimate::ObservabilityOptions;
using estimate::ObservabilityReport;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::MechanismState;
using testing::HasSubstr;

ObservabilityReport examined(const Mechanism& mechanism, const Eigen::VectorXd& start,
                             const ObservabilityOptions& options) {
  MechanismState state = mechanism.make_state();
  EXPECT_TRUE(mechanism.assemble(start, state).ok());
  return examine_sensors(mechanism, state, options);
}

// The accelerometer of a slider-crank is blind at the dead centres, θ = π/2 + kπ.
TEST(KinematicObservability, FindsTheDeadCentres) {
  const double pi = std::numbers::pi;
  const ObservabilityReport report = examined(*slider_crank_mechanism(), Eigen::VectorXd::Zero(1),
                                              {.lower = Eigen::VectorXd::Zero(1),
                                               .upper = Eigen::VectorXd::Constant(1, 2 * pi),
                                               .points = 41});
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.positions, 41);
  EXPECT_EQ(report.unreachable, 0);
  EXPECT_TRUE(report.output_form);
  EXPECT_TRUE(report.input_form_acceleration);
  EXPECT_FALSE(report.input_form_velocity);
  EXPECT_DOUBLE_EQ(report.position_sensors.worst_condition, 1.0);
  const auto& accelerometer = report.acceleration_sensors;
  EXPECT_EQ(accelerometer.sensors, std::vector<int>{1});
  EXPECT_EQ(accelerometer.lowest_rank, 0);
  ASSERT_EQ(accelerometer.singular.size(), 2U);
  EXPECT_NEAR(accelerometer.singular[0](0), 0.5 * pi, 1e-12);
  EXPECT_NEAR(accelerometer.singular[1](0), 1.5 * pi, 1e-12);
}

MechanismDescription arm(bool with_elbow) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "upper", .points = {{"A", {0.0, 0.0}}, {"B", {0.5, 0.0}}}},
              {.name = "lower", .points = {{"A", {0.0, 0.0}}, {"T", {0.4, 0.0}}}}};
  d.joints = {{.name = "shoulder", .b = "upper.A"},
              {.name = "elbow", .a = "upper.B", .b = "lower.A"}};
  d.coordinates = {parse_coordinate("angle(upper)"), parse_coordinate("angle(lower, upper)")};
  d.sensors = {{.name = "e1", .of = "upper", .sigma = 0.01}};
  if (with_elbow) {
    d.sensors.push_back(
        {.name = "x", .kind = SensorKind::Displacement, .of = "lower.T", .sigma = 0.01});
  }
  return d;
}

const ObservabilityOptions kBox{
    .lower = Eigen::Vector2d(0.2, 0.3), .upper = Eigen::Vector2d(0.8, 1.5), .points = 9};

TEST(KinematicObservability, SuggestsTheMissingSensor) {
  const ObservabilityReport report =
      examined(Mechanism(arm(false)), Eigen::Vector2d(0.3, 0.4), kBox);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.position_sensors.lowest_rank, 1);
  EXPECT_TRUE(std::isinf(report.position_sensors.worst_condition));
  EXPECT_NEAR(std::abs(report.position_sensors.unseen(1)), 1.0, 1e-12);
  ASSERT_FALSE(report.suggestions.empty());
  for (const auto& suggestion : report.suggestions)
    EXPECT_NE(suggestion.sensor.name, "angle(upper)");
  EXPECT_THAT(
      report.message,
      HasSubstr("'angle(lower, upper)' can move unseen; add a sensor such as 'angle(lower"));
}

// S = [1 0; x1 x2] in standard deviations, x2 = −0.4 sin(θ1 + θ2): conditions by hand.
TEST(KinematicObservability, ReportsTheWorstCondition) {
  const ObservabilityReport report =
      examined(Mechanism(arm(true)), Eigen::Vector2d(0.3, 0.4), kBox);
  EXPECT_TRUE(report.ok());
  double largest = 0.0, least = 1e9;
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j < 9; ++j) {
      const double t1 = 0.2 + 0.6 * i / 8.0, t = t1 + 0.3 + 1.2 * j / 8.0;
      const double x2 = -0.4 * std::sin(t), x1 = -0.5 * std::sin(t1) + x2;
      // For 2 x 2: σ₁² + σ₂² = |S|², σ₁σ₂ = |det S|.
      const double square = 1 + x1 * x1 + x2 * x2, det = std::abs(x2);
      const double large = 0.5 * (square + std::sqrt(square * square - 4 * det * det));
      largest = std::max(largest, std::sqrt(large));
      least = std::min(least, det / std::sqrt(large));
    }
  }
  EXPECT_NEAR(report.position_sensors.worst_condition, largest / least, 1e-10 * largest / least);
}

TEST(KinematicObservability, NamesBadArguments) {
  const Mechanism mechanism(arm(true));
  const auto message = [&](const ObservabilityOptions& options) {
    return message_of([&] { (void)examined(mechanism, Eigen::Vector2d(0.3, 0.4), options); });
  };
  EXPECT_EQ(message({.lower = Eigen::Vector2d(0, 1), .upper = Eigen::Vector2d(1, 1)}),
            "examine_sensors: lower must be below upper, got 1 and 1 for 'angle(lower, upper)'");
  EXPECT_EQ(
      message({.lower = Eigen::Vector2d(0, 0), .upper = Eigen::Vector2d(1, 1), .points = 2000}),
      "examine_sensors: points^n must be at most 1e5, got 2000^2");
}

}  // namespace alembert::test::kinematic_observability_test
