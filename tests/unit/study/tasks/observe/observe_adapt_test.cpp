// Noise levels that follow the readings of a study.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/study/observe.hpp"
#include "support/data.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace observe_adapt_test {

using Eigen::Index;
using testing::HasSubstr;

class ObserveAdapt : public testing::Test {
 protected:
  ObserveResult run(const std::vector<std::string>& changes) const {
    const LoadedStudy loaded =
        load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(changes));
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return run_observe(*loaded.as<ObserveStudy>());
  }

  test::TemporaryFolder folder;
};

// A density 100 times too small is found on the way.
TEST_F(ObserveAdapt, AdaptsTheDensity) {
  (void)folder.write("crank.csv", test::white_jerk_record(3000, 16));
  const ObserveResult plain = run({"observe.density=1.6"});
  const ObserveResult adapted = run({"observe.density=1.6", "observe.adapt.window=500"});
  EXPECT_EQ(plain.estimate.process_scale, 1.0);
  // The mean of 500 squares has a standard deviation of 6 %; neighbours are not independent.
  EXPECT_NEAR(std::log(adapted.estimate.process_scale / 100.0), 0.0, 0.5);
  EXPECT_FALSE(plain.consistency.good);
  EXPECT_LT(adapted.consistency.squares.average, 0.5 * plain.consistency.squares.average);
}

// Squares of errors over standard deviations of angle and velocity, averaged.
Eigen::Vector2d squared_scores(const estimate::KinematicEstimate& estimate, Index first) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (Index k = first; k < estimate.mean.rows(); ++k) {
    const test::CrankTruth truth = test::crank_truth(1e-3 * static_cast<double>(k));
    const double angle = std::remainder(estimate.mean(k, 0) - truth.q, 2.0 * std::numbers::pi);
    sum.x() += std::pow(angle / estimate.deviation(k, 0), 2);
    sum.y() += std::pow((estimate.mean(k, 1) - truth.w) / estimate.deviation(k, 1), 2);
  }
  return sum / static_cast<double>(estimate.mean.rows() - first);
}

// The levels are right, and the motion is smoother than its density says: sigmas that follow the
// readings leave the errors within their standard deviations. A record has few independent errors:
// the mean of six counts. 1.3 is what the adaptation is allowed to cost.
TEST_F(ObserveAdapt, AdaptedSensorsDoNoHarm) {
  constexpr int kSeeds = 6;
  Eigen::Vector2d squares = Eigen::Vector2d::Zero();
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    (void)folder.write("crank.csv", test::crank_record(3000, seed));
    const ObserveResult result = run({"observe.adapt.window=200", "observe.adapt.sensors=true"});
    ASSERT_TRUE(result.ok()) << result.message;
    EXPECT_THAT(result.warnings, testing::Not(testing::Contains(HasSubstr("adapt"))));
    EXPECT_EQ(result.estimate.process_scale, 1.0);
    squares += squared_scores(result.estimate, 500) / kSeeds;
  }
  EXPECT_LT(std::sqrt(squares.x()), 1.3);
  EXPECT_LT(std::sqrt(squares.y()), 1.3);
}

// Guesses further off than a level may go.
TEST_F(ObserveAdapt, SaysThatAnAdaptedLevelEndedAtItsBound) {
  (void)folder.write("crank.csv", test::white_jerk_record(3000, 16));
  const auto warned = [&](const std::vector<std::string>& changes, const std::string& words) {
    const ObserveResult result = run(changes);
    EXPECT_THAT(result.warnings, testing::Contains(HasSubstr(words)));
  };
  warned(
      {"data.sensors.encoder.sigma=0.3", "observe.adapt.window=1000", "observe.adapt.sensors=true"},
      "adapt: the sigma of encoder ended at 0.1 times the given one, the smallest allowed");
  warned(
      {"data.sensors.encoder.sigma=1e-5", "observe.adapt.window=200", "observe.adapt.sensors=true"},
      "adapt: the sigma of encoder ended at 10 times the given one, the largest allowed");
  warned({"observe.density=1e-5", "observe.adapt.window=200"},
         "adapt: the density ended at 1e+04 times the given one, the largest allowed");
  warned({"observe.density=1e9", "observe.adapt.window=200"},
         "adapt: the density ended at 0.0001 times the given one, the smallest allowed");
}

}  // namespace observe_adapt_test
}  // namespace alembert::study
