#include "reproductions/slider_crank/slider_crank.hpp"

#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "reproductions/slider_crank/runs.hpp"

namespace alembert::reproductions::slider_crank {
namespace reproduce_slider_crank_test {

TEST(ReproduceSliderCrank, MakesNoClaimAfterAStop) {
  StopFlag stop;
  stop.request();
  ReproduceOptions options;
  options.full = true;
  options.parallel.stop = &stop;
  const Reproduction result = run(options);
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_TRUE(result.claims.empty());
  EXPECT_TRUE(result.tables.empty());
}

/// Rows whose scores are the published numbers themselves.
Runs published_runs(bool full) {
  Runs runs;
  for (const Group& group : row_groups(full)) {
    for (const Case& one : group.rows) {
      Run run{.choice = group.choice, .one = one};
      static_cast<Numbers&>(run.score) = one.published;
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
  Runs runs = published_runs(true);
  for (const char* const name :
       {"rms velocity, output, EKF, white jerk",
        "velocity, input form, switch 0.35 over output form",
        "velocity, a switch over the next narrower one, 0.05 to 0.35, largest",
        "acceleration, switch 0.08 over 0.35, tuned here",
        "lengths wrong: velocity, best without states over with them",
        "cost over that of the reference, lengths wrong: output"}) {
    EXPECT_TRUE(claim_named(claims_of(runs, true), name).ok) << name;
  }
  for (slider_crank::Run& run : runs) {
    if (run.one.name != "output, EKF, white jerk") continue;
    run.score.all.velocity *= 2.0;
  }
  const std::vector<Claim> worse = claims_of(runs, true);
  EXPECT_FALSE(claim_named(worse, "rms velocity, output, EKF, white jerk").ok);
  EXPECT_FALSE(claim_named(worse, "velocity, input form, switch 0.35 over output form").ok);
}

TEST(ReproduceSliderCrank, TablesAndFiguresHaveEveryRow) {
  const Runs runs = published_runs(true);
  std::size_t rows = 0, points = 0;
  for (const Table& table : tables_of(runs, true)) {
    EXPECT_EQ(table.values.cols(), static_cast<Eigen::Index>(table.header.size()) - 1) << table.id;
    EXPECT_EQ(table.values.rows(), static_cast<Eigen::Index>(table.rows.size())) << table.id;
    if (table.id == "errors" || table.id == "faults") rows += table.rows.size();
  }
  EXPECT_EQ(rows, runs.size());
  for (const Plot& figure : figures_of(runs, true)) {
    if (figure.id != "choices") continue;
    for (const Curve& series : figure.curves) points += static_cast<std::size_t>(series.x.size());
  }
  EXPECT_EQ(points, runs.size());
}

TEST(ReproduceSliderCrank, AnUnknownRowIsRefused) {
  EXPECT_THROW((void)score_of({}, "no such row"), InvalidInput);
}

}  // namespace reproduce_slider_crank_test
}  // namespace alembert::reproductions::slider_crank
