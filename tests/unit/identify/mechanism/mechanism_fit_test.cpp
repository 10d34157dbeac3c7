#include "alembert/identify/mechanism/mechanism_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "unit/identify/mechanism/arms.hpp"

namespace alembert::identify {
namespace mechanism_fit_test {

using Eigen::Index;
using model::planar::MechanismDescription;
using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

const MechanismFitOptions kLinear = {.between = signal::BetweenSamples::Linear, .substeps = 2};

// A mass on a rail with viscous and dry friction and a motor: the drive of EMPS.
MechanismDescription cart() {
  MechanismDescription made;
  made.gravity.setZero();
  made.bodies = {{.name = "cart", .mass = 95.0, .inertia = 1.0}};
  made.joints = {{.kind = model::planar::JointKind::Prismatic, .a = "ground", .b = "cart"}};
  made.coordinates = {{.kind = model::planar::CoordinateKind::X, .of = "cart"}};
  made.forces = {{.name = "motor", .kind = model::planar::ForceKind::Point, .of = "cart"}};
  made.passive = {{.name = "rail",
                   .kind = model::planar::PassiveKind::Slide,
                   .a = "ground",
                   .b = "cart",
                   .preload = -3.0,
                   .damping = 200.0,
                   .coulomb = 20.0,
                   .smooth_rate = 0.01}};
  made.sensors = {{.name = "scale",
                   .kind = model::planar::SensorKind::Displacement,
                   .of = "cart",
                   .sigma = 1e-5}};
  return made;
}

// Another way to the same: equations, exact derivatives, another simulator.
TEST(MechanismFit, ABodyOnARailGivesTheNumbersOfItsEquations) {
  const MechanismDescription rail = cart();
  const Experiment record = arms::recorded(rail, {"60*sin(3*t) + 40*sin(7.7*t + 1)"},
                                           Eigen::VectorXd::Zero(1), 600, 0.01, 5);
  MechanismFitOptions options = kLinear;
  options.fit_start = false;
  options.starts = Eigen::Vector2d::Zero();
  const MechanismFit fit = fit_mechanism(
      rail,
      arms::unknowns(rail, {"cart.mass", "rail.damping", "rail.coulomb", "rail.preload"}, 0.2),
      {record}, options);
  ASSERT_TRUE(fit.ok()) << fit.message;
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"y", ""}};
  EquationFitOptions same;
  same.engine = model::EngineKind::Interpreter;
  same.output_error.simulation = {.between = signal::BetweenSamples::Linear, .substeps = 2};
  const EquationFit other =
      fit_equations("x' = v\nv' = (u - d*v - c*tanh(v/0.01) - o)/m\ny = x", setup,
                    {{.name = "m", .guess = 110.0},
                     {.name = "d", .guess = 240.0},
                     {.name = "c", .guess = 24.0},
                     {.name = "o", .guess = -3.6}},
                    {record}, same);
  ASSERT_TRUE(other.ok()) << other.message;
  const char* const names[] = {"m", "d", "c", "o"};
  for (std::size_t i = 0; i < 4; ++i) {
    const ParameterVerdict mine = parameter_verdict(fit, i);
    const ParameterVerdict theirs = other.parameter(names[i]);
    // Both searches end within a hundredth of a deviation of the optimum.
    EXPECT_NEAR(mine.value, theirs.value, 0.02 * theirs.deviation) << names[i];
    EXPECT_NEAR(mine.deviation, theirs.deviation, 0.02 * theirs.deviation) << names[i];
  }
}

// The rail has dry friction that the description does not know.
TEST(MechanismFit, FrictionThatTheDescriptionHasNotIsNamed) {
  const Experiment record = arms::recorded(cart(), {"60*sin(3*t) + 40*sin(7.7*t + 1)"},
                                           Eigen::VectorXd::Zero(1), 600, 0.01, 5);
  MechanismDescription smooth = cart();
  smooth.passive.front().coulomb = 0.0;
  MechanismFitOptions options = kLinear;
  options.fit_start = false;
  options.starts = Eigen::Vector2d::Zero();
  const MechanismFit fit = fit_mechanism(
      smooth, arms::unknowns(smooth, {"cart.mass", "rail.damping", "rail.preload"}, 0.2), {record},
      options);
  ASSERT_FALSE(fit.estimate.missing_terms.empty());
  const UnmodelledTerm& term = fit.estimate.missing_terms.front();
  EXPECT_THAT(term.text, HasSubstr("smooth_sign(x(cart)'"));
  // First order for a friction of a fifth of the force.
  EXPECT_NEAR(term.coefficient, -20.0, 8.0);
  EXPECT_NE(fit.verdict.level, TrustLevel::Good);
  EXPECT_THAT(fit.verdict.reasons, testing::Contains(HasSubstr("smooth_sign")));
}

