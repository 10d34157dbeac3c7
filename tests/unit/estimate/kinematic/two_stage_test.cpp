#include "alembert/estimate/two_stage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "support/message_of.hpp"
#include "unit/estimate/kinematic/pushed_slider.hpp"

namespace alembert::test::two_stage_test {

using namespace pushed_slider_examples;  // NOLINT: the example of all tests of forces
using estimate::ForceDirection;
using estimate::TwoStageEstimate;
using estimate::TwoStageOptions;

TwoStageOptions two_stages(double angle, double speed) {
  TwoStageOptions options;
  options.kinematic.output_noise.density = {100.0};
  options.kinematic.start.z = numbers({angle});
  options.kinematic.start.zd = numbers({speed});
  options.force_density = {3e4};
  return options;
}

double rms_of(const TwoStageEstimate& estimate, const Motion& m, Eigen::Index first) {
  const Eigen::Index rest = m.time.size() - first;
  const Eigen::VectorXd error = (estimate.forces.mean.col(1) - m.force.col(0)).tail(rest);
  return std::sqrt(error.squaredNorm() / static_cast<double>(rest));
}

// The motion is that of the first stage, which never hears of forces; the force of rms 31.6 N is
// found, and deviations are no false confidence (mean of (error/deviation)² below 3).
TEST(TwoStage, FindsTheForceBesideAMotionThatDoesNotDependOnIt) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(3.0);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  const TwoStageOptions options = two_stages(0.4, 6.0);
  const TwoStageEstimate found = observe_two_stages(mechanism, m.time, readings, options);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_EQ(found.direction, ForceDirection::Known);  // it passes dead centres
  EXPECT_EQ(found.forces.names, (std::vector<std::string>{"force(drive)", "force(load)"}));
  EXPECT_LT(rms_of(found, m, 500), 10.0);
  const Eigen::Index rest = m.time.size() - 500;
  const Eigen::ArrayXd error = (found.forces.mean.col(1) - m.force.col(0)).tail(rest).array();
  EXPECT_LT((error / found.forces.deviation.col(1).tail(rest).array()).square().mean(), 3.0);
  const auto alone = observe_record(mechanism, m.time, readings, options.kinematic);
  EXPECT_EQ(alone.mean, found.motion.mean);
}

// Away from dead centres the balance may be divided by the arm of the force. With forces that walk
// fast both directions trust the torque alone and agree.
TEST(TwoStage, DirectionsAgreeAwayFromDeadCentres) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  Motion m = motion(1.5);
  for (Eigen::Index k = 0; k < m.time.size(); ++k) {
    const double t = m.time(k), f = 2.0 * std::numbers::pi;
    m.path.z(k, 0) = 1.45 + 0.6 * std::sin(f * t);
    m.path.zd(k, 0) = 0.6 * f * std::cos(f * t);
    m.path.zdd(k, 0) = -0.6 * f * f * std::sin(f * t);
  }
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  TwoStageOptions options = two_stages(1.45, 3.8);
  const TwoStageEstimate automatic = observe_two_stages(mechanism, m.time, readings, options);
  ASSERT_TRUE(automatic.ok()) << automatic.message;
  EXPECT_EQ(automatic.direction, ForceDirection::Unknown);
  options.force_density = {1e9};
  options.from_motion = false;
  options.direction = ForceDirection::Unknown;
  const TwoStageEstimate f21 = observe_two_stages(mechanism, m.time, readings, options);
  options.direction = ForceDirection::Known;
  const TwoStageEstimate f12 = observe_two_stages(mechanism, m.time, readings, options);
  // Both trust the reading of 0.28 N m to a part in 1e5; arms are 0.08 m and more, forces 60 N.
  EXPECT_LT((f21.forces.mean.col(1) - f12.forces.mean.col(1)).tail(1000).cwiseAbs().maxCoeff(),
            0.05);
}

TEST(TwoStage, SaysWhatItCannotDo) {
  const auto message = [](const MechanismDescription& d, const TwoStageOptions& options) {
    const auto mechanism = std::make_shared<const Mechanism>(d);
    const Motion m = motion(0.1);
    const Eigen::MatrixXd readings =
        Eigen::MatrixXd::Zero(m.time.size(), static_cast<Eigen::Index>(d.sensors.size()));
    return message_of([&] { (void)observe_two_stages(mechanism, m.time, readings, options); });
  };
  TwoStageOptions options = two_stages(0.4, 6.0);
  options.kinematic.output.forces = true;
  EXPECT_EQ(message(pushed_slider(), options),
            "observe_two_stages: kinematic must be the output or input form without forces, got "
            "forces");
  MechanismDescription d = pushed_slider();
  d.sensors.pop_back();
  EXPECT_EQ(message(d, two_stages(0.4, 6.0)),
            "ForceBalance: force 'drive' must have a sensor of kind force or torque, or be "
            "unknown, got none");
}

}  // namespace alembert::test::two_stage_test
