#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/parallel.hpp"
#include "reproductions/slider_crank/options.hpp"
#include "reproductions/slider_crank/score.hpp"
#include "reproductions/slider_crank/tuning.hpp"

namespace alembert::reproductions::slider_crank {
namespace slider_crank_tuning_test {

Case density_case(double log_density) {
  Case one;
  one.options =
      output_options(estimate::FilterRule::Ekf, estimate::MotionModel::WhiteJerk, log_density);
  one.tuning = Tuning::Density;
  return one;
}

TEST(Levels, AreDecimalLogarithms) {
  Case one;
  one.options = input_options(estimate::FilterRule::Ekf, 0.08, kNarrowLevels);
  one.tuning = Tuning::Levels;
  const Eigen::Vector4d given(-6.68, -1.29, -3.70, 0.39);
  EXPECT_TRUE(levels_of(one).isApprox(given, 1e-14));
  set_levels(Eigen::Vector4d(-2.0, -1.0, 0.0, 1.0), one);
  EXPECT_NEAR(one.options.input_noise.kinematic[1], 1e-2, 1e-17);
  EXPECT_NEAR(one.options.input_noise.random_walk[2], 10.0, 1e-14);
  one = density_case(2.0);
  one.tuning = Tuning::DensityAndSensor;
  set_levels(Eigen::Vector2d(1.0, -1.0), one);
  EXPECT_NEAR(one.options.output_noise.density[0], 10.0, 1e-14);
  EXPECT_NEAR(one.model.accelerometer_sigma, 0.1, 1e-16);
}

TEST(CrankCost, WeighsVelocityAndAcceleration) {
  const Case one = density_case(kLogJerk);
  const Record record = crank_record(1.0, 100, 0.0);
  const Errors errors = errors_of(one, record);
  EXPECT_NEAR(cost_of(one, record), errors.velocity / 0.05 + errors.acceleration / 2.0, 1e-15);
}

// The search ends where a scan in steps of a tenth of a decade has its least cost.
TEST(TuneCrank, FindsTheMinimumOfAScan) {
  constexpr double kSeconds = 2.0;
  const Tuned tuned = tune(density_case(3.5), kSeconds);
  EXPECT_TRUE(tuned.ok()) << tuned.message;
  const Record record = crank_record(kSeconds, 100, 0.0);
  double best = 0.0, least = 1e9;
  for (double level = 1.0; level < 3.5; level += 0.1) {
    const double cost = cost_of(density_case(level), record);
    if (cost < least) best = level, least = cost;
  }
  EXPECT_NEAR(levels_of(tuned.one)(0), best, 0.1);
  // Rows that differ by less than 5 % count as equal: a tenth of that does not decide anything.
  // (The search ends when the costs of its simplex are within 1e-3, which bounds nothing by
  // itself.)
  EXPECT_LE(tuned.cost, 1.005 * least);
}

TEST(TuneCrank, IsTheSameForAnyNumberOfThreads) {
  const auto levels = [](int threads) {
    std::vector<double> found(3);
    parallel_for(found.size(),
                 [&](std::size_t i) {
                   const double start = 1.0 + static_cast<double>(i);
                   found[i] = levels_of(tune(density_case(start), 1.0).one)(0);
                 },
                 {.threads = threads});
    return found;
  };
  EXPECT_EQ(levels(1), levels(3));
}

TEST(TuneCrank, EndsOnRequest) {
  StopFlag stop;
  stop.request();
  EXPECT_EQ(tune(density_case(2.0), 1.0, &stop).status, Status::Stopped);
}

}  // namespace slider_crank_tuning_test
}  // namespace alembert::reproductions::slider_crank
