// Readings that come late, and noise levels that follow the data.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/estimate/tune_noise.hpp"
#include "slider_crank_record.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::test::kinematic_late_test {

using estimate::FilterRule;
using estimate::KinematicObserver;
using estimate::KinematicObserverOptions;
using estimate::ObserverFilter;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double step_of(const SliderCrankRecord& record, Eigen::Index k) {
  return k == 0 ? 0.0 : record.time(k) - record.time(k - 1);
}

// One sensor is `delay` steps late throughout; when its last reading has come, nothing is left of
// that. In the input form the accelerometer drives the model, and steps without it are random walks
// that are taken back later.
TEST(LateReadings, GiveTheEstimateOfTheirOrder) {
  const SliderCrankRecord record = jittering_slider_crank_record(300, 9);
  constexpr int kDelay = 6;
  // A switch with memory, which has to go back too.
  KinematicObserverOptions hysteresis = input_form(FilterRule::Ekf, 0.35, kWideSwitch);
  hysteresis.switching.release_ratio = 1.5;
  hysteresis.switching.look_ahead = 0.01;
  for (KinematicObserverOptions options :
       {output_form(FilterRule::Ekf), output_form(square_root(FilterRule::Simplex)),
        input_form(square_root(FilterRule::Cubature), 0.35, kWideSwitch), hysteresis}) {
    for (const int late : {kEncoder, kAccelerometer}) {
      KinematicObserver in_order(slider_crank_mechanism(), options);
      options.late_steps = kDelay + 1;
      KinematicObserver observer(slider_crank_mechanism(), options);
      const auto row = [&](Eigen::Index k, bool is_late) {
        std::array<double, 2> values{kNothing, kNothing};
        const int sensor = is_late ? late : 1 - late;
        values[static_cast<std::size_t>(sensor)] = record.readings(k, sensor);
        return values;
      };
      const Eigen::Index samples = record.time.size();
      for (Eigen::Index k = 0; k < samples; ++k) {
        const double both[] = {record.readings(k, 0), record.readings(k, 1)};
        ASSERT_EQ(in_order.step(step_of(record, k), both).status, Status::Success);
        ASSERT_EQ(observer.step(step_of(record, k), row(k, false)).status, Status::Success);
        if (k < kDelay) continue;
        const double ago = record.time(k) - record.time(k - kDelay);
        ASSERT_EQ(observer.step_late(ago, row(k - kDelay, true)).status, Status::Success);
      }
      EXPECT_GT((observer.mean() - in_order.mean()).norm(), 1e-6);
      for (Eigen::Index k = samples - kDelay; k < samples; ++k) {
        const double ago = record.time(samples - 1) - record.time(k);
        const auto step = observer.step_late(ago, row(k, true));
        ASSERT_EQ(step.status, Status::Success);
        const bool is_input =
            options.form == estimate::ObserverForm::Input && late == kAccelerometer;
        EXPECT_EQ(step.update.used, is_input ? 0 : 1);
      }
      // The same steps; positions are solved from other starts, to rounding.
      EXPECT_TRUE(matrices_near(observer.mean(), in_order.mean(), {.rel = 1e-10}));
      EXPECT_TRUE(matrices_near(observer.covariance(), in_order.covariance(), {.rel = 1e-10}));
    }
  }
}

// Two clocks: the steps are those of the accelerometer, the readings of the encoder come later and
// are of instants between them. In order they are steps of their own.
TEST(LateReadings, OfInstantsBetweenStepsAreStepsOfTheirOwn) {
  const SliderCrankRecord record = jittering_slider_crank_record(401, 12);
  constexpr Eigen::Index kDelay = 9;  // odd: from an encoder's sample to an accelerometer's
  for (KinematicObserverOptions options :
       {output_form(FilterRule::Ekf), output_form(square_root(FilterRule::Simplex)),
        input_form(FilterRule::Ekf, 0.35, kWideSwitch)}) {
    KinematicObserver in_order(slider_crank_mechanism(), options);
    options.late_steps = 12;
    KinematicObserver observer(slider_crank_mechanism(), options);
    double last = 0.0;
    for (Eigen::Index k = 0; k < 401; ++k) {
      const double encoder[] = {record.readings(k, 0), kNothing};
      const double accelerometer[] = {kNothing, record.readings(k, 1)};
      const bool even = k % 2 == 0;
      // The last encoder's readings never arrive.
      if (even || k + kDelay < 401) {
        const double since = record.time(k) - last;
        ASSERT_EQ(in_order.step(since, even ? accelerometer : encoder).status, Status::Success);
        last = record.time(k);
      }
      if (!even) continue;
      const double step = k == 0 ? 0.0 : record.time(k) - record.time(k - 2);
      ASSERT_EQ(observer.step(step, accelerometer).status, Status::Success);
      if (k < kDelay) continue;
      const double late[] = {record.readings(k - kDelay, 0), kNothing};
      const double ago = record.time(k) - record.time(k - kDelay);
      ASSERT_EQ(observer.step_late(ago, late).status, Status::Success);
    }
    EXPECT_TRUE(matrices_near(observer.mean(), in_order.mean(), {.rel = 1e-10}));
    EXPECT_TRUE(matrices_near(observer.covariance(), in_order.covariance(), {.rel = 1e-10}));
  }
}

