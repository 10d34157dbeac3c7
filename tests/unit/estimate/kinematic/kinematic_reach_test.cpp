// All filters come back to a motion near the limit of what a mechanism can reach.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "rocking_four_bar.hpp"

namespace alembert::estimate {
namespace kinematic_reach_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kLimit;
using test::rocker_angle;
using test::rocking_four_bar;

struct Swing {
  VectorXd time, truth;
  MatrixXd readings;
};

/// Swings once in a second, to 0.5 - amplitude from the limit, read at the rocker only.
Swing swing(double amplitude, double rate, Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  Swing made{VectorXd(samples), VectorXd(samples), MatrixXd(samples, 1)};
  for (Index k = 0; k < samples; ++k) {
    made.time(k) = static_cast<double>(k) / rate;
    made.truth(k) = kLimit - 0.5 + amplitude * std::sin(2.0 * std::numbers::pi * made.time(k));
    made.readings(k, 0) = rocker_angle(made.truth(k)) + 1e-3 * random.normal();
  }
  return made;
}

KinematicObserverOptions started(ObserverFilter filter, double position, double velocity) {
  KinematicObserverOptions options;
  options.filter = filter;
  options.start.z = VectorXd::Constant(1, position);
  options.start.zd = VectorXd::Constant(1, velocity);
  options.start.sigma_zd = std::max(1.0, std::abs(velocity));
  options.start.sigma_zdd = 50.0;
  options.output_noise.density = {1e4};
  return options;
}

bool is_linearised_once(ObserverFilter filter) {
  return filter == FilterRule::Ekf || filter == square_root(FilterRule::Ekf);
}

class Reach : public testing::TestWithParam<ObserverFilter> {};

// The true velocity at the start is 2.5 to 3.1 rad/s; 30 rad/s leads out of reach at once. At 20 Hz
// predictions leave it at many turns too.
TEST_P(Reach, ComesBackFromManyStarts) {
  for (const double rate : {20.0, 100.0}) {
    for (const double amplitude : {0.4, 0.45, 0.49}) {
      for (const double velocity : {-5.0, 0.0, 5.0, 10.0, 20.0, 30.0}) {
        const Index samples = 200;
        const Swing motion = swing(amplitude, rate, samples, 7);
        const KinematicEstimate estimate =
            observe_record(rocking_four_bar(false), motion.time, motion.readings,
                           started(GetParam(), motion.truth(0), velocity));
        const VectorXd error = (estimate.mean.col(0) - motion.truth).tail(100).cwiseAbs();
        const VectorXd deviation = estimate.deviation.col(0).tail(100);
        const std::string where = "amplitude " + std::to_string(amplitude) + ", rate " +
                                  std::to_string(rate) + ", start " + std::to_string(velocity);
        ASSERT_TRUE(estimate.mean.allFinite() && estimate.deviation.allFinite()) << where;
        if (rate < 50.0 && is_linearised_once(GetParam())) {
          // One tangent, 0.01 rad from where it is upright, gives a deviation that is too small;
          // the reading has no other solution within 0.9 rad.
          EXPECT_LT(error.maxCoeff(), 0.1) << where;
        } else {
          // Chance: 6e-7 for each of 100 samples.
          EXPECT_LT((error.array() / deviation.array()).maxCoeff(), 5.0) << where;
        }
        // More than one in 20 would be a turn out of two, at 20 Hz.
        EXPECT_LE(estimate.failed, samples / 20) << where;
      }
    }
  }
}

// While it coasts without readings for a second the estimate runs out of reach, far; the first
// reading finds it there, and it goes back to where the mechanism can be. Nothing is left of where
// it was then, and the rocker, whose angle is least at a crank of 0.61 rad, has two crank angles
// for each reading: it must come back to one of them.
TEST_P(Reach, ComesBackAfterAGap) {
  Swing motion = swing(0.45, 100.0, 600, 11);
  for (Index k = 210; k < 310; ++k) motion.readings(k, 0) = std::nan("");
  const KinematicEstimate estimate =
      observe_record(rocking_four_bar(false), motion.time, motion.readings,
                     started(GetParam(), motion.truth(0), 0.9 * std::numbers::pi));
  EXPECT_GT(estimate.failed, 0);
  ASSERT_TRUE(estimate.mean.allFinite() && estimate.deviation.allFinite());
  for (Index k = 500; k < 600; ++k) {
    const double error = rocker_angle(estimate.mean(k, 0)) - rocker_angle(motion.truth(k));
    // An estimate is no worse than the reading of its instant, by 5 standard deviations.
    EXPECT_NEAR(std::remainder(error, 2.0 * std::numbers::pi), 0.0, 5.0 * 1e-3) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(AllFilters, Reach,
                         testing::Values(FilterRule::Ekf, FilterRule::IteratedEkf,
                                         square_root(FilterRule::Ekf),
                                         square_root(FilterRule::IteratedEkf), FilterRule::Simplex,
                                         square_root(FilterRule::Simplex), FilterRule::Unscented,
                                         square_root(FilterRule::Unscented), FilterRule::Cubature,
                                         square_root(FilterRule::Cubature),
                                         FilterRule::GaussHermite,
                                         square_root(FilterRule::GaussHermite)));

// Whether a state can be reached is a question of its own geometry, not of the one evaluated last:
// with a crank longer by 0.02 m the limit is at cos c = (0.18² + 0.3² - 0.4²)/(0.6 · 0.18).
TEST(KinematicReach, AsksWithTheGeometryOfTheState) {
  model::planar::MechanismDescription description = rocking_four_bar(false)->description();
  description.parameters = {model::planar::length_parameter(description, "crank", "O", "A")};
  const auto mechanism = std::make_shared<const model::planar::Mechanism>(description);
  model::planar::MechanismState start = mechanism->make_state();
  ASSERT_TRUE(mechanism->assemble(VectorXd::Constant(1, 1.0), start).ok());
  const KinematicOutputModel model(mechanism, start, {.geometry = true});
  const double limit = std::acos((0.18 * 0.18 + 0.09 - 0.16) / (0.6 * 0.18));
  ASSERT_LT(limit, kLimit);
  const double between = 0.5 * (limit + kLimit);
  const std::vector<double> nominal = {between, 0.0, 0.0, 0.0};
  const std::vector<double> longer = {between, 0.0, 0.0, 0.02};
  EXPECT_TRUE(model.reaches(nominal));
  EXPECT_FALSE(model.reaches(longer));
  EXPECT_TRUE(model.reaches(nominal));
}

}  // namespace kinematic_reach_test
}  // namespace alembert::estimate
