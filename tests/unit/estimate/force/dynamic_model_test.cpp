#include "alembert/estimate/force/dynamic_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/estimate/force/pushed_slider.hpp"

namespace alembert::test::dynamic_model_test {

using namespace pushed_slider_examples;  // NOLINT: the example of all tests of forces
using estimate::DynamicModel;
using estimate::ForceModel;
using estimate::KinematicObserverOptions;

// α = (T + F s' − ½ M' ω² − U') / M
double acceleration_by_hand(double angle, double w, double torque, double force) {
  const auto at = by_hand(Dual<double, 1>(angle, 1.0));
  return (torque + force * at.slope.value - 0.5 * at.M.slope[0] * w * w - at.U.slope[0]) /
         at.M.value;
}

DynamicModel dynamic_slider(ForceModel force_model, bool heun, bool geometry) {
  const auto mechanism = slider_with_a_length();
  return {mechanism,
          assembled_at(*mechanism, 0.7),
          {.output = {.geometry = geometry, .force_model = force_model}, .heun = heun}};
}

struct Drive {
  std::vector<double> before = {12.0}, now = {13.5};

  [[nodiscard]] estimate::ObservedInput input(double step) const {
    return {.step = step, .before = before, .now = now};
  }
};

std::span<double> room(Eigen::VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

// One step by Euler's and by Heun's rule, by the equation of motion of the textbook.
TEST(DynamicModel, StepsAsTheEquationByHand) {
  const double angle = 0.9, w = 5.0, force = 30.0, h = 0.01;
  const Drive drive;
  const double a = acceleration_by_hand(angle, w, 12.0, force);
  const double next_angle = angle + h * w + 0.5 * h * h * a;
  const double next_a = acceleration_by_hand(next_angle, w + h * a, 13.5, force);
  for (const bool heun : {false, true}) {
    const DynamicModel model = dynamic_slider(ForceModel::RandomWalk, heun, false);
    ASSERT_EQ(model.states(), 4);
    Eigen::VectorXd next(4);
    const Eigen::VectorXd x = numbers({angle, w, -3.0, force});
    model.process(drive.input(h), as_span(x), room(next));
    const double next_w = heun ? w + 0.5 * h * (a + next_a) : w + h * a;
    // Newton closes the loop to 1e-12 of the size; accelerations are some 100 rad/s².
    EXPECT_TRUE(matrices_near(next, numbers({next_angle, next_w, next_a, force}), {.rel = 1e-10}));
  }
}

// ∂x⁺/∂x against central differences, with lengths as states and all models of the force.
TEST(DynamicModel, HasExactDerivatives) {
  const Drive drive;
  for (const ForceModel force_model :
       {ForceModel::RandomWalk, ForceModel::IntegratedRandomWalk, ForceModel::LowPass}) {
    for (const bool heun : {false, true}) {
      const DynamicModel model = dynamic_slider(force_model, heun, true);
      const int n = model.states();
      ASSERT_EQ(n, 4 + (force_model == ForceModel::IntegratedRandomWalk ? 2 : 1));
      Eigen::VectorXd x = Eigen::VectorXd::Constant(n, 30.0);
      x.head(4) = numbers({0.9, 5.0, -12.0, 0.002});
      const auto process = [&](const Eigen::VectorXd& at) {
        Eigen::VectorXd next(n);
        model.process(drive.input(0.01), as_span(at), room(next));
        return next;
      };
      Eigen::VectorXd next(n);
      Eigen::MatrixXd F(n, n);
      model.process_jacobian(drive.input(0.01), as_span(x), room(next), F);
      EXPECT_TRUE(matrices_near(next, process(x), {.rel = 1e-13}));
      SCOPED_TRACE(name_of(force_model));
      // h² of third derivatives of some 1e4, and rounding of 1e2 over h
      expect_slopes(process, x, F, 1e-7);
    }
  }
}

// Without a reading of the torque the acceleration is held.
TEST(DynamicModel, HoldsTheAccelerationWhereATorqueIsMissing) {
  const DynamicModel model = dynamic_slider(ForceModel::RandomWalk, true, false);
  Drive drive;
  drive.now = {std::nan("")};
  Eigen::VectorXd next(4);
  const Eigen::VectorXd x = numbers({0.9, 5.0, -12.0, 30.0});
  model.process(drive.input(0.01), as_span(x), room(next));
  EXPECT_TRUE(
      matrices_near(next, numbers({0.9 + 0.05 - 0.0006, 4.88, -12.0, 30.0}), {.rel = 1e-14}));
}

KinematicObserverOptions single_stage() {
  KinematicObserverOptions options;
  options.form = estimate::ObserverForm::Dynamic;
  options.output.forces = true;
  options.input_noise = {.kinematic = {1e-12, 1e-8, 1e-2}, .from_inputs = true};
  options.output_noise.force_density = {3e4};
  options.start.z = numbers({0.4});
  options.start.zd = numbers({6.0});
  return options;
}

// The force is found, with deviations that are no false confidence: the mean of (error/deviation)²
// is 1 for a right filter and held below 3. The force has an rms of 31.6 N.
TEST(DynamicModel, FindsTheForce) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(3.0);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  const auto check = [&](const KinematicObserverOptions& options) {
    const auto estimate = observe_record(mechanism, m.time, readings, options, {.smooth = true});
    EXPECT_TRUE(estimate.ok()) << estimate.message;
    EXPECT_EQ(estimate.names[3], "force(load)");
    const ForceScore score = score_force(estimate, 3, m);
    EXPECT_LT(score.nees, 3.0);
    EXPECT_LT(score.smoothed_rms, score.rms);
    return score.rms;
  };
  const double ekf = check(single_stage());
  EXPECT_LT(ekf, 10.0);
  KinematicObserverOptions points = single_stage();
  points.filter = estimate::square_root(estimate::FilterRule::Simplex);
  EXPECT_NEAR(check(points), ekf, 0.05 * ekf);  // filters tie within 4 % in the reference study
}

// Masses and a measured torque without any unknown force: from an encoder and the torque the speed
// of the crank is known better than from the encoder alone, whatever density its motion is given.
TEST(DynamicModel, WithoutUnknownForcesItIsTheFilterOfTheMasses) {
  MechanismDescription d = pushed_slider();
  d.forces.pop_back();
  const auto mechanism = std::make_shared<const Mechanism>(d);
  Motion m = motion(2.0);
  m.force.setZero();
  Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  readings.col(1).setConstant(std::nan(""));
  const auto rms = [&](const KinematicObserverOptions& options) {
    const auto estimate = observe_record(mechanism, m.time, readings, options);
    EXPECT_TRUE(estimate.ok()) << estimate.message;
    return (estimate.mean.col(1) - m.path.zd.col(0)).tail(m.time.size() - 500).norm();
  };
  const double masses = rms(single_stage());
  KinematicObserverOptions sensors = single_stage();
  sensors.form = estimate::ObserverForm::Output;
  sensors.output.forces = false;
  for (const double density : {1.0, 10.0, 100.0, 1e3, 1e4, 1e5}) {
    sensors.output_noise.density = {density};
    EXPECT_LT(masses, rms(sensors)) << density;
  }
}

TEST(DynamicModel, StepsAllocateNothing) { expect_no_allocations(single_stage()); }

TEST(DynamicModel, SaysWhatIsMissing) {
  expect_missing_named("DynamicModel", [](const MechanismDescription& d) {
    const auto mechanism = std::make_shared<const Mechanism>(d);
    (void)DynamicModel(mechanism, assembled_at(*mechanism, 0.7), {});
  });
}

}  // namespace alembert::test::dynamic_model_test
