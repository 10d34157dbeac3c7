#include <gtest/gtest.h>

#include "alembert/model/flexible/equilibrium.hpp"
#include "alembert/model/modes.hpp"
#include "alembert/model/planar/equilibrium.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/flexible/flexible_examples.hpp"

namespace alembert::test::flexible_equilibrium_test {

using namespace flexible_examples;
using Eigen::Index;
using Eigen::VectorXd;

VectorXd frequencies(const FlexibleMechanism& mechanism, const VectorXd& q) {
  const auto rest = model::flexible::find_equilibrium(mechanism, q);
  EXPECT_TRUE(rest.ok()) << rest.message;
  return model::undamped_modes(model::flexible::linearise(mechanism, rest.x)).angular_frequency;
}

// A pinned and free beam: tan βL = tanh βL, ω = β² √(EI/ρA). The error of cubic elements falls as
// the fourth power of their length and is above, (βL/N)⁴/720 of ω².
TEST(FlexibleModes, PinnedArmMatchesTheClosedForm) {
  const BeamSection section = steel(0.02, 0.01);
  const double length = 0.8;
  const std::vector<double> roots = {3.926602312047919, 7.068582745628732, 10.210176122813031};
  for (const int elements : {6, 12}) {
    const FlexibleMechanism mechanism(arm(length, section, elements), VectorXd::Constant(1, 0.4));
    const VectorXd found = frequencies(mechanism, VectorXd::Constant(1, 0.4));
    EXPECT_EQ(found(0), 0.0);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const double exact =
          roots[i] * roots[i] / (length * length) *
          std::sqrt(section.modulus * section.second_moment / (section.density * section.area));
      const double error = found(static_cast<Index>(i) + 1) / exact - 1.0;
      const double bound = std::pow(roots[i] / elements, 4) / 720.0;
      EXPECT_GT(error, -1e-10);
      EXPECT_LT(error, bound);
    }
  }
}

// With a hub of a large inertia the arm is clamped: cos βL cosh βL = −1. The hub is 1e5 times the
// inertia of the arm, which moves the frequencies by 1e-5.
TEST(FlexibleModes, HeavyHubClampsTheArm) {
  const BeamSection section = steel(0.02, 0.01);
  FlexibleDescription description = arm(0.8, section, 10);
  const double inertia = section.density * section.area * std::pow(0.8, 3) / 3.0;
  description.bodies[0].lumps = {{"A", 0.0, 1e5 * inertia}};
  const VectorXd q = VectorXd::Constant(1, 0.4);
  const VectorXd found = frequencies(FlexibleMechanism(description, q), q);
  const double unit =
      std::sqrt(section.modulus * section.second_moment / (section.density * section.area)) /
      (0.8 * 0.8);
  EXPECT_NEAR(found(1), std::pow(1.875104068711961, 2) * unit, 1e-4 * found(1));
  EXPECT_NEAR(found(2), std::pow(4.694091132974175, 2) * unit, 1e-4 * found(2));
}

// Two halves welded together are the whole arm: the same elements, so the same frequencies.
TEST(FlexibleModes, WeldedHalvesAreTheWholeArm) {
  const BeamSection section = steel(0.02, 0.01);
  const VectorXd q = VectorXd::Constant(1, 0.4);
  FlexibleDescription halves = arm(0.4, section, 3);
  halves.mechanism.bodies.push_back(
      {.name = "outer", .points = {{"A", {0.0, 0.0}}, {"B", {0.4, 0.0}}}});
  halves.mechanism.joints.push_back(
      {.kind = model::planar::JointKind::Fixed, .a = "arm.B", .b = "outer.A"});
  halves.bodies.push_back({.name = "outer", .section = section, .elements = 3});
  const VectorXd whole = frequencies(FlexibleMechanism(arm(0.8, section, 6), q), q);
  const VectorXd welded = frequencies(FlexibleMechanism(halves, q), q);
  ASSERT_EQ(welded.size(), whole.size());
  // Rounding of eigenvalues is relative to the largest one, 1e6 times that of the first mode.
  EXPECT_TRUE(matrices_near(welded, whole, {.rel = 1e-9}));
}

