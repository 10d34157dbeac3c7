// Whether the observer knows how good it is: many runs of motions drawn from its own model, read
// through the slider-crank.
#include <gtest/gtest.h>

#include "alembert/estimate/consistency.hpp"
#include "slider_crank_record.hpp"

namespace alembert::test::kinematic_consistency_test {

using estimate::FilterRule;
using estimate::KinematicObserver;
using estimate::ObserverFilter;
using estimate::SquaresReport;

constexpr double kDensity = 160.0;  // rad² s⁻⁵
constexpr Eigen::Index kSamples = 301;
// When the start is forgotten and the accelerometer sees the crank: near the dead centres NIS
// hardly depends on Q.
constexpr Eigen::Index kInstants[] = {200, 250, 300};
constexpr std::uint64_t kRuns = 100;

const std::vector<DrawnMotion>& motions() {
  static const std::vector<DrawnMotion> drawn = [] {
    const Eigen::VectorXd steps = Eigen::VectorXd::Constant(kSamples - 1, 1e-3);
    std::vector<DrawnMotion> runs;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
      runs.push_back(draw_white_jerk(steps, kDensity, drawn_start(), 2024, run));
    }
    return runs;
  }();
  return drawn;
}

/// Averages over the runs at one instant, against their bands.
struct Averages {
  SquaresReport nees, nis;
};

/// Runs whose observer takes a density `factor` times the true one.
std::vector<Averages> monte_carlo(ObserverFilter filter, double factor, double band) {
  estimate::KinematicObserverOptions options;
  options.filter = filter;
  options.start = drawn_start();
  options.output_noise.density = {factor * kDensity};
  std::vector<double> nees[std::size(kInstants)], nis[std::size(kInstants)];
  for (const DrawnMotion& motion : motions()) {
    KinematicObserver observer(slider_crank_mechanism(), options);
    std::size_t instant = 0;
    for (Eigen::Index k = 0; k < kSamples; ++k) {
      const double row[] = {motion.readings(k, 0), motion.readings(k, 1)};
      const estimate::ObserverStep step = observer.step(motion.steps(k), row);
      EXPECT_EQ(step.status, Status::Success);
      if (k != kInstants[instant]) continue;
      const Eigen::Vector3d error = observer.mean() - motion.truth.row(k).transpose();
      nees[instant].push_back(estimate::nees(error, observer.covariance()));
      nis[instant++].push_back(step.update.nis);
    }
  }
  std::vector<Averages> averages;
  for (std::size_t i = 0; i < std::size(kInstants); ++i) {
    averages.push_back({estimate::judge_squares(nees[i], std::vector<int>(kRuns, 3), band),
                        estimate::judge_squares(nis[i], std::vector<int>(kRuns, 2), band)});
  }
  return averages;
}

// All six averages of a filter at once: each in a band so wide that a right filter has all of them
// inside with 95 %.
TEST(KinematicConsistency, RightNoiseIsConsistent) {
  const double each = 1.0 - 0.05 / (2.0 * std::size(kInstants));
  for (const ObserverFilter filter :
       {ObserverFilter(FilterRule::Ekf), square_root(FilterRule::Simplex)}) {
    for (const auto& [nees, nis] : monte_carlo(filter, 1.0, each)) {
      EXPECT_TRUE(nees.consistent) << nees.average;
      EXPECT_TRUE(nis.consistent) << nis.average;
    }
  }
}

// Every one outside its own 95 % band.
TEST(KinematicConsistency, TooLittleNoiseIsNot) {
  for (const auto& [nees, nis] : monte_carlo(FilterRule::Ekf, 0.1, 0.95)) {
    EXPECT_GT(nees.average, nees.upper);
    EXPECT_GT(nis.average, nis.upper);
  }
}

TEST(KinematicConsistency, TooMuchNoiseIsNot) {
  for (const auto& [nees, nis] : monte_carlo(FilterRule::Ekf, 10.0, 0.95)) {
    EXPECT_LT(nees.average, nees.lower);
    EXPECT_LT(nis.average, nis.lower);
  }
}

}  // namespace alembert::test::kinematic_consistency_test
