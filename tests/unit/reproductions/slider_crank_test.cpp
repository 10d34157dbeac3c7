#include "reproductions/slider_crank/slider_crank.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

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

/// Rows whose scores are the reference numbers themselves.
Runs reference_runs(bool full) {
  Runs runs;
  for (const Group& group : row_groups(full)) {
    for (const Case& one : group.rows) {
      Run run{.choice = group.choice, .one = one};
      static_cast<Numbers&>(run.score) = one.reference;
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
TEST(ReproduceSliderCrank, ClaimsHoldForTheReferenceNumbersAndNotForOthers) {
  Runs runs = reference_runs(true);
  for (const char* const name :
       {"rms velocity, output, EKF, white jerk",
        "velocity, input form, switch 0.35 over output form",
        "velocity, a switch over the next narrower one, 0.05 to 0.35, largest",
        "acceleration, switch 0.08 over 0.35, tuned here",
        "lengths wrong: velocity, best without states over with them",
        "cost over that of the reference, lengths wrong: output"}) {
    const Claim& claim = claim_named(claims_of(runs, true), name);
    EXPECT_TRUE(claim.ok) << name;
    EXPECT_NE(claim.state, document::ClaimState::Differs) << name;
  }
  for (slider_crank::Run& run : runs) {
    if (run.one.name != "output, EKF, white jerk") continue;
    run.score.all.velocity *= 2.0;
  }
  const std::vector<Claim> worse = claims_of(runs, true);
  for (const char* const name : {"rms velocity, output, EKF, white jerk",
                                 "velocity, input form, switch 0.35 over output form"}) {
    EXPECT_EQ(claim_named(worse, name).state, document::ClaimState::Differs) << name;
  }
}

// The thesis prints no error of an observer: what stands beside ours is a reference computation.
TEST(ReproduceSliderCrank, NoNumberIsCalledPublished) {
  for (const Claim& claim : claims_of(reference_runs(true), true)) {
    EXPECT_EQ(claim.published, std::nullopt) << claim.name;
    EXPECT_THAT(claim.source, testing::AnyOf(testing::StartsWith("reference computation"),
                                             testing::StartsWith("own promise"),
                                             testing::HasSubstr("no number")));
  }
}

TEST(ReproduceSliderCrank, TablesAndFiguresHaveEveryRow) {
  const Runs runs = reference_runs(true);
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
