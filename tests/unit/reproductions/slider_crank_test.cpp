#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "reproductions/observe_pages.hpp"
#include "reproductions/slider_crank/runs.hpp"

namespace alembert::reproductions {
namespace reproduce_slider_crank_test {

TEST(ReproduceSliderCrank, MakesNoClaimAfterAStop) {
  StopFlag stop;
  stop.request();
  ReproduceOptions options;
  options.full = true;
  options.parallel.stop = &stop;
  const Reproduction result = run_slider_crank(options);
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_TRUE(result.claims.empty());
  EXPECT_TRUE(result.tables.empty());
}

/// Rows whose scores are the published numbers themselves.
CrankRuns published_runs(bool full) {
  CrankRuns runs;
  for (const CrankGroup& group : crank_groups(full)) {
    for (const CrankCase& one : group.rows) {
      CrankRun run{.choice = group.choice, .one = one};
      static_cast<CrankNumbers&>(run.score) = one.published;
      run.score.acceleration_error = Eigen::VectorXd::Zero(30000);
      runs.push_back(run);
    }
  }
  return runs;
}

const Claim& claim_named(const std::vector<Claim>& claims, const std::string& name) {
  for (const Claim& claim : claims) {
    if (claim.name == name) return claim;
  }
  throw InvalidInput({.function = "claim", .rule = "no claim " + name});
}

// The rules of the claims agree with the numbers they are made of, and fail where an error doubles.
TEST(ReproduceSliderCrank, ClaimsHoldForThePublishedNumbersAndNotForOthers) {
  CrankRuns runs = published_runs(true);
  for (const char* const name :
       {"rms velocity, output, EKF, white jerk",
        "velocity, input form, switch 0.35 over output form",
        "velocity, a switch over the next narrower one, 0.05 to 0.35, largest",
        "acceleration, switch 0.08 over 0.35, tuned here",
        "lengths wrong: velocity, best without states over with them",
        "cost over that of the reference, lengths wrong: output"}) {
    EXPECT_TRUE(claim_named(crank_claims(runs, true), name).ok) << name;
  }
  for (CrankRun& run : runs) {
    if (run.one.name != "output, EKF, white jerk") continue;
    run.score.all.velocity *= 2.0;
  }
  const std::vector<Claim> worse = crank_claims(runs, true);
  EXPECT_FALSE(claim_named(worse, "rms velocity, output, EKF, white jerk").ok);
  EXPECT_FALSE(claim_named(worse, "velocity, input form, switch 0.35 over output form").ok);
}

TEST(ReproduceSliderCrank, TablesAndFiguresHaveEveryRow) {
  const CrankRuns runs = published_runs(true);
  std::size_t rows = 0, points = 0;
  for (const NumberTable& table : crank_tables(runs, true)) {
    EXPECT_EQ(table.values.cols(), static_cast<Eigen::Index>(table.columns.size())) << table.id;
    EXPECT_EQ(table.values.rows(), static_cast<Eigen::Index>(table.rows.size())) << table.id;
    if (table.id == "errors" || table.id == "faults") rows += table.rows.size();
  }
  EXPECT_EQ(rows, runs.size());
  for (const Figure& figure : crank_figures(runs, true)) {
    if (figure.id != "choices") continue;
    for (const Series& series : figure.series) points += static_cast<std::size_t>(series.x.size());
  }
  EXPECT_EQ(points, runs.size());
}

TEST(ReproduceSliderCrank, AnUnknownRowIsRefused) {
  EXPECT_THROW((void)score_of({}, "no such row"), InvalidInput);
}

}  // namespace reproduce_slider_crank_test
}  // namespace alembert::reproductions
