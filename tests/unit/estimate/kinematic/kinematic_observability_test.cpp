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

// The slider's place alone, h(θ) = a cos θ + √(b² − (a sin θ − e)²): S = 0 where crank and rod are
// in line, sin θ = e/(b ± a), which falls between the places of a grid.
TEST(KinematicObservability, FindsDeadCentresBetweenPlaces) {
  const double a = 0.05, b = 0.15, e = 0.02, pi = std::numbers::pi;
  MechanismDescription d;
  d.bodies = {{.name = "crank", .points = {{"A", {a, 0.0}}}},
              {.name = "rod", .points = {{"B", {b, 0.0}}}},
              {.name = "slider"}};
  d.joints = {{.name = "O", .b = "crank"},
              {.name = "A", .a = "crank.A", .b = "rod"},
              {.name = "B", .a = "rod.B", .b = "slider"},
              {.name = "guide",
               .kind = model::planar::JointKind::Prismatic,
               .b = "slider",
               .through = Eigen::Vector2d(0.0, e)}};
  d.coordinates = {model::planar::parse_coordinate("angle(crank)")};
  d.sensors = {{.name = "x",
                .kind = model::planar::SensorKind::Displacement,
                .of = "slider",
                .sigma = 1e-4}};
  const ObservabilityReport report =
      examined(Mechanism(d), Eigen::VectorXd::Constant(1, 1.0),
               {.lower = Eigen::VectorXd::Zero(1), .upper = Eigen::VectorXd::Constant(1, 2 * pi)});
  EXPECT_EQ(report.positions, 37);
  EXPECT_FALSE(report.output_form);
  EXPECT_EQ(report.position_sensors.lowest_rank, 0);
  ASSERT_EQ(report.position_sensors.singular.size(), 2U);
  // A golden section of 45 steps leaves 4e-10 of a cell.
  EXPECT_NEAR(report.position_sensors.singular[0](0), std::asin(e / (b + a)), 1e-9);
  EXPECT_NEAR(report.position_sensors.singular[1](0), pi + std::asin(e / (b - a)), 1e-9);
  ASSERT_FALSE(report.suggestions.empty());
  EXPECT_EQ(report.suggestions.front().sensor.name, "angle(crank)");
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

// x of the tip is blind to the elbow where θ1 + θ2 = π, a line that no place of the grid is on.
TEST(KinematicObservability, FindsSingularPlacesOfTwoCoordinates) {
  const ObservabilityReport report = examined(
      Mechanism(arm(true)), Eigen::Vector2d(0.3, 0.4),
      {.lower = Eigen::Vector2d(0.2, 0.3), .upper = Eigen::Vector2d(1.1, 2.6), .points = 8});
  EXPECT_EQ(report.position_sensors.lowest_rank, 1);
  ASSERT_FALSE(report.position_sensors.singular.empty());
  for (const Eigen::VectorXd& z : report.position_sensors.singular) {
    EXPECT_NEAR(z.sum(), std::numbers::pi, 1e-6);
  }
}

// A chain of bars with an inclinometer at its root only: two sensors are missing.
TEST(KinematicObservability, SuggestsTwoSensors) {
  using namespace model::planar;
  MechanismDescription d = arm(false);
  d.bodies.push_back({.name = "hand", .points = {{"A", {0.0, 0.0}}}});
  d.joints.push_back({.name = "wrist", .a = "lower.T", .b = "hand.A"});
  d.coordinates.push_back(parse_coordinate("angle(hand, lower)"));
  const ObservabilityReport report =
      examined(Mechanism(d), Eigen::Vector3d(0.3, 0.4, 0.1),
               {.lower = Eigen::Vector3d(0.2, 0.3, -0.2), .upper = Eigen::Vector3d(0.8, 1.5, 0.4)});
  EXPECT_EQ(report.position_sensors.lowest_rank, 1);
  ASSERT_FALSE(report.suggestions.empty());
  for (const auto& suggestion : report.suggestions) {
    ASSERT_TRUE(suggestion.second.has_value());
    // By hand: rows (1 0 0), and two of (1 1 0), (1 1 1), (0 1 0), (0 0 1), (0 1 1), all full.
    EXPECT_TRUE(std::isfinite(suggestion.worst_condition));
    EXPECT_NE(suggestion.sensor.name, "angle(upper)");
    EXPECT_NE(suggestion.second->name, "angle(upper)");
  }
  EXPECT_THAT(report.message, HasSubstr("more than one sensor is missing: add two such as '"));
}

// A pendulum with an accelerometer along its bar: at rest it reads −g·e = g sin θ, and sees the
// angle but where the bar is upright, cos θ = 0.
TEST(KinematicObservability, AccelerometersSeeInclinationThroughGravity) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "bar", .points = {{"S", {0.3, 0.0}}}}};
  d.joints = {{.name = "O", .b = "bar"}};
  d.coordinates = {parse_coordinate("angle(bar)")};
  d.sensors = {{.name = "a", .kind = SensorKind::Acceleration, .of = "bar.S", .sigma = 1.0}};
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  const ObservabilityReport seen =
      examined(Mechanism(d), 0.0 * one, {.lower = -0.9 * one, .upper = 1.2 * one});
  EXPECT_TRUE(seen.output_form);
  EXPECT_EQ(seen.position_sensors.lowest_rank, 0);
  EXPECT_EQ(seen.at_rest.lowest_rank, 1);
  // Largest over least of g cos θ; g itself is hit at θ = 0 within half a cell, 2.1/36/2.
  EXPECT_NEAR(seen.at_rest.worst_condition, 1.0 / std::cos(1.2), 0.5 * 0.03 * 0.03 / std::cos(1.2));
  // Across its radius it would see the bar turn; along it, it does not, but for rounding.
  EXPECT_EQ(seen.acceleration_sensors.largest, 0.0);
  d.sensors[0].gravity = false;
  const ObservabilityReport blind =
      examined(Mechanism(d), 0.0 * one, {.lower = -0.9 * one, .upper = 1.2 * one});
  EXPECT_FALSE(blind.output_form);
  EXPECT_EQ(blind.at_rest.largest, 0.0);
}

