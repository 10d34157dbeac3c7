#include "alembert/estimate/force/force_sight.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/estimate/observe.hpp"
#include "unit/estimate/force/pushed_slider.hpp"

namespace alembert::test::force_sight_test {

using namespace pushed_slider_examples;  // NOLINT: the example of all tests of forces
using estimate::ForceSight;

// The torque feels |s'(θ)| of a unit of force: the equation by hand.
TEST(ForceSight, EffectIsTheArmByHand) {
  const Mechanism mechanism(pushed_slider());
  const Motion m = motion(0.4);
  const ForceSight sight = estimate::examine_forces(mechanism, numbers({0.4}), m.path.z);
  ASSERT_EQ(sight.least.size(), m.time.size());
  EXPECT_TRUE(sight.by_cells);
  EXPECT_TRUE(sight.possible());
  for (Eigen::Index k = 0; k < m.time.size(); k += 10) {
    const double arm = std::abs(by_hand(Dual<double, 1>(m.path.z(k, 0), 1.0)).slope.value);
    EXPECT_NEAR(sight.least(k), arm, 1e-12) << k;
    EXPECT_EQ(sight.condition(k), 1.0) << k;
  }
}

TEST(ForceSight, WordsNameDeadCentres) {
  const ForceSight sight =
      estimate::examine_forces(Mechanism(pushed_slider()), numbers({0.4}), motion(1.2).path.z);
  ASSERT_EQ(sight.words().size(), 2U);
  EXPECT_NE(sight.words()[1].find("near dead centres"), std::string::npos);
}

// A force across the slide moves nothing that the torque feels: named before anything runs.
TEST(ForceSight, NamesAForceThatNothingSees) {
  MechanismDescription d = pushed_slider();
  d.forces[1].axis = {0.0, 1.0};
  const auto mechanism = std::make_shared<const Mechanism>(d);
  const Motion m = motion(0.5);
  const std::string reason =
      "no measured force or torque changes with unknown force 'load', at any place of the motion: "
      "turn its axis, measure another force, or take it out";
  const ForceSight sight = estimate::examine_forces(*mechanism, numbers({0.4}), m.path.z);
  EXPECT_EQ(sight.why_not(), reason);
  EXPECT_EQ(sight.words(), std::vector<std::string>{"No" + reason.substr(2) + "."});
  estimate::ObserveOptions options;
  options.output.forces = true;
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  EXPECT_EQ(message_of([&] { (void)estimate::observe(mechanism, m.time, readings, options); }),
            "observe: " + reason);
}

// Two links with an encoder in each joint and forces at the tip.
MechanismDescription pushed_arm(const Eigen::Vector2d& first, const Eigen::Vector2d& second) {
  MechanismDescription d;
  d.bodies = {{.name = "upper", .mass = 1.0, .inertia = 0.01, .points = {{"A", {0.4, 0.0}}}},
              {.name = "lower", .mass = 0.6, .inertia = 0.005, .points = {{"T", {0.3, 0.0}}}}};
  d.joints = {{.name = "O", .b = "upper"}, {.name = "A", .a = "upper.A", .b = "lower"}};
  d.coordinates = {model::planar::parse_coordinate("angle(upper)"),
                   model::planar::parse_coordinate("angle(lower, upper)")};
  d.forces = {
      {.name = "push", .kind = ForceKind::Point, .of = "lower.T", .axis = first, .known = false},
      {.name = "wind", .kind = ForceKind::Point, .of = "lower.T", .axis = second, .known = false}};
  d.sensors = {{.name = "shoulder", .of = "upper", .sigma = 1e-3},
               {.name = "elbow", .of = "lower", .relative_to = "upper", .sigma = 1e-3}};
  return d;
}

TEST(ForceSight, NamesForcesThatDoTheSame) {
  Eigen::MatrixXd path(3, 2);
  path << -1.2, 0.4, -0.8, 0.9, 0.3, 1.4;
  const Eigen::VectorXd start = path.row(0).transpose();
  const ForceSight apart =
      estimate::examine_forces(Mechanism(pushed_arm({1.0, 0.0}, {0.0, 1.0})), start, path);
  EXPECT_TRUE(apart.possible());
  EXPECT_FALSE(apart.by_cells);
  EXPECT_NE(apart.words().back().find("They are told apart with a condition of"),
            std::string::npos);
  const ForceSight same =
      estimate::examine_forces(Mechanism(pushed_arm({1.0, 0.5}, {2.0, 1.0})), start, path);
  EXPECT_EQ(same.why_not(),
            "unknown forces push, wind do the same to every acceleration, at all places of the "
            "motion: no record tells them apart; keep one of them, or measure one");
}

// Without inertia of the lower link, and its mass at the joint, nothing resists its turning.
TEST(ForceSight, NamesMassesThatDoNotDetermineTheMotion) {
  MechanismDescription d = pushed_arm({1.0, 0.0}, {0.0, 1.0});
  d.bodies[1].inertia = 0.0;
  Eigen::MatrixXd path(2, 2);
  path << -1.2, 0.4, -0.8, 0.9;
  const ForceSight sight = estimate::examine_forces(Mechanism(d), path.row(0).transpose(), path);
  EXPECT_EQ(sight.singular, 2);
  EXPECT_NE(sight.why_not().find("give every body a mass and an inertia"), std::string::npos);
}

// Readings within a turn go on from the one before; a missing one stays where it was.
TEST(ForceSight, TakesPlacesFromReadings) {
  const Mechanism mechanism(pushed_slider());
  Eigen::MatrixXd readings = Eigen::MatrixXd::Zero(4, 3);
  readings.col(0) << 3.0, -3.0, std::nan(""), -2.5;
  const Eigen::MatrixXd places =
      estimate::places_from_readings(mechanism, numbers({2.9}), readings);
  const double turn = 2.0 * std::numbers::pi;
  EXPECT_TRUE(
      matrices_near(places, numbers({3.0, turn - 3.0, turn - 3.0, turn - 2.5}), {.abs = 1e-14}));
}

}  // namespace alembert::test::force_sight_test
