#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/tasks/monte_carlo/monte_carlo_run.hpp"

namespace alembert::study {
namespace monte_carlo_statistics_test {

TEST(SampleQuantile, IsLinearBetweenOrderStatistics) {
  const std::vector<double> values = {4.0, 1.0, 3.0, 2.0, 5.0};
  EXPECT_EQ(sample_quantile(values, 0.0), 1.0);
  EXPECT_EQ(sample_quantile(values, 0.5), 3.0);
  EXPECT_EQ(sample_quantile(values, 1.0), 5.0);
  EXPECT_DOUBLE_EQ(sample_quantile(values, 0.05), 1.2);
  EXPECT_EQ(sample_quantile({7.0}, 0.95), 7.0);
  EXPECT_TRUE(std::isnan(sample_quantile({}, 0.5)));
}

// The ends of the score interval are the shares b with |p - b| = z √(b (1 - b)/n).
TEST(WilsonInterval, EndsSolveTheScoreEquation) {
  for (const double trials : {1.0, 20.0, 1000.0}) {
    for (const double share : {0.0, 0.3, 0.95, 1.0}) {
      const ShareInterval found = wilson_interval(share * trials, trials);
      EXPECT_DOUBLE_EQ(found.share, share);
      for (const double end : {found.lower, found.upper}) {
        if (end == 0.0 || end == 1.0) continue;
        const double score = 1.959963984540054 * std::sqrt(end * (1.0 - end) / trials);
        EXPECT_NEAR(std::abs(share - end), score, 1e-13) << trials << " " << share;
      }
      EXPECT_LE(found.lower, share);
      EXPECT_GE(found.upper, share);
    }
  }
}

TEST(ChanceOfMisses, IsTheBinomialTail) {
  EXPECT_EQ(chance_of_misses(0, 10, 0.05), 1.0);
  EXPECT_NEAR(chance_of_misses(1, 10, 0.05), 1.0 - std::pow(0.95, 10.0), 1e-13);
  EXPECT_NEAR(chance_of_misses(2, 2, 0.05), 0.0025, 1e-15);
  EXPECT_NEAR(chance_of_misses(2, 3, 0.5), 0.5, 1e-14);
  // Half of the tail lies above the median, which is near the mean for many trials:
  // the difference is below one term, 1/√(2π n p q) = 0.0092 at most.
  EXPECT_NEAR(chance_of_misses(2000, 40000, 0.05), 0.5, 0.0092);
}

MonteCarloRun run_with(double error, double reported, double counted, double covered,
                       double squares) {
  MonteCarloRun run;
  for (RunError& one : run.errors) one = {error, reported, counted, covered, squares};
  return run;
}

std::vector<const MonteCarloRun*> pointers(const std::vector<MonteCarloRun>& runs) {
  std::vector<const MonteCarloRun*> list;
  for (const MonteCarloRun& run : runs) list.push_back(&run);
  return list;
}

model::SecondOrder one_mass() {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(1, 1);
  return {one, 0.1 * one, 100.0 * one, one};
}

TEST(PointStatistics, FollowTheirDefinitions) {
  std::vector<MonteCarloRun> runs = {
      run_with(0.1, 0.2, 10.0, 9.0, 20.0), run_with(0.2, 0.2, 10.0, 10.0, 4.0),
      run_with(0.4, 0.4, 10.0, 8.0, 6.0), run_with(9.9, 9.9, 10.0, 0.0, 900.0)};
  runs[3].status = Status::NotConverged;
  runs[3].message = "too few iterations";
  runs[3].run = 3;
  const PointStatistics found = point_statistics(one_mass(), pointers(runs));
  EXPECT_EQ(found.runs, 4U);
  EXPECT_EQ(found.converged, 3U);
  ASSERT_EQ(found.failures.size(), 1U);
  EXPECT_EQ(found.failures[0].status, Status::NotConverged);
  EXPECT_EQ(found.failures[0].first_run, 3U);
  EXPECT_EQ(found.failures[0].message, "too few iterations");
  const ErrorStatistics& mass = found.errors[0];
  EXPECT_DOUBLE_EQ(mass.median, 0.2);
  EXPECT_DOUBLE_EQ(mass.mean, 0.7 / 3.0);
  EXPECT_DOUBLE_EQ(mass.rms, std::sqrt(0.21 / 3.0));
  EXPECT_DOUBLE_EQ(mass.reported, std::sqrt(0.24 / 3.0));
  EXPECT_DOUBLE_EQ(mass.coverage, 0.9);
  EXPECT_DOUBLE_EQ(mass.ratio, 1.0);
}

// Entries that are all right or all wrong together are one trial a run.
TEST(PointStatistics, DependentEntriesCountOnce) {
  std::vector<MonteCarloRun> runs;
  for (int i = 0; i < 100; ++i) {
    runs.push_back(run_with(0.1, 0.1, 50.0, i < 90 ? 50.0 : 0.0, 50.0));
  }
  const ErrorStatistics found = point_statistics(one_mass(), pointers(runs)).errors[0];
  const ShareInterval once = wilson_interval(90.0, 100.0);
  // The sample variance has R - 1 below, which leaves 1 % of the trials: clamped to R.
  EXPECT_NEAR(found.coverage_lower, once.lower, 1e-12);
  EXPECT_NEAR(found.coverage_upper, once.upper, 1e-12);
}

// Independent entries: the interval is nearly that of all of them.
TEST(PointStatistics, IndependentEntriesCountEach) {
  RandomStream random(3);
  std::vector<MonteCarloRun> runs;
  double covered = 0.0;
  for (int i = 0; i < 400; ++i) {
    double inside = 0.0;
    for (int k = 0; k < 25; ++k) inside += random.uniform() < 0.9 ? 1.0 : 0.0;
    covered += inside;
    runs.push_back(run_with(0.1, 0.1, 25.0, inside, 25.0));
  }
  const ErrorStatistics found = point_statistics(one_mass(), pointers(runs)).errors[0];
  const ShareInterval each = wilson_interval(covered, 400.0 * 25.0);
  const double width = found.coverage_upper - found.coverage_lower;
  // The variance of 400 shares is known to √(2/400) = 7 %, the width to half of that; 4 of those.
  EXPECT_NEAR(width / (each.upper - each.lower), 1.0, 0.14);
}

TEST(PackedRun, ReturnsAsItWas) {
  MonteCarloRun run = run_with(0.1, std::nan(""), 3.0, 2.0, 4.5);
  run.status = Status::Indefinite;
  run.message = "M is not \"positive\", \xc3\xbc";
  run.iterations = 12;
  run.frequency = Eigen::Vector2d(1.0, 2.0);
  run.frequency_deviation = Eigen::Vector2d(0.1, 0.2);
  run.damping = Eigen::Vector2d(0.01, 0.02);
  run.damping_deviation = Eigen::Vector2d(0.001, 0.002);
  const MonteCarloRun back = unpacked_run(packed_run(run));
  EXPECT_EQ(back.status, run.status);
  EXPECT_EQ(back.message, run.message);
  EXPECT_EQ(back.iterations, 12);
  EXPECT_EQ(back.errors[4].squares, 4.5);
  EXPECT_TRUE(std::isnan(back.errors[0].reported));
  EXPECT_EQ(back.damping_deviation, run.damping_deviation);
  EXPECT_THROW((void)unpacked_run(Eigen::RowVectorXd::Zero(4)), InvalidInput);
  Eigen::RowVectorXd wrong = packed_run(run);
  wrong(1) = 1e9;
  EXPECT_THROW((void)unpacked_run(wrong), InvalidInput);
}

}  // namespace monte_carlo_statistics_test
}  // namespace alembert::study
