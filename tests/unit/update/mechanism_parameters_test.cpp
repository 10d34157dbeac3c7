#include "alembert/update/mechanism_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/model/flexible/equilibrium.hpp"
#include "alembert/model/modes.hpp"
#include "alembert/update/update.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::update::mechanism_parameters_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::flexible::FlexibleDescription;
using model::flexible::FlexibleMechanism;

// An arm on a pin with a mass at its tip, held by gravity where it hangs down.
FlexibleDescription arm() {
  FlexibleDescription made;
  made.mechanism.gravity = Eigen::Vector2d(0.0, -9.81);
  made.mechanism.bodies = {{.name = "arm", .points = {{"O", {0.0, 0.0}}, {"T", {0.8, 0.0}}}}};
  made.mechanism.joints.push_back({.a = "ground", .b = "arm.O"});
  made.mechanism.coordinates.push_back(model::planar::parse_coordinate("angle(arm)"));
  made.bodies = {{.name = "arm",
                  .section = model::flexible::rectangular_section(0.02, 0.004, 70e9, 2700.0),
                  .elements = 3,
                  .lumps = {{"T", 0.1, 0.0}}}};
  return made;
}

const VectorXd kDown = VectorXd::Constant(1, -0.5 * std::numbers::pi);

std::vector<MechanismParameter> parameters() {
  return {
      {MechanismQuantity::Modulus, "arm", {.name = "E", .lower = 0.5, .upper = 2.0, .sigma = 0.1}},
      {MechanismQuantity::Density, "", {.name = "rho", .lower = 0.5, .upper = 2.0, .sigma = 0.1}},
      {MechanismQuantity::LumpMass,
       "arm.T",
       {.name = "tip", .lower = 0.01, .upper = 1.0, .sigma = 0.02}},
      {MechanismQuantity::LumpInertia,
       "arm.T",
       {.name = "J", .lower = 0.0, .upper = 1e-2, .sigma = 1e-3}}};
}

VectorXd frequencies(const FlexibleDescription& description) {
  const FlexibleMechanism mechanism(description, kDown);
  const auto rest = model::flexible::find_equilibrium(mechanism, kDown);
  return model::undamped_modes(model::flexible::linearise(mechanism, rest.x)).angular_frequency /
         (2.0 * std::numbers::pi);
}

TEST(MechanismModel, IsTheMechanismWithOtherValues) {
  const FlexibleDescription description = arm();
  const ParametricModel model = mechanism_model(description, kDown, parameters());
  const VectorXd nominal = model.nominal();
  EXPECT_TRUE(test::matrices_near(nominal, Eigen::Vector4d(1.0, 1.0, 0.1, 0.0), {.abs = 1e-15}));
  const VectorXd p = Eigen::Vector4d(1.2, 0.9, 0.15, 2e-4);
  const auto other = with_values(description, parameters(), p);
  const FlexibleMechanism mechanism(other, kDown);
  const auto rest = model::flexible::find_equilibrium(mechanism, kDown);
  const model::SecondOrder system = model::flexible::linearise(mechanism, rest.x);
  // M is linear; K too, but gravity's part comes from differences of 1e-6 of it.
  EXPECT_TRUE(test::matrices_near(MatrixXd(mass_at(model, p)), system.M,
                                  {.abs = 1e-9 * system.M.cwiseAbs().maxCoeff()}));
  EXPECT_TRUE(test::matrices_near(MatrixXd(stiffness_at(model, p)), system.K,
                                  {.abs = 1e-6 * system.K.cwiseAbs().maxCoeff()}));
}

TEST(MechanismModel, NamesWhatIsNotThere) {
  const auto refusal = [](MechanismQuantity quantity, const std::string& of) {
    return test::message_of([&] {
      (void)mechanism_model(arm(), kDown, {{quantity, of, {.name = "p"}}});
    });
  };
  EXPECT_THAT(refusal(MechanismQuantity::Modulus, "leg"),
              testing::HasSubstr("parameter 'p': of must name a flexible body, got \"leg\""));
  EXPECT_THAT(refusal(MechanismQuantity::LumpMass, "arm.X"),
              testing::HasSubstr("must name a point of the body"));
  EXPECT_THAT(refusal(MechanismQuantity::Spring, "s"), testing::HasSubstr("must name a spring"));
}

// Hanging straight down the absolute motion of the tip is across the arm alone, and a sensor glued
// on the arm along its y axis sees what one of the ground sees along x.
TEST(MechanismSensors, TurnWithTheBodyOrNot) {
  const FlexibleMechanism mechanism(arm(), kDown);
  const auto rest = model::flexible::find_equilibrium(mechanism, kDown);
  const MatrixXd C(mechanism_sensors(
      mechanism, rest.x,
      {{"arm.T", {1.0, 0.0}, false}, {"arm.T", {0.0, 1.0}, true}, {"arm.T", {1.0, 0.0}, true}}));
  EXPECT_TRUE(test::matrices_near(C.row(0), C.row(1), {.abs = 1e-9}));
  // The coordinate turns the arm: the tip moves by its length.
  EXPECT_NEAR(std::abs(C(0, C.cols() - 1)), 0.8, 1e-9);
  EXPECT_NEAR(C(2, C.cols() - 1), 0.0, 1e-9);
}

TEST(UpdateMechanism, FindsTheArmAgain) {
  const FlexibleDescription description = arm();
  const VectorXd truth = Eigen::Vector4d(1.15, 0.95, 0.12, 3e-4);
  const auto true_arm = with_values(description, parameters(), truth);
  MeasuredModes measured;
  measured.frequency_hz = frequencies(true_arm).segment(1, 4);
  const UpdateResult found = update_mechanism(description, kDown, parameters(), measured, {},
                                              {.frequency_sigma = 1e-3, .leave_one_out = false});
  ASSERT_TRUE(found.ok()) << found.message;
  const VectorXd p = [&] {
    VectorXd values(4);
    for (Eigen::Index j = 0; j < 4; ++j)
      values(j) = found.parameters[static_cast<std::size_t>(j)].value;
    return values;
  }();
  const VectorXd after = frequencies(with_values(description, parameters(), p)).segment(1, 4);
  // Priors pull: within the sigma of the frequencies.
  EXPECT_TRUE(test::matrices_near(after, measured.frequency_hz, {.rel = 2e-3}));
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_LT(std::abs(p(static_cast<Eigen::Index>(j)) - truth(static_cast<Eigen::Index>(j))),
              4.0 * found.parameters[j].deviation);
  }
}

}  // namespace alembert::update::mechanism_parameters_test
