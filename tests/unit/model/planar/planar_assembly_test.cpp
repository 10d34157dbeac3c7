#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/model/planar/mechanism.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::test::planar_assembly_test {

using model::planar::Assembly;
using model::planar::FindingKind;
using testing::Contains;
using testing::HasSubstr;

Assembly assembled(const MechanismDescription& description, const Eigen::VectorXd& z) {
  const Mechanism mechanism(description);
  MechanismState state = mechanism.make_state();
  return mechanism.assemble(z, state);
}

TEST(PlanarAssembly, ClosesFromNoGuessAtAll) {
  MechanismDescription d = three_arms();
  for (Body& body : d.bodies) body.start.reset();
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  const Assembly assembly = mechanism.assemble(three_arms_start(), state);
  EXPECT_TRUE(assembly.ok()) << assembly.message;
  EXPECT_EQ(assembly.degrees_of_freedom, 3);
  EXPECT_EQ(assembly.independent, 18);
  EXPECT_LT(mechanism.residual(state).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(PlanarAssembly, TakesTheBranchOfTheRoughPose) {
  for (const double side : {1.0, -1.0}) {
    MechanismDescription d = four_bar(0.3, 0.8, 0.7, 0.9);
    d.bodies[1].start = Eigen::Vector3d(0.4, 0.3 * side, 0.5 * side);
    d.bodies[2].start = Eigen::Vector3d(0.9, 0.3 * side, 1.5 * side);
    const Mechanism mechanism(d);
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(numbers({0.5}), state).ok());
    EXPECT_GT(side * mechanism.position_of("rocker.B", state).y(), 0.0);
  }
}

// Five parallel bars: a third crank of a parallelogram forbids nothing new.
TEST(PlanarAssembly, NamesRedundantJoints) {
  MechanismDescription d = four_bar(0.3, 0.9, 0.3, 0.9);
  d.bodies.push_back(bar("spare", 0.3));
  d.bodies[1].points.push_back({"M", {0.0, 0.0}});
  d.bodies[3].points.push_back({"E", {0.45, 0.0}});
  d.bodies[1].start = Eigen::Vector3d(0.6, 0.25, 0.0);
  d.bodies[2].start = Eigen::Vector3d(1.0, 0.1, 1.0);
  d.joints.push_back({.name = "E", .a = "ground.E", .b = "spare.A"});
  d.joints.push_back({.name = "M", .a = "spare.B", .b = "coupler.M"});
  const Assembly assembly = assembled(d, numbers({1.0}));
  ASSERT_FALSE(assembly.ok());
  ASSERT_EQ(assembly.findings.size(), 1U) << assembly.message;
  EXPECT_EQ(assembly.findings[0].kind, FindingKind::RedundantConstraint);
  EXPECT_THAT(assembly.findings[0].names, Contains("M"));
  EXPECT_THAT(assembly.message, HasSubstr("1 of 12 constraints repeats what others forbid, among"));
  EXPECT_THAT(assembly.message, HasSubstr("free 1 of them in one direction"));
  EXPECT_EQ(assembly.degrees_of_freedom, 1);
}

// Two bars welded to each other and pinned to the ground at the same place: either pin can go, with
// both its rows, and the weld cannot.
TEST(PlanarAssembly, NamesTheJointsThatCanGo) {
  MechanismDescription d;
  d.bodies = {bar("one", 0.4), bar("two", 0.4)};
  d.joints = {{.name = "P", .a = "ground", .b = "one.A"},
              {.name = "Q", .a = "ground", .b = "two.A"},
              {.name = "weld", .kind = JointKind::Fixed, .a = "one.A", .b = "two.A", .angle = 0.5}};
  d.coordinates = {model::planar::parse_coordinate("angle(one)")};
  const Assembly assembly = assembled(d, numbers({0.3}));
  ASSERT_EQ(assembly.findings.size(), 1U) << assembly.message;
  EXPECT_THAT(assembly.findings[0].names, testing::UnorderedElementsAre("P", "Q"));
  EXPECT_THAT(assembly.message, HasSubstr("2 of 7 constraints repeat what others forbid; each of"));
}

// A body without joint: its three freedoms have no coordinate.
TEST(PlanarAssembly, NamesABodyWithoutJoint) {
  MechanismDescription d = slider_crank(0.14, 0.56);
  d.bodies.push_back(bar("lost", 0.1));
  const Assembly assembly = assembled(d, numbers({0.4}));
  ASSERT_FALSE(assembly.ok());
  EXPECT_EQ(assembly.findings[0].kind, FindingKind::WrongDegreesOfFreedom);
  EXPECT_THAT(assembly.findings[0].names, testing::ElementsAre("lost"));
  EXPECT_THAT(assembly.message,
              HasSubstr("4 degrees of freedom (12 unknowns, 8 independent constraints), but 1 "
                        "coordinate is given"));
}

TEST(PlanarAssembly, CountsFreedomsAndNamesWhatIsLoose) {
  MechanismDescription open = four_bar(0.3, 0.8, 0.7, 0.9);
  open.joints.erase(open.joints.begin() + 2);
  const Assembly loose = assembled(open, numbers({0.5}));
  ASSERT_EQ(loose.findings.size(), 1U);
  EXPECT_EQ(loose.findings[0].kind, FindingKind::WrongDegreesOfFreedom);
  EXPECT_THAT(loose.message, HasSubstr("has 3 degrees of freedom (9 unknowns, 6 independent"));
  EXPECT_THAT(loose.findings[0].names, testing::UnorderedElementsAre("coupler", "rocker"));

  MechanismDescription tight = four_bar(0.3, 0.8, 0.7, 0.9);
  tight.coordinates.push_back(model::planar::parse_coordinate("angle(rocker)"));
  const Assembly over = assembled(tight, numbers({0.5, 1.5}));
  ASSERT_FALSE(over.ok());
  EXPECT_EQ(over.findings[0].kind, FindingKind::WrongDegreesOfFreedom);
  EXPECT_THAT(over.findings[0].names,
              testing::UnorderedElementsAre("angle(crank)", "angle(rocker)"));
}

TEST(PlanarAssembly, SaysWhichJointStaysOpen) {
  // At 3 rad the pin of the crank is 1.49 from D; coupler and rocker span 1.1.
  const Assembly far = assembled(four_bar(0.6, 0.5, 0.6, 0.9), numbers({3.0}));
  ASSERT_EQ(far.findings.size(), 1U);
  EXPECT_EQ(far.status, Status::NotConverged);
  EXPECT_EQ(far.findings[0].kind, FindingKind::ImpossibleAssembly);
  EXPECT_THAT(far.message, HasSubstr("angle(crank) = 3"));
  EXPECT_THAT(far.message, HasSubstr("it closes at angle(crank) = "));
  // Bars that are too short for the ground at any angle.
  const Assembly never = assembled(four_bar(0.1, 0.2, 0.1, 0.9), numbers({0.0}));
  EXPECT_EQ(never.findings[0].kind, FindingKind::ImpossibleAssembly);
  EXPECT_THAT(never.message, HasSubstr("do not close at any coordinates"));
}

TEST(PlanarAssembly, NamesSingularConfigurations) {
  // x of the slider does not determine the crank at the dead centre.
  MechanismDescription d = slider_crank(0.14, 0.56);
  d.coordinates = {model::planar::parse_coordinate("x(slider)")};
  const Assembly dead = assembled(d, numbers({0.7}));
  ASSERT_FALSE(dead.ok());
  EXPECT_EQ(dead.findings[0].kind, FindingKind::SingularConfiguration) << dead.message;
  EXPECT_THAT(dead.findings[0].names, Contains("crank"));
  // A flat parallelogram can turn into the crossed one.
  MechanismDescription flat = four_bar(0.3, 0.9, 0.3, 0.9);
  flat.bodies[1].start = Eigen::Vector3d(0.75, 0.0, 0.0);
  flat.bodies[2].start = Eigen::Vector3d(1.05, 0.0, 0.0);
  const Assembly change = assembled(flat, numbers({0.0}));
  ASSERT_FALSE(change.ok());
  EXPECT_EQ(change.findings[0].kind, FindingKind::SingularConfiguration) << change.message;
}

TEST(PlanarAssembly, RunsIntoASingularConfigurationWithAMessage) {
  MechanismDescription d = slider_crank(0.14, 0.56);
  d.coordinates = {model::planar::parse_coordinate("x(slider)")};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  const Assembly start = mechanism.assemble(numbers({0.6}), state);
  ASSERT_TRUE(start.ok()) << start.message;
  const Eigen::VectorXd end = numbers({0.71});
  const model::planar::StepStatus status = mechanism.solve_position(as_span(end), state);
  EXPECT_NE(status, model::planar::StepStatus::Success);
  EXPECT_THAT(mechanism.explain(model::planar::StepStatus::Singular, end, state),
              HasSubstr("'crank'"));
}

}  // namespace alembert::test::planar_assembly_test