TEST(MechanismFit, NumbersOfTwoLinksComeBackWithinTheirDeviations) {
  const MechanismDescription arm = arms::two_link();
  const std::vector<std::string> names = {"upper.inertia", "lower.inertia", "lower.centre.x",
                                          "s.damping",     "e.damping",     "s.coulomb",
                                          "e.coulomb"};
  const Experiment record =
      arms::recorded(arm, arms::kArmTorques, Eigen::Vector2d(-0.6, 0.4), 400, 0.01, 11);
  const MechanismFit fit = fit_mechanism(arm, arms::unknowns(arm, names, 0.15), {record}, kLinear);
  ASSERT_TRUE(fit.ok()) << fit.message;
  EXPECT_EQ(fit.verdict.level, TrustLevel::Good) << testing::PrintToString(fit.verdict.reasons);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ParameterVerdict verdict = parameter_verdict(fit, i);
    // Four deviations: one in 16,000 by chance, for each of seven.
    EXPECT_NEAR(verdict.value, mechanism_parameter(arm, names[i]).value, 4.0 * verdict.deviation)
        << names[i];
    EXPECT_GT(verdict.deviation, 0.0);
  }
}

TEST(MechanismFit, ParametersThatNoMotionTellsApartAreNamed) {
  const MechanismDescription arm = arms::two_link();
  const Experiment record =
      arms::recorded(arm, arms::kArmTorques, Eigen::Vector2d(-0.6, 0.4), 200, 0.01, 11);
  const auto fit_these = [&](const std::vector<std::string>& names) {
    return message_of(
        [&] { (void)fit_mechanism(arm, arms::unknowns(arm, names, 0.05), {record}, kLinear); });
  };
  EXPECT_THAT(fit_these({"upper.inertia", "upper.centre.x", "upper.centre.y", "upper.mass"}),
              AllOf(HasSubstr("upper.mass"), HasSubstr("upper.inertia")));
  EXPECT_THAT(fit_these({"upper.inertia", "s.stribeck-rate"}),
              HasSubstr("s.stribeck-rate has no effect on the motion"));
}

// A gain on the torques, all masses and all friction together change nothing without gravity.
TEST(MechanismFit, AGainBesideAllMassesIsRefused) {
  const MechanismDescription rail = cart();
  const Experiment record = arms::recorded(rail, {"60*sin(3*t) + 40*sin(7.7*t + 1)"},
                                           Eigen::VectorXd::Zero(1), 200, 0.01, 5);
  EXPECT_THAT(message_of([&] {
                (void)fit_mechanism(rail,
                                    arms::unknowns(rail,
                                                   {"cart.mass", "rail.damping", "rail.coulomb",
                                                    "rail.preload", "motor.gain"},
                                                   0.0),
                                    {record}, kLinear);
              }),
              HasSubstr("motor.gain"));
}

TEST(MechanismFit, AnUnknownForceIsRefused) {
  MechanismDescription rail = cart();
  rail.forces.front().known = false;
  const Experiment record{
      .input = Eigen::MatrixXd::Zero(50, 1), .output = Eigen::MatrixXd::Zero(50, 1), .step = 0.01};
  EXPECT_THAT(message_of([&] {
                (void)fit_mechanism(rail, arms::unknowns(rail, {"cart.mass"}, 0.0), {record});
              }),
              HasSubstr("force 'motor'"));
}

// The torque with the wrong sign: nothing may call that good.
TEST(MechanismFit, ATorqueWithTheWrongSignIsNotGood) {
  const MechanismDescription crank = arms::slider_crank();
  Experiment record =
      arms::recorded(crank, arms::kCrankTorques, Eigen::VectorXd::Constant(1, 0.4), 400, 0.01, 3);
  record.input = -record.input;
  const MechanismFit fit = fit_mechanism(
      crank, arms::unknowns(crank, {"crank.inertia", "slider.mass", "guide.damping"}, 0.1),
      {record}, kLinear);
  EXPECT_NE(fit.verdict.level, TrustLevel::Good);
}

}  // namespace mechanism_fit_test
}  // namespace alembert::identify