// Thirty freedoms: a lattice in place of a grid of 2^30 places. The S of absolute encoders on
// relative angles is a triangle of ones everywhere; its condition does not depend on the place.
TEST(KinematicObservability, ExaminesManyFreedoms) {
  using namespace model::planar;
  for (const int n : {9, 17, 30}) {
    MechanismDescription d;
    for (int i = 0; i < n; ++i) {
      const std::string name = "b" + std::to_string(i), last = "b" + std::to_string(i - 1);
      d.bodies.push_back({.name = name, .points = {{"B", {0.1, 0.0}}}});
      d.joints.push_back({.name = "j" + name, .a = i == 0 ? "ground" : last + ".B", .b = name});
      d.coordinates.push_back({.of = name, .relative_to = i == 0 ? "ground" : last});
      d.sensors.push_back({.name = "s" + name, .of = name, .sigma = 0.01});
    }
    const ObservabilityReport report = examined(
        Mechanism(d), Eigen::VectorXd::Zero(n),
        {.lower = Eigen::VectorXd::Constant(n, -0.2), .upper = Eigen::VectorXd::Constant(n, 0.3)});
    EXPECT_TRUE(report.output_form);
    EXPECT_EQ(report.unreachable, 0);
    // Singular values of the triangle of ones: 1/(2 sin((2k − 1)π/(4n + 2))), k = 1 .. n.
    const double part = std::numbers::pi / (4 * n + 2);
    const double condition = std::sin((2 * n - 1) * part) / std::sin(part);
    EXPECT_NEAR(report.position_sensors.worst_condition, condition, 1e-10 * condition);
  }
}

// One length and one angle: in sizes of the mechanism the condition does not depend on the unit
// in which the mechanism is drawn, if the sensors are scaled alike.
TEST(KinematicObservability, ConditionDoesNotDependOnTheUnitOfLength) {
  using namespace model::planar;
  const auto condition = [](double unit) {
    MechanismDescription d;
    d.bodies = {{.name = "sledge", .points = {{"P", {0.2 * unit, 0.0}}}},
                {.name = "arm", .points = {{"A", {-0.3 * unit, 0.0}}, {"T", {0.3 * unit, 0.0}}}}};
    d.joints = {{.name = "guide", .kind = JointKind::Prismatic, .b = "sledge"},
                {.name = "pin", .a = "sledge.P", .b = "arm.A"}};
    d.coordinates = {parse_coordinate("x(sledge)"), parse_coordinate("angle(arm)")};
    d.sensors = {
        {.name = "x", .kind = SensorKind::Displacement, .of = "sledge", .sigma = 0.001 * unit},
        {.name = "e", .of = "arm", .sigma = 0.002}};
    return examined(Mechanism(d), Eigen::Vector2d(0.0, 0.5),
                    {.lower = Eigen::Vector2d(0.0, 0.2),
                     .upper = Eigen::Vector2d(0.5 * unit, 0.9),
                     .points = 5})
        .position_sensors.worst_condition;
  };
  EXPECT_NEAR(condition(1000.0), condition(1.0), 1e-9 * condition(1.0));
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