// A level arm under its weight, held by a spring at the pin: q = −m g L/2 / k against level, tip
// below the line of the arm by ρAgL⁴/(8EI), the cantilever of textbooks. Exact at the nodes for a
// uniform load but for the tilt of the arm, 1 − cos q.
TEST(FlexibleEquilibrium, HangsLikeTheCantileverOfTextbooks) {
  const BeamSection section = steel(0.02, 0.01);
  FlexibleDescription description = arm(0.8, section, 3);
  description.mechanism.gravity = {0.0, -9.81};
  description.mechanism.passive = {
      {.name = "spring", .kind = model::planar::PassiveKind::Angle, .b = "arm", .stiffness = 5e5}};
  const FlexibleMechanism mechanism(description, VectorXd::Zero(1));
  const auto rest = model::flexible::find_equilibrium(mechanism, VectorXd::Zero(1));
  ASSERT_TRUE(rest.ok()) << rest.message;
  const double weight = section.density * section.area * 9.81;
  EXPECT_NEAR(rest.x(mechanism.elastic()), -0.5 * weight * 0.64 / 5e5,
              1e-3 * 0.5 * weight * 0.64 / 5e5);
  FlexibleState state = mechanism.start();
  ASSERT_TRUE(mechanism.move(numbers(rest.x), state));
  const double sag = weight * std::pow(0.8, 4) / (8.0 * section.modulus * section.second_moment);
  EXPECT_NEAR(mechanism.deflection_of("arm.B", state).y(), -sag, 1e-6 * sag);
}

// Stiff rods: the first mode about the equilibrium is that of the rigid mechanism under gravity and
// spring, found by planar::linearise(). E is 1e3 times that of steel.
TEST(FlexibleEquilibrium, StiffSliderCrankSwingsLikeTheRigidOne) {
  FlexibleDescription description = slider_crank();
  for (auto& body : description.bodies) body.section.modulus *= 1e3;
  description.bodies[0].lumps.clear();
  model::planar::MechanismDescription rigid = description.mechanism;
  for (auto& body : rigid.bodies) {
    for (const auto& flexible : description.bodies) {
      if (flexible.name != body.name) continue;
      const double length = body.points.back().at.x();
      body.mass = flexible.section.area * flexible.section.density * length;
      body.inertia = body.mass * length * length / 12.0;
      body.centre = {0.5 * length, 0.0};
    }
  }
  const model::planar::Mechanism bars(rigid);
  const VectorXd q = VectorXd::Constant(1, -0.4);
  const auto rigid_rest = model::planar::find_equilibrium(bars, q);
  ASSERT_TRUE(rigid_rest.ok()) << rigid_rest.message;
  ASSERT_TRUE(rigid_rest.stable);
  const FlexibleMechanism mechanism(description, q);
  const auto rest = model::flexible::find_equilibrium(mechanism, q);
  ASSERT_TRUE(rest.ok()) << rest.message;
  EXPECT_NEAR(rest.x(mechanism.elastic()), rigid_rest.z(0), 1e-5);
  const auto exact = model::undamped_modes(model::planar::linearise(bars, rigid_rest.z));
  const auto found = model::undamped_modes(model::flexible::linearise(mechanism, rest.x));
  // What the rods still give way: their first frequency is 1e3 times higher, which counts squared.
  EXPECT_NEAR(found.angular_frequency(0), exact.angular_frequency(0),
              1e-3 * exact.angular_frequency(0));
}

TEST(FlexibleEquilibrium, SaysWhereNothingHoldsTheMechanism) {
  const FlexibleMechanism mechanism(arm(0.8, steel(0.02, 0.01), 2), VectorXd::Zero(1));
  const std::vector<double> torque = {1.0};
  const auto rest = model::flexible::find_equilibrium(mechanism, VectorXd::Zero(1), torque);
  EXPECT_FALSE(rest.ok());
  EXPECT_NE(rest.message.find("springs"), std::string::npos);
}

}  // namespace alembert::test::flexible_equilibrium_test