// What is asked of the first instant of all finds its place before the first step.
TEST(LateReadings, ReachTheStart) {
  const SliderCrankRecord record = slider_crank_record(0.02, 9);
  KinematicObserverOptions options = output_form(FilterRule::Ekf);
  KinematicObserver in_order(slider_crank_mechanism(), options);
  options.late_steps = 10;
  KinematicObserver observer(slider_crank_mechanism(), options);
  const double first[] = {record.readings(0, 0), kNothing};
  const double second[] = {kNothing, record.readings(1, 1)};
  ASSERT_EQ(in_order.step(0.0, first).status, Status::Success);
  ASSERT_EQ(in_order.step(0.001, second).status, Status::Success);
  ASSERT_EQ(observer.step(0.001, second).status, Status::Success);
  ASSERT_EQ(observer.step_late(0.001, first).status, Status::Success);
  EXPECT_TRUE(matrices_near(observer.mean(), in_order.mean(), {.rel = 1e-12}));
  EXPECT_EQ(observer.step_late(0.0011, first).status, Status::Stopped);
}

// The encoder jumps by 1 rad, and its readings come 7 steps late through a gate: they are kept out
// and let in again as if they came at once.
TEST(LateReadings, AreLetInAgainByTheGate) {
  const SliderCrankRecord record = slider_crank_record(0.5, 4);
  constexpr Eigen::Index kDelay = 7;
  KinematicObserverOptions options = output_form(FilterRule::Ekf);
  options.gate = {.probability = 0.999, .each_output = true};
  KinematicObserver in_order(slider_crank_mechanism(), options);
  options.late_steps = 20;
  KinematicObserver observer(slider_crank_mechanism(), options);
  int widened = 0, widened_late = 0, rejected = 0, rejected_late = 0;
  const Eigen::Index samples = record.time.size();
  for (Eigen::Index k = 0; k < samples; ++k) {
    const auto encoder = [&](Eigen::Index at) {
      return one_turn(record.readings(at, 0) + (at >= 200 ? 1.0 : 0.0));
    };
    const bool arrives = k + kDelay < samples;
    const double both[] = {arrives ? encoder(k) : kNothing, record.readings(k, 1)};
    const auto now = in_order.step(step_of(record, k), both);
    widened += now.widened ? 1 : 0;
    rejected += now.update.rejected;
    const double prompt[] = {kNothing, record.readings(k, 1)};
    rejected_late += observer.step(step_of(record, k), prompt).update.rejected;
    if (k < kDelay) continue;
    const double late[] = {encoder(k - kDelay), kNothing};
    const auto then = observer.step_late(record.time(k) - record.time(k - kDelay), late);
    widened_late += then.widened ? 1 : 0;
    rejected_late += then.update.rejected;
  }
  EXPECT_GE(widened, 1);
  EXPECT_GE(widened_late, widened);
  EXPECT_GE(rejected_late, 20);
  EXPECT_GE(rejected, 20);
  EXPECT_TRUE(matrices_near(observer.mean(), in_order.mean(), {.rel = 1e-10}));
  const double error = record.theta(samples - 1) + 1.0 - observer.mean()(0);
  EXPECT_NEAR(std::remainder(error, 2.0 * std::numbers::pi), 0.0, 0.02);
}

TEST(LateReadings, OutOfReachChangesNothing) {
  const SliderCrankRecord record = slider_crank_record(0.02, 9);
  KinematicObserverOptions options = output_form(FilterRule::Ekf);
  options.late_steps = 3;
  KinematicObserver observer(slider_crank_mechanism(), options);
  const double row[] = {0.1, kNothing};
  EXPECT_EQ(observer.step_late(0, row).status, Status::Stopped);
  for (Eigen::Index k = 0; k < record.time.size(); ++k) {
    ASSERT_EQ(observer.step(step_of(record, k), row).status, Status::Success);
  }
  const Eigen::VectorXd before = observer.mean();
  for (const double ago : {-0.001, 0.003, 0.0025, 1.0, kNothing}) {
    EXPECT_EQ(observer.step_late(ago, row).status, Status::Stopped) << ago;
  }
  EXPECT_EQ(observer.step_late(0.001, {row, 1}).status, Status::Stopped);
  EXPECT_EQ(observer.mean(), before);
  options.late_steps = -1;
  EXPECT_EQ(message_of([&] { KinematicObserver(slider_crank_mechanism(), options); }),
            "Observer: late_steps must be in [0, 1000000], got -1");
}

constexpr double kDensity = 160.0;  // rad² s⁻⁵
constexpr Eigen::Index kSamples = 8000;

/// Between 0.5 and 1.5 ms: Q of a step varies by 3 for z'', by 200 for z.
Eigen::VectorXd uneven_steps() {
  RandomStream random(33);
  Eigen::VectorXd steps(kSamples - 1);
  for (double& step : steps) step = random.uniform(5e-4, 1.5e-3);
  return steps;
}

