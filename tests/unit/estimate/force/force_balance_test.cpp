#include "alembert/estimate/force/force_balance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/estimate/force/pushed_slider.hpp"

namespace alembert::test::force_balance_test {

using estimate::ForceBalance;
using estimate::ForceModel;
using estimate::KinematicObserverOptions;
using estimate::KinematicOutputModel;

using namespace pushed_slider_examples;  // NOLINT: the example of all tests of forces

TEST(ForceBalance, TorqueMatchesTheEquationByHand) {
  const Mechanism mechanism(pushed_slider());
  const Motion m = motion(1.2);
  const auto found =
      estimate::balance_forces(mechanism, m.time, m.path, m.force, Eigen::VectorXd());
  ASSERT_TRUE(found.ok()) << found.message;
  for (Eigen::Index k = 0; k < m.time.size(); k += 20) {
    const double expected =
        torque_by_hand(m.path.z(k, 0), m.path.zd(k, 0), m.path.zdd(k, 0), m.force(k, 0));
    EXPECT_NEAR(found.forces(k, 0), expected, 1e-10 * (1.0 + std::abs(expected))) << k;
    EXPECT_EQ(found.forces(k, 1), m.force(k, 0));
  }
}

// Outputs and their derivatives by all states, against central differences.
TEST(ForceBalance, JointFormHasExactDerivatives) {
  for (const ForceModel force_model :
       {ForceModel::RandomWalk, ForceModel::IntegratedRandomWalk, ForceModel::LowPass}) {
    const auto mechanism = slider_with_a_length();
    const KinematicOutputModel model(
        mechanism, assembled_at(*mechanism, 0.7),
        {.geometry = true, .forces = true, .force_model = force_model});
    const int n = model.states();
    ASSERT_EQ(n, 3 + 1 + (force_model == ForceModel::IntegratedRandomWalk ? 2 : 1));
    ASSERT_EQ(model.outputs(), 3);
    Eigen::VectorXd x = Eigen::VectorXd::Constant(n, 30.0);
    x.head(4) = numbers({0.9, 5.0, -12.0, 0.002});
    const auto output = [&](const Eigen::VectorXd& at) {
      Eigen::VectorXd y(3);
      model.output({}, as_span(at), {y.data(), 3});
      return y;
    };
    const auto process = [&](const Eigen::VectorXd& at) {
      Eigen::VectorXd next(n);
      model.process({.step = 0.01}, as_span(at), {next.data(), static_cast<std::size_t>(n)});
      return next;
    };
    Eigen::VectorXd y(3), next(n);
    Eigen::MatrixXd H(3, n), F(n, n);
    model.output_jacobian({}, as_span(x), {y.data(), 3}, H);
    model.process_jacobian({.step = 0.01}, as_span(x), {next.data(), static_cast<std::size_t>(n)},
                           F);
    // T without a length error, by hand: the geometry state is 2 mm of the crank's end B, whose
    // centre stays.
    EXPECT_TRUE(matrices_near(y, output(x), {.abs = 1e-12}));
    // h² of third derivatives of some 1e3 N m/rad³, and rounding of 100 N m over h
    expect_slopes(output, x, H, 1e-7);
    expect_slopes(process, x, F, 5e-9);
  }
}

KinematicObserverOptions joint(ForceModel force_model, double force_density) {
  KinematicObserverOptions options;
  options.output.forces = true;
  options.output.force_model = force_model;
  options.output_noise.density = {100.0};
  options.output_noise.force_density = {force_density};
  options.start.z = numbers({0.4});
  options.start.zd = numbers({6.0});
  return options;
}

// The force is found where the torque sees it, and errors are as large as the filter says: the mean
// of (error / deviation)² is 1 for a right filter; the force is no random walk, so it is held to
// no false confidence (below 3, three times what it should be) and to being of use.
TEST(ForceBalance, JointFormFindsTheForce) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(4.0);
  const Eigen::MatrixXd readings = noisy_readings(*mechanism, m, 7);
  const auto check = [&](const KinematicObserverOptions& options) {
    const auto estimate = observe_record(mechanism, m.time, readings, options, {.smooth = true});
    EXPECT_TRUE(estimate.ok()) << estimate.message;
    EXPECT_EQ(estimate.names[3], "force(load)");
    const ForceScore score = score_force(estimate, 3, m);
    EXPECT_LT(score.nees, 3.0);
    // The force itself has an rms of 31.6 N.
    EXPECT_LT(score.rms, 10.0);
    EXPECT_LT(score.smoothed_rms, score.rms);
    return score.rms;
  };
  const double walk = check(joint(ForceModel::RandomWalk, 3e4));
  const double smooth = check(joint(ForceModel::IntegratedRandomWalk, 1e7));
  // A smooth force is followed better by the smoother model: the finding of the reference study.
  EXPECT_LT(smooth, walk);
  KinematicObserverOptions points = joint(ForceModel::RandomWalk, 3e4);
  points.filter = estimate::square_root(estimate::FilterRule::Simplex);
  EXPECT_NEAR(check(points), walk, 0.05 * walk);  // filters tie within 4 % in the reference study
}

TEST(ForceBalance, StepsAllocateNothing) {
  expect_no_allocations(joint(ForceModel::RandomWalk, 3e4));
}

TEST(ForceBalance, SaysWhatIsMissing) {
  expect_missing_named("ForceBalance",
                       [](const MechanismDescription& d) { (void)ForceBalance(Mechanism(d)); });
  MechanismDescription d = pushed_slider();
  d.forces[0].known = false;
  EXPECT_NE(message_of([&] { (void)Mechanism(d); }).find("must be a known force"),
            std::string::npos);
}

}  // namespace alembert::test::force_balance_test
