#include "alembert/identify/mechanism/inverse_dynamics.hpp"

#include <gtest/gtest.h>

#include "unit/identify/mechanism/arms.hpp"

namespace alembert::identify {
namespace inverse_dynamics_test {

using Eigen::VectorXd;

const std::vector<std::string> kInertias = {"upper.inertia", "lower.inertia", "lower.centre.x",
                                            "s.damping",     "e.damping",     "s.coulomb"};

VectorXd truth_of(const model::planar::MechanismDescription& description,
                  const std::vector<std::string>& names) {
  VectorXd values(static_cast<Eigen::Index>(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    values(static_cast<Eigen::Index>(i)) = mechanism_parameter(description, names[i]).value;
  }
  return values;
}

// Without noise both rules are as exact as the derivatives of the splines.
TEST(InverseDynamics, ARecordWithoutNoiseGivesTheNumbersBack) {
  model::planar::MechanismDescription arm = arms::two_link();
  const VectorXd truth = truth_of(arm, kInertias);
  for (auto& sensor : arm.sensors) sensor.sigma = 0.0;
  const Experiments data = {
      arms::recorded(arm, arms::kArmTorques, Eigen::Vector2d(-0.6, 0.4), 2000, 0.002, 1)};
  const MeasuredPath measured = measured_path(arm, data);
  ASSERT_TRUE(measured.ok()) << measured.message;
  for (const InverseRule rule : {InverseRule::LeastSquares, InverseRule::Instruments}) {
    const InverseDynamicsFit fit =
        fit_inverse_dynamics(values_of(arm), kInertias, 1.3 * truth, data, measured, rule,
                             {.between = signal::BetweenSamples::Linear});
    ASSERT_TRUE(fit.ok()) << fit.message;
    // Dry friction bends the acceleration within its smooth rate, which splines round off.
    EXPECT_LT(((fit.parameters - truth).array() / truth.array()).abs().maxCoeff(), 0.02)
        << name_of(rule) << " " << fit.parameters.transpose();
  }
}

TEST(InverseDynamics, ACoordinateThatNoSensorReadsIsNamed) {
  model::planar::MechanismDescription arm = arms::two_link();
  Experiments data = {
      arms::recorded(arm, arms::kArmTorques, Eigen::Vector2d(-0.6, 0.4), 50, 0.002, 1)};
  arm.sensors.pop_back();
  data.front().output.conservativeResize(Eigen::NoChange, 1);
  const MeasuredPath measured = measured_path(arm, data);
  EXPECT_EQ(measured.status, Status::NotIdentifiable);
  EXPECT_NE(measured.message.find("angle(lower, upper)"), std::string::npos) << measured.message;
}

}  // namespace inverse_dynamics_test
}  // namespace alembert::identify
