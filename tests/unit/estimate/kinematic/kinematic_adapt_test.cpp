// Noise levels of observers that follow the data: what they find, and that they do no harm.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "slider_crank_record.hpp"
#include "support/message_of.hpp"

namespace alembert::test::kinematic_adapt_test {

using Eigen::Index;
using estimate::FilterRule;
using estimate::KinematicObserver;
using estimate::KinematicObserverOptions;
using estimate::ObserverFilter;

constexpr double kDensity = 160.0;  // rad² s⁻⁵
constexpr Index kSettled = 500;     // samples until the start is forgotten
constexpr Index kApart = 10;        // samples between scores; errors last for longer
constexpr int kSeeds = 6;

/// Steps, truth and readings; of white jerk, as the filter assumes, or of the smooth motion of the
/// published test, whose jerk is none.
DrawnMotion motion_of(bool white, std::uint64_t seed) {
  constexpr Index kSamples = 3000;
  if (white) {
    return draw_white_jerk(Eigen::VectorXd::Constant(kSamples - 1, 1e-3), kDensity, drawn_start(),
                           seed, 0);
  }
  const SliderCrankRecord record = slider_crank_record(1e-3 * kSamples, seed);
  DrawnMotion motion{Eigen::VectorXd::Constant(kSamples, 1e-3), Eigen::MatrixXd(kSamples, 3),
                     record.readings};
  motion.steps(0) = 0.0;
  motion.truth << record.theta, record.omega, record.alpha;
  return motion;
}

/// The observer is told `wrong` times the sigma of the accelerometer.
KinematicObserver observer_of(bool white, ObserverFilter filter, int window, double wrong) {
  model::planar::MechanismDescription d = slider_crank_mechanism()->description();
  d.sensors[kAccelerometer].sigma *= wrong;
  KinematicObserverOptions options;
  options.filter = filter;
  options.start = drawn_start();
  if (!white) options.start.sigma_zdd = 20.0;
  options.output_noise.density = {kDensity};
  options.adapt = {.window = window, .process = false, .outputs = true};
  return {std::make_shared<const model::planar::Mechanism>(d), options};
}

struct Found {
  Eigen::Vector2d errors = Eigen::Vector2d::Zero();  // rms of error/deviation: angle, velocity
  double log_sigma = 0.0;  // mean of ln(sigma found / true), accelerometer, second half
};

Found over_seeds(int seeds, bool white, ObserverFilter filter, int window, double wrong) {
  Found found;
  double scored = 0.0, halves = 0.0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const DrawnMotion motion = motion_of(white, static_cast<std::uint64_t>(seed));
    KinematicObserver observer = observer_of(white, filter, window, wrong);
    for (Index k = 0; k < motion.steps.size(); ++k) {
      const double row[] = {motion.readings(k, 0), motion.readings(k, 1)};
      EXPECT_EQ(observer.step(motion.steps(k), row).status, Status::Success);
      if (k < kSettled || k % kApart != 0) continue;
      const Eigen::MatrixXd P = observer.covariance();
      const double turn = 2.0 * std::numbers::pi;
      const double angle = std::remainder(observer.mean()(0) - motion.truth(k, 0), turn);
      const double speed = observer.mean()(1) - motion.truth(k, 1);
      found.errors += Eigen::Vector2d(angle * angle / P(0, 0), speed * speed / P(1, 1));
      scored += 1.0;
      if (k < motion.steps.size() / 2) continue;
      found.log_sigma += 0.5 * std::log(observer.output_noise().covariance()(1, 1) / (0.03 * 0.03));
      halves += 1.0;
    }
  }
  found.errors = (found.errors / scored).cwiseSqrt();
  found.log_sigma /= halves;
  return found;
}

struct Setting {
  ObserverFilter filter;
  int window;
};
constexpr Setting kSettings[] = {{FilterRule::Ekf, 50},
                                 {FilterRule::Ekf, 200},
                                 {FilterRule::Ekf, 1000},
                                 {FilterRule::Simplex, 200}};

// With sigmas as they are the errors stay as large as the deviations say. The smooth motion has
// less jerk than its density, so that S is above the innovations between dead centres and pulls R
// down: the worst case.
TEST(AdaptedSensors, RightSigmasKeepErrorsWithinTheirDeviations) {
  for (const auto& [filter, window] : kSettings) {
    for (const bool white : {true, false}) {
      const Found found = over_seeds(kSeeds, white, filter, window, 1.0);
      EXPECT_LT(found.errors(0), 1.3) << window << ' ' << white;
      EXPECT_LT(found.errors(1), 1.3) << window << ' ' << white;
      // Where the model holds there is no drift. (R/S)² averages above 0.04: the 1500 samples of
      // half a record tell as much of R as 60 of its noise alone. Four standard deviations.
      if (!white) continue;
      EXPECT_NEAR(found.log_sigma, 0.0, 4.0 * 0.5 * std::sqrt(2.0 / 60.0 / kSeeds));
    }
  }
}

// From three times too much and too little. Readings near a dead centre, which alone tell the noise
// of the accelerometer from the jerk, are few: a quarter of the way at least is made.
TEST(AdaptedSensors, WrongSigmaComesNearer) {
  for (const auto& [filter, window] : kSettings) {
    for (const double wrong : {3.0, 1.0 / 3.0}) {
      for (const bool white : {true, false}) {
        const double left = std::abs(over_seeds(2, white, filter, window, wrong).log_sigma);
        EXPECT_LT(left, 0.75 * std::log(3.0)) << window << ' ' << wrong << white;
      }
    }
  }
}

TEST(AdaptedSensors, BadOptionsNameTheCulprit) {
  KinematicObserverOptions options;
  options.start = drawn_start();
  options.adapt = {.window = 100, .outputs = true};
  EXPECT_EQ(message_of([&] { KinematicObserver(slider_crank_mechanism(), options); }),
            "Observer: adapt.process and adapt.outputs must not both be on, the "
            "innovations do not tell them apart, got on and on");
  options.adapt = {.window = 100, .process = false, .outputs = true};
  options.gate = {.probability = 0.99, .each_output = true};
  EXPECT_EQ(message_of([&] { KinematicObserver(slider_crank_mechanism(), options); }),
            "Observer: gate.probability must be at least 0.999 with adapt.outputs, which "
            "would take what passes for all noise, got 0.99");
  options.gate = {};
  options.adapt = {.window = 100, .process_range = 0.5};
  EXPECT_EQ(message_of([&] { KinematicObserver(slider_crank_mechanism(), options); }),
            "Observer: adapt.process_range must be in [1, 1000000000000], got 0.5");
  options.adapt = {.window = 100, .process = false, .outputs = true, .output_range = 0.5};
  EXPECT_EQ(message_of([&] { KinematicObserver(slider_crank_mechanism(), options); }),
            "Observer: adapt.output_range must be in [1, 1000000], got 0.5");
}

}  // namespace alembert::test::kinematic_adapt_test
