#include "alembert/study/reproduce_discretisation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "alembert/core/error.hpp"

namespace alembert::study {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Small enough for a unit test; the command runs the defaults.
const DiscretisationOptions kSmall{.rungs = 4, .long_run = 2000, .circle_points = 40};

TEST(ReproduceDiscretisation, KeepsAllStructuralClaims) {
  const DiscretisationResult result = reproduce_discretisation(kSmall);
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.convergence.size(), 18u) << "nine integrators on two systems";
  for (const Claim& claim : result.claims) {
    // The energy that numerical damping takes needs the long run.
    if (claim.name.find("energy left") == std::string::npos) {
      EXPECT_TRUE(claim.ok) << claim.name << ": " << claim.measured << ", " << claim.target;
    }
  }
}

TEST(ReproduceDiscretisation, MeasuresTheOrdersOfTheory) {
  for (const IntegratorConvergence& row : reproduce_discretisation(kSmall).convergence) {
    // The last halving alone is within 10 % of the power of two that theory says.
    const double last = row.convergence.local_order(row.convergence.local_order.size() - 1);
    EXPECT_NEAR(std::exp2(last - row.expected), 1.0, 0.1) << row.system << ' ' << row.integrator;
  }
}

TEST(ReproduceDiscretisation, BecomesTablesFiguresAndClaims) {
  const Reproduction reproduction = to_reproduction(reproduce_discretisation(kSmall));
  EXPECT_EQ(reproduction.name, "discretisation");
  EXPECT_EQ(reproduction.tables.size(), 9u);
  EXPECT_EQ(reproduction.figures.size(), 2u);
  std::set<std::string> ids;
  for (const NumberTable& table : reproduction.tables) {
    EXPECT_TRUE(ids.insert(table.id).second) << table.id;
    EXPECT_EQ(table.values.rows(), static_cast<Eigen::Index>(table.rows.size()));
    EXPECT_EQ(table.values.cols(), static_cast<Eigen::Index>(table.columns.size()));
    EXPECT_TRUE(table.values.allFinite()) << table.id;
  }
}

TEST(ReproduceDiscretisation, StopsOnRequest) {
  StopFlag stop;
  stop.request();
  DiscretisationOptions options = kSmall;
  options.stop = &stop;
  const DiscretisationResult result = reproduce_discretisation(options);
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_TRUE(result.claims.empty());
  EXPECT_TRUE(to_reproduction(result).tables.empty());
}

TEST(ReproduceDiscretisation, RejectsTooSmallSizes) {
  EXPECT_THAT([] { (void)reproduce_discretisation({.rungs = 2}); },
              ThrowsMessage<InvalidInput>(HasSubstr("rungs must be at least 3, got 2")));
  EXPECT_THAT([] { (void)reproduce_discretisation({.long_run = 1}); },
              ThrowsMessage<InvalidInput>(HasSubstr("long_run")));
  EXPECT_THAT([] { (void)reproduce_discretisation({.circle_points = 1}); },
              ThrowsMessage<InvalidInput>(HasSubstr("circle_points")));
}

}  // namespace
}  // namespace alembert::study
