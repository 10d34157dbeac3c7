#include "alembert/study/repeat.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "study/tasks/monte_carlo/repeat/pack_run.hpp"

namespace alembert::study {
namespace repeat_test {

const double kNone = std::nan("");

RepeatRun run_with(double value, double deviation, double margin, double truth) {
  RepeatRun run;
  run.estimates = {{.name = "k",
                    .unit = "N/m",
                    .value = value,
                    .deviation = deviation,
                    .margin = margin,
                    .truth = truth}};
  return run;
}

std::vector<const RepeatRun*> pointers(const std::vector<RepeatRun>& runs) {
  std::vector<const RepeatRun*> list;
  for (const RepeatRun& run : runs) list.push_back(&run);
  return list;
}

// Three values by hand: mean 2, bias -1, standard deviation 1.
TEST(RepeatStatistics, OfThreeValuesByHand) {
  const std::vector<RepeatRun> runs = {run_with(1.0, 0.5, 1.0, 3.0), run_with(2.0, 0.5, 1.0, 3.0),
                                       run_with(3.0, 1.0, kNone, 3.0)};
  const RepeatStatistics found = repeat_statistics(pointers(runs));
  ASSERT_EQ(found.estimates.size(), 1U);
  const EstimateStatistics& k = found.estimates.front();
  EXPECT_EQ(k.name, "k");
  EXPECT_EQ(k.unit, "N/m");
  EXPECT_DOUBLE_EQ(k.mean, 2.0);
  EXPECT_DOUBLE_EQ(k.bias, -1.0);
  EXPECT_DOUBLE_EQ(k.scatter, 1.0);
  EXPECT_DOUBLE_EQ(k.bias_deviation, 1.0 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(k.reported, std::sqrt((0.25 + 0.25 + 1.0) / 3.0));
  // 2 ± 1 and 3 ± 1.96 hold 3, 1 ± 1 does not.
  EXPECT_DOUBLE_EQ(k.coverage, 2.0 / 3.0);
  // One miss or more of three at 5 % each.
  EXPECT_NEAR(k.coverage_chance, 1.0 - std::pow(0.95, 3), 1e-12);
}

TEST(RepeatStatistics, KnowsNothingWithoutATruth) {
  const std::vector<RepeatRun> runs = {run_with(1.0, 0.5, 1.0, kNone),
                                       run_with(2.0, 0.5, 1.0, kNone)};
  const EstimateStatistics k = repeat_statistics(pointers(runs)).estimates.front();
  EXPECT_TRUE(std::isnan(k.bias));
  EXPECT_TRUE(std::isnan(k.coverage));
  EXPECT_DOUBLE_EQ(k.scatter, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(k.ratio, std::sqrt(2.0));
}

TEST(RepeatStatistics, CountsEndingsAndVerdicts) {
  std::vector<RepeatRun> runs(5, run_with(1.0, 0.5, 1.0, 1.0));
  runs[1].status = Status::NotConverged;
  runs[1].trust = TrustLevel::Bad;
  runs[1].message = "first";
  runs[3].status = Status::NotConverged;
  runs[3].trust = TrustLevel::Bad;
  runs[4].trust = TrustLevel::Caution;
  const RepeatStatistics found = repeat_statistics(pointers(runs));
  EXPECT_EQ(found.runs, 5U);
  EXPECT_EQ(found.converged, 3U);
  EXPECT_EQ(found.good, 2U);
  EXPECT_EQ(found.caution, 1U);
  EXPECT_EQ(found.bad, 2U);
  ASSERT_EQ(found.failures.size(), 1U);
  EXPECT_EQ(found.failures[0].count, 2U);
  EXPECT_EQ(found.failures[0].message, "first");
  EXPECT_EQ(found.estimates[0].runs, 3U);
}

// Honest Gaussian estimates: coverage 95 %, ratio 1, each within 4 standard deviations of 4000
// runs.
TEST(RepeatStatistics, OfHonestEstimates) {
  RandomStream random(11);
  std::vector<RepeatRun> runs;
  for (int i = 0; i < 4000; ++i) {
    runs.push_back(run_with(5.0 + 0.2 * random.normal(), 0.2, kNone, 5.0));
  }
  const EstimateStatistics k = repeat_statistics(pointers(runs)).estimates.front();
  EXPECT_NEAR(k.bias, 0.0, 4.0 * 0.2 / std::sqrt(4000.0));
  EXPECT_NEAR(k.ratio, 1.0, 4.0 / std::sqrt(8000.0));
  EXPECT_NEAR(k.coverage, 0.95, 4.0 * std::sqrt(0.95 * 0.05 / 4000.0));
  EXPECT_GT(k.coverage_chance, 1e-4);
}

TEST(RepeatStatistics, JointBandCountsTheIndependentSamplesOfAllRuns) {
  std::vector<RepeatRun> runs(4);
  for (std::size_t i = 0; i < 4; ++i) {
    runs[i].states = {{.name = "x",
                       .unit = "m",
                       .bias = 0.1,
                       .rms = 2.0,
                       .reported = 1.0,
                       .covered = 0.5,
                       .nees = 4.0,
                       .effective = 10.0}};
    runs[i].nees =
        RunNees{.mean = 3.0 + static_cast<double>(i), .expected = 3.0, .effective = 10.0};
  }
  const RepeatStatistics found = repeat_statistics(pointers(runs));
  ASSERT_TRUE(found.nees.has_value());
  EXPECT_DOUBLE_EQ(found.nees->mean, 4.5);
  EXPECT_DOUBLE_EQ(found.nees->upper, chi_square_quantile(0.975, 120.0) / 40.0);
  EXPECT_FALSE(found.nees->consistent);
  // χ²(30)/10 from 1.68 to 4.70: means 3 and 4 are inside, 5 and 6 are not.
  EXPECT_DOUBLE_EQ(found.nees->inside, 0.5);
  ASSERT_EQ(found.states.size(), 1U);
  EXPECT_DOUBLE_EQ(found.states[0].nees_upper, chi_square_quantile(0.975, 40.0) / 40.0);
}

TEST(PackedRepeat, ReadsBackAsItWas) {
  RepeatRun run = run_with(1.25, 0.5, kNone, 1.0);
  run.status = Status::NotConverged;
  run.trust = TrustLevel::Caution;
  run.message = "line one, \"two\" \xc3\xa9";
  run.states = {{.name = "angle(crank)'",
                 .unit = "rad/s",
                 .bias = 1.0,
                 .rms = 2.0,
                 .reported = 3.0,
                 .covered = 0.5,
                 .nees = 4.0,
                 .effective = 5.0}};
  run.nees = RunNees{1.0, 2.0, 3.0};
  const RepeatRun back = unpacked_repeat(packed_repeat(run));
  EXPECT_EQ(back.status, run.status);
  EXPECT_EQ(back.trust, run.trust);
  EXPECT_EQ(back.message, run.message);
  EXPECT_EQ(back.estimates[0].name, "k");
  EXPECT_EQ(back.estimates[0].value, 1.25);
  EXPECT_TRUE(std::isnan(back.estimates[0].margin));
  EXPECT_EQ(back.states[0].name, "angle(crank)'");
  EXPECT_EQ(back.states[0].effective, 5.0);
  EXPECT_EQ(back.nees->effective, 3.0);
}

// A row of another program or a forged one is refused, whatever it holds.
TEST(PackedRepeat, RefusesWhatIsNoRun) {
  const Eigen::RowVectorXd good = packed_repeat(run_with(1.0, 2.0, 3.0, 4.0));
  for (Eigen::Index size = 0; size < good.size(); ++size) {
    EXPECT_THROW((void)unpacked_repeat(good.head(size)), InvalidInput) << size;
  }
  for (const double wrong : {-1.0, 0.5, 1e300, kNone}) {
    for (const Eigen::Index place : {0, 1, 2, 3, 4}) {
      Eigen::RowVectorXd row = good;
      row(place) = wrong;
      EXPECT_THROW((void)unpacked_repeat(row), InvalidInput) << place << " " << wrong;
    }
  }
}

TEST(FiguresOf, TakesFreeParametersAndStates) {
  document::ResultTree tree;
  document::ResultTree& list = tree.list("parameters");
  for (const char* role : {"free", "fixed", "tied"}) {
    document::ResultTree& one = list.item();
    one.add("name", role);
    one.add("unit", "kg");
    one.add("role", role);
    one.add("value", 2.0);
    one.add("deviation", 0.1);
    one.add("margin", 0.3);
  }
  document::ResultTree& unknown = tree.list("unknowns").item();
  unknown.add("name", "M11");
  unknown.add("value", 5.0);
  unknown.add("deviation", 0.2);
  document::ResultTree& truth = tree.group("truth");
  document::ResultTree& state = truth.list("states").item();
  state.add("name", "x");
  state.add("unit", "m");
  state.add("rms", 0.5);
  state.group("nees").add("mean", 1.5);
  truth.group("nees").add("mean", 2.5);
  const RunFigures figures = figures_of(tree);
  ASSERT_EQ(figures.estimates.size(), 2U);
  EXPECT_EQ(figures.estimates[0].name, "free");
  EXPECT_EQ(figures.estimates[0].margin, 0.3);
  EXPECT_TRUE(std::isnan(figures.estimates[0].truth));
  EXPECT_EQ(figures.estimates[1].name, "M11");
  ASSERT_EQ(figures.states.size(), 1U);
  EXPECT_EQ(figures.states[0].nees, 1.5);
  EXPECT_EQ(figures.nees->mean, 2.5);
}

}  // namespace repeat_test
}  // namespace alembert::study