KinematicObserverOptions drawn_options(double density) {
  KinematicObserverOptions options;
  options.start = drawn_start();
  options.output_noise.density = {density};
  return options;
}

/// Calls after(k, observer) behind every step of a drawn motion.
template <typename After>
void run(KinematicObserver& observer, const DrawnMotion& motion, const After& after) {
  for (Eigen::Index k = 0; k < motion.readings.rows(); ++k) {
    const double row[] = {motion.readings(k, 0), motion.readings(k, 1)};
    ASSERT_EQ(observer.step(motion.steps(k), row).status, Status::Success);
    after(k);
  }
}

// The density of greatest likelihood, off line, against the adapted one, averaged over the second
// half of the record, from a hundred times too little and too much.
TEST(AdaptedNoise, FindsTheDensityOfTheLikelihood) {
  const DrawnMotion motion = draw_white_jerk(uneven_steps(), kDensity, drawn_start(), 31, 0);
  const estimate::TunedNoise likely = estimate::tune_noise(
      {{.name = "density", .guess = 100.0}}, [&](const Eigen::VectorXd& level) {
        KinematicObserver observer(slider_crank_mechanism(), drawn_options(level(0)));
        double sum = 0.0;
        run(observer, motion, [&](Eigen::Index) { sum += observer.innovation().log_likelihood(); });
        return sum;
      });
  ASSERT_TRUE(likely.ok()) << likely.message;
  // α only gathers noise between samples, so its P⁻ − P⁺ averages Q and the samples δ² of Q scatter
  // by √2 (P⁻ − P⁺), uncorrelated as innovations are. Between dead centres P⁻ − P⁺ is about twice
  // its average: four standard deviations of the mean of 4000.
  const double kScatter = 4.0 * 2.0 * std::sqrt(2.0 / (kSamples / 2));
  for (const ObserverFilter filter :
       {ObserverFilter(FilterRule::Ekf), square_root(FilterRule::Simplex)}) {
    for (const double wrong : {0.01, 100.0}) {
      KinematicObserverOptions options = drawn_options(wrong * kDensity);
      options.filter = filter;
      options.adapt = {.window = 500};
      KinematicObserver observer(slider_crank_mechanism(), options);
      double sum = 0.0;
      run(observer, motion, [&](Eigen::Index k) {
        if (k >= kSamples / 2) sum += observer.process_scale();
      });
      const double found = wrong * kDensity * sum / static_cast<double>(kSamples / 2);
      EXPECT_NEAR(std::log(found / likely.levels(0)), 0.0, kScatter);
      EXPECT_NEAR(std::log(found / kDensity), 0.0, kScatter);
    }
  }
}

// From sensors that are said to have a fifth of their variance.
TEST(AdaptedNoise, FindsTheVariancesOfTheSensors) {
  constexpr int kWindow = 2000;
  const DrawnMotion motion = draw_white_jerk(uneven_steps(), kDensity, drawn_start(), 32, 0);
  model::planar::MechanismDescription d = slider_crank_mechanism()->description();
  for (auto& sensor : d.sensors) sensor.sigma /= std::sqrt(5.0);
  const auto mechanism = std::make_shared<const model::planar::Mechanism>(d);
  KinematicObserverOptions options = drawn_options(kDensity);
  options.adapt = {.window = kWindow, .process = false, .outputs = true};
  KinematicObserver observer(mechanism, options);
  Eigen::Vector2d ratio = Eigen::Vector2d::Zero();
  run(observer, motion, [&](Eigen::Index k) {
    if (k < kSamples - kWindow) return;
    const auto& L = observer.innovation().factor;
    const auto& R = observer.output_noise().covariance();
    ratio(0) += L(0, 0) * L(0, 0) / R(0, 0) / kWindow;
    ratio(1) += (L(1, 0) * L(1, 0) + L(1, 1) * L(1, 1)) / R(1, 1) / kWindow;
  });
  const double truth[] = {0.003 * 0.003, 0.03 * 0.03};
  for (int i = 0; i < 2; ++i) {
    // R̂ averages ν² − (S − R) with var ν² = 2 S²: four standard deviations over the window, 0.13
    // and 0.5; it began at −0.8.
    const double error = observer.output_noise().covariance()(i, i) / truth[i] - 1.0;
    EXPECT_NEAR(error, 0.0, 4.0 * ratio(i) * std::sqrt(2.0 / kWindow)) << i;
  }
}

TEST(AdaptedNoise, BadOptionsNameTheCulprit) {
  KinematicObserverOptions options = drawn_options(kDensity);
  options.adapt.window = 1;
  EXPECT_EQ(message_of([&] { KinematicObserver(slider_crank_mechanism(), options); }),
            "AdaptOptions: window must be at least 2, got 1");
  options = input_form(FilterRule::Ekf, 0.35, kWideSwitch);
  options.adapt.window = 100;
  EXPECT_EQ(message_of([&] { KinematicObserver(slider_crank_mechanism(), options); }),
            "Observer: adapt.process must be off for a model whose noise has no density, got on");
}

}  // namespace alembert::test::kinematic_late_test
