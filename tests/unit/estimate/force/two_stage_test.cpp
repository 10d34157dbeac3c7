#include "alembert/estimate/force/two_stage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/estimate/observe.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/estimate/force/pushed_slider.hpp"

namespace alembert::test::two_stage_test {

using namespace pushed_slider_examples;  // NOLINT: the example of all tests of forces
using estimate::ForceDirection;
using estimate::ForceModel;
using estimate::KinematicObserverOptions;
using estimate::ObserverForm;
using estimate::TwoStageEstimate;

KinematicObserverOptions two_stages(double angle, double speed) {
  KinematicObserverOptions options;
  options.form = ObserverForm::TwoStage;
  options.output_noise.density = {100.0};
  options.output_noise.force_density = {3e4};
  options.start.z = numbers({angle});
  options.start.zd = numbers({speed});
  return options;
}

// Back and forth about 1.45 rad: it never comes to a dead centre.
Motion swinging(double seconds) {
  Motion m = motion(seconds);
  const double f = 2.0 * std::numbers::pi;
  for (Eigen::Index k = 0; k < m.time.size(); ++k) {
    const double t = m.time(k);
    m.path.z(k, 0) = 1.45 + 0.6 * std::sin(f * t);
    m.path.zd(k, 0) = 0.6 * f * std::cos(f * t);
    m.path.zdd(k, 0) = -0.6 * f * f * std::sin(f * t);
  }
  return m;
}

// The motion is that of the first stage, which never hears of forces; the force of rms 31.6 N is
// found, and deviations are no false confidence (mean of (error/deviation)² below 3).
TEST(TwoStage, FindsTheForceBesideAMotionThatDoesNotDependOnIt) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(3.0);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  for (const ForceModel walk : {ForceModel::RandomWalk, ForceModel::IntegratedRandomWalk}) {
    KinematicObserverOptions options = two_stages(0.4, 6.0);
    options.output.force_model = walk;
    if (walk == ForceModel::IntegratedRandomWalk) options.output_noise.force_density = {1e7};
    const TwoStageEstimate found =
        observe_two_stages(mechanism, m.time, readings, options, {.smooth = true});
    ASSERT_TRUE(found.ok()) << found.message;
    EXPECT_EQ(found.direction, ForceDirection::Known);
    EXPECT_EQ(found.forces.names[1], "force(load)");
    const ForceScore score = score_force(found.forces, 1, m);
    EXPECT_LT(score.rms, 10.0) << name_of(walk);
    EXPECT_LT(score.nees, 3.0) << name_of(walk);
    EXPECT_LT(score.smoothed_rms, score.rms) << name_of(walk);
    const auto alone = observe_record(mechanism, m.time, readings, first_stage(*mechanism, options),
                                      {.smooth = true});
    EXPECT_EQ(alone.mean, found.motion.mean);
  }
}

// With the true motion and no noise the balance is the equation by hand: f12 gives the torque of
// the force, f21 the force of the torque.
TEST(TwoStage, BothDirectionsAreTheEquationByHand) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = swinging(1.5);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  KinematicObserverOptions options = two_stages(1.45, 3.8);
  options.output_noise.force_density = {1e9};  // forces follow the cell
  options.stages.from_motion = false;
  Eigen::VectorXd of_direction[2];
  for (const ForceDirection direction : {ForceDirection::Known, ForceDirection::Unknown}) {
    options.stages.direction = direction;
    const TwoStageEstimate found = observe_two_stages(mechanism, m.time, readings, options);
    ASSERT_TRUE(found.ok()) << found.message;
    EXPECT_EQ(found.direction, direction);
    of_direction[direction == ForceDirection::Known ? 0 : 1] = found.forces.mean.col(1);
    for (Eigen::Index k = 100; k < m.time.size(); k += 50) {
      const double torque = torque_by_hand(found.motion.mean(k, 0), found.motion.mean(k, 1),
                                           found.motion.mean(k, 2), found.forces.mean(k, 1));
      // The forces obey the balance at the estimated motion exactly, whatever the cell reads.
      EXPECT_NEAR(found.forces.mean(k, 0), torque, 1e-6 * (1.0 + std::abs(torque))) << k;
    }
  }
  // Both trust the reading of 0.28 N m to a part in 1e5; arms are 0.08 m and more, forces 60 N.
  EXPECT_LT((of_direction[0] - of_direction[1]).tail(1000).cwiseAbs().maxCoeff(), 0.05);
}

// A torque at the crank always moves it: f12. A measured force on the slider does not at the dead
// centres, while an unknown torque does: f21.
TEST(TwoStage, TakesTheBetterConditionedDirection) {
  MechanismDescription d = pushed_slider();
  const Motion m = motion(2.0);
  const auto taken = [&](const MechanismDescription& description) {
    const auto mechanism = std::make_shared<const Mechanism>(description);
    const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
    const TwoStageEstimate found =
        observe_two_stages(mechanism, m.time, readings, two_stages(0.4, 6.0));
    return found.direction;
  };
  EXPECT_EQ(taken(d), ForceDirection::Known);
  d.forces[0].known = false;
  d.forces[1].known = true;
  d.sensors[2] = {.name = "load cell", .kind = SensorKind::Force, .of = "load", .sigma = 0.28};
  EXPECT_EQ(taken(d), ForceDirection::Unknown);
}

