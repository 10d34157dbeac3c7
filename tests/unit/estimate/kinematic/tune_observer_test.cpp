#include "alembert/estimate/observe/tune_observer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "support/message_of.hpp"
#include "unit/estimate/force/pushed_slider.hpp"

namespace alembert::estimate {
namespace tune_observer_test {

using namespace test::pushed_slider_examples;  // NOLINT: a slider-crank by hand
using Eigen::Index;
using Eigen::MatrixXd;
using test::Mechanism;
using test::MechanismDescription;
using test::message_of;

TuneObserverOptions force_options(const Motion& m) {
  TuneObserverOptions options;
  options.start.z = m.path.z.row(0).transpose();
  options.given.coordinates = true;
  options.output.motion = MotionModel::WhiteSnap;
  options.output.forces = true;
  options.output.force_model = ForceModel::IntegratedRandomWalk;
  options.scored_from = 0.5;
  options.truth.columns = {"angle_crank", "angle_crank_velocity", "angle_crank_acceleration",
                           "force_load"};
  options.truth.values.resize(m.time.size(), 4);
  options.truth.values << m.path.z, m.path.zd, m.path.zdd, m.force;
  return options;
}

// Rms errors by observe() with levels that are given.
Eigen::VectorXd errors_with(const std::shared_ptr<const Mechanism>& mechanism, const Motion& m,
                            const MatrixXd& readings, double density, double force_density) {
  ObserveOptions options = force_options(m);
  options.fit_density = false;
  options.output_noise.density = {density};
  options.output_noise.force_density = {force_density};
  const ObserveResult result = observe(mechanism, m.time, readings, options);
  EXPECT_TRUE(result.truth.has_value());
  Eigen::VectorXd rms(4);
  for (int i = 0; i < 4; ++i) rms(i) = result.truth->states[static_cast<std::size_t>(i)].rms;
  return rms;
}

// The promise of the tuning: errors at most 15 % above the least that any levels reach.
TEST(TuneObserver, ComesNearTheBestWithoutTheTruth) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(2.5);
  const MatrixXd readings = noisy_readings(*mechanism, m, 21);
  const ObserverTuning tuning = tune_observer(mechanism, m.time, readings, force_options(m));
  ASSERT_TRUE(tuning.ok()) << tuning.message;
  ASSERT_EQ(tuning.best.size(), 2U);
  ASSERT_EQ(tuning.errors.size(), 4U);
  EXPECT_GE(tuning.excess, 0.0);
  EXPECT_LT(tuning.excess, 0.15);
  // Both are what the observer itself says with these levels: the start is given in one of them as
  // found by the other, so all digits but rounding agree.
  const auto& fitted = tuning.tuned.fitted;
  const Eigen::VectorXd tuned =
      errors_with(mechanism, m, readings, fitted[0].value, fitted[1].value);
  const Eigen::VectorXd best =
      errors_with(mechanism, m, readings, tuning.best[0].value, tuning.best[1].value);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(tuning.errors[static_cast<std::size_t>(i)].tuned, tuned(i), 1e-6 * tuned(i)) << i;
    EXPECT_NEAR(tuning.errors[static_cast<std::size_t>(i)].best, best(i), 1e-6 * best(i)) << i;
  }
  EXPECT_NEAR(tuning.excess, std::exp((tuned.array() / best.array()).log().mean()) - 1.0, 1e-6);
  // No level 1.5 times as large or small does better than the best.
  const double least = best.array().log().sum();
  for (const double factor : {1.5, 1.0 / 1.5}) {
    EXPECT_GT(
        errors_with(mechanism, m, readings, factor * tuning.best[0].value, tuning.best[1].value)
            .array()
            .log()
            .sum(),
        least);
    EXPECT_GT(
        errors_with(mechanism, m, readings, tuning.best[0].value, factor * tuning.best[1].value)
            .array()
            .log()
            .sum(),
        least);
  }
}

// Sigmas that are twice too large in the study are found within four deviations of theirs; that of
// the encoder, which nothing else explains, within 10 %.
TEST(TuneObserver, FindsTheNoiseOfTheSensors) {
  MechanismDescription description = pushed_slider();
  const auto right = std::make_shared<const Mechanism>(description);
  const Motion m = motion(2.5);
  const MatrixXd readings = noisy_readings(*right, m, 22);
  for (auto& sensor : description.sensors) sensor.sigma *= 2.0;
  TuneObserverOptions options = force_options(m);
  options.truth = {};
  options.sigmas = true;
  const ObserverTuning tuning =
      tune_observer(std::make_shared<const Mechanism>(description), m.time, readings, options);
  ASSERT_TRUE(tuning.ok()) << tuning.message;
  EXPECT_TRUE(tuning.best.empty());
  EXPECT_TRUE(std::isnan(tuning.excess));
  ASSERT_EQ(tuning.tuned.fitted.size(), 5U);
  const double sigmas[] = {0.003, 0.05, 0.28};
  for (std::size_t i = 0; i < 3; ++i) {
    const FittedLevel& level = tuning.tuned.fitted[2 + i];
    EXPECT_NEAR(std::log(level.value / sigmas[i]), 0.0, 4.0 * level.log_deviation) << level.name;
  }
  EXPECT_NEAR(tuning.tuned.fitted[2].value, 0.003, 0.1 * 0.003);
}

TEST(TuneObserver, RefusesTheInputForm) {
  const auto mechanism = std::make_shared<const Mechanism>(pushed_slider());
  const Motion m = motion(0.1);
  TuneObserverOptions options;
  options.form = ObserverForm::Input;
  EXPECT_EQ(message_of([&] {
              (void)tune_observer(mechanism, m.time, MatrixXd::Zero(m.time.size(), 3), options);
            }),
            "tune_observer: form must be output, dynamic or two-stage: the noise of the input form "
            "is no level that the readings tell, got input");
}

}  // namespace tune_observer_test
}  // namespace alembert::estimate