// The published first stage: the accelerometer drives the motion.
TEST(TwoStage, TakesTheInputFormAsItsFirstStage) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = swinging(3.0);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  KinematicObserverOptions options = two_stages(1.45, 3.8);
  options.stages.motion = ObserverForm::Input;
  options.input.inputs = {1};
  options.input.outputs = {0};
  const TwoStageEstimate found = observe_two_stages(mechanism, m.time, readings, options);
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_LT(score_force(found.forces, 1, m).rms, 10.0);
  options.input.scheme = estimate::AccelerationScheme::None;
  EXPECT_NE(message_of([&] {
              (void)observe_two_stages(mechanism, m.time, readings, options);
            }).find("must estimate accelerations"),
            std::string::npos);
}

// Both stages as one estimate: states, innovations and squares side by side.
TEST(TwoStage, JoinsItsStages) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(1.0);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  const KinematicObserverOptions options = two_stages(0.4, 6.0);
  const estimate::RecordOptions keep{.smooth = true, .keep_covariances = true};
  const TwoStageEstimate stages = observe_two_stages(mechanism, m.time, readings, options, keep);
  const auto joined = observe_record(mechanism, m.time, readings, options, keep);
  EXPECT_EQ(joined.names, (std::vector<std::string>{"angle(crank)", "angle(crank)'",
                                                    "angle(crank)''", "force(load)"}));
  EXPECT_EQ(joined.names, estimated_states(mechanism, options));
  EXPECT_EQ(joined.outputs, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(joined.mean.leftCols(3), stages.motion.mean);
  EXPECT_EQ(joined.mean.col(3), stages.forces.mean.col(1));
  EXPECT_EQ(joined.smoothed_mean.col(3), stages.forces.smoothed_mean.col(1));
  EXPECT_EQ(joined.used.back(), 3);
  EXPECT_DOUBLE_EQ(joined.nis(900), stages.motion.nis(900) + stages.forces.nis(900));
  const Eigen::MatrixXd& P = joined.covariances.back();
  EXPECT_EQ(P.rows(), 4);
  EXPECT_EQ(P(3, 3), stages.forces.covariances.back()(1, 1));
  EXPECT_EQ(P(2, 3), 0.0);
}

// Noise levels of both stages from the readings alone: the error stays within 1.5 of that with a
// density chosen for this force.
TEST(TwoStage, ObserveFindsItsLevels) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(2.0);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  estimate::ObserveOptions options;
  options.form = ObserverForm::TwoStage;
  options.output.forces = true;
  const estimate::ObserveResult found = estimate::observe(mechanism, m.time, readings, options);
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_EQ(found.fitted.size(), 2U);
  EXPECT_EQ(found.fitted[1].name, "density of force(load)");
  EXPECT_EQ(found.options.stages.direction, ForceDirection::Known);
  const TwoStageEstimate given =
      observe_two_stages(mechanism, m.time, readings, two_stages(0.4, 6.0));
  EXPECT_LT(score_force(found.estimate, 3, m).rms, 1.5 * score_force(given.forces, 1, m).rms);
}

TEST(TwoStage, SaysWhatItCannotDo) {
  const auto message = [](const MechanismDescription& d, const KinematicObserverOptions& options) {
    const auto mechanism = std::make_shared<const Mechanism>(d);
    const Motion m = motion(0.1);
    const Eigen::MatrixXd readings =
        Eigen::MatrixXd::Zero(m.time.size(), static_cast<Eigen::Index>(d.sensors.size()));
    return message_of([&] { (void)observe_two_stages(mechanism, m.time, readings, options); });
  };
  KinematicObserverOptions options = two_stages(0.4, 6.0);
  options.stages.motion = ObserverForm::Dynamic;
  EXPECT_EQ(message(pushed_slider(), options),
            "observe_two_stages: stages.motion must be output or input, got dynamic");
  MechanismDescription d = pushed_slider();
  d.sensors.pop_back();
  EXPECT_EQ(message(d, two_stages(0.4, 6.0)),
            "ForceBalance: force 'drive' must have a sensor of kind force or torque, or be "
            "unknown, got none");
  d = pushed_slider();
  d.forces.pop_back();
  EXPECT_EQ(message(d, two_stages(0.4, 6.0)),
            "observe_two_stages: unknown forces must be sought in the second stage, got none");
  EXPECT_EQ(message_of([&] {
              (void)estimate::KinematicObserver(std::make_shared<const Mechanism>(pushed_slider()),
                                                two_stages(0.4, 6.0));
            }),
            "KinematicObserver: form must be output, input or dynamic: two stages are two "
            "observers, and observe_record runs them, got two-stage");
}

}  // namespace alembert::test::two_stage_test
