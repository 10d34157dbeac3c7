#include "reproductions/discretisation/discretisation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "alembert/core/error.hpp"

namespace alembert::reproductions::discretisation {
namespace reproduce_discretisation_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Small enough for a unit test; the command runs the defaults.
const Options kSmall{.rungs = 4, .long_run = 2000, .circle_points = 40};

TEST(ReproduceDiscretisation, KeepsAllStructuralClaims) {
  const Result result = measure(kSmall);
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
  for (const IntegratorConvergence& row : measure(kSmall).convergence) {
    // The last halving alone is within 10 % of the power of two that theory says.
    const double last = row.convergence.local_order(row.convergence.local_order.size() - 1);
    EXPECT_NEAR(std::exp2(last - row.expected), 1.0, 0.1) << row.system << ' ' << row.integrator;
  }
}

TEST(ReproduceDiscretisation, BecomesTablesFiguresAndClaims) {
  const Reproduction reproduction = to_reproduction(measure(kSmall));
  EXPECT_EQ(reproduction.name, "discretisation");
  EXPECT_EQ(reproduction.tables.size(), 9u);
  EXPECT_EQ(reproduction.figures.size(), 2u);
  std::set<std::string> ids;
  for (const Table& table : reproduction.tables) {
    EXPECT_TRUE(ids.insert(table.id).second) << table.id;
    EXPECT_EQ(table.values.rows(), static_cast<Eigen::Index>(table.rows.size()));
    EXPECT_EQ(table.values.cols(), static_cast<Eigen::Index>(table.header.size()) - 1);
    EXPECT_TRUE(table.values.allFinite()) << table.id;
  }
}

TEST(ReproduceDiscretisation, StopsOnRequest) {
  StopFlag stop;
  stop.request();
  Options options = kSmall;
  options.parallel.stop = &stop;
  const Result result = measure(options);
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_TRUE(result.claims.empty());
  EXPECT_TRUE(to_reproduction(result).tables.empty());
}

TEST(ReproduceDiscretisation, GivesTheSameForAnyNumberOfThreads) {
  Options options = kSmall;
  options.parallel.threads = 1;
  const Result one = measure(options);
  options.parallel.threads = 3;
  const Result three = measure(options);
  ASSERT_EQ(one.claims.size(), three.claims.size());
  for (std::size_t i = 0; i < one.claims.size(); ++i) {
    EXPECT_EQ(one.claims[i].name, three.claims[i].name);
    EXPECT_EQ(one.claims[i].measured, three.claims[i].measured) << one.claims[i].name;
  }
}

TEST(ReproduceDiscretisation, ReportsItsProgress) {
  std::vector<std::size_t> done;
  std::size_t total = 0;
  Options options = kSmall;
  options.parallel = {.threads = 2, .on_progress = [&](std::size_t finished, std::size_t all) {
                        done.push_back(finished);
                        total = all;
                      }};
  ASSERT_TRUE(measure(options).ok());
  EXPECT_GT(total, 20U);
  ASSERT_EQ(done.size(), total);
  EXPECT_EQ(done.back(), total);
}

// The energy runs come first: after them everything of them is there, and no claim of a table
// that is not complete.
TEST(ReproduceDiscretisation, KeepsFinishedTablesAfterAStopRequest) {
  StopFlag stop;
  Options options = kSmall;
  options.parallel = {.threads = 1,
                      .on_progress =
                          [&](std::size_t done, std::size_t) {
                            if (done == 20) stop.request();
                          },
                      .stop = &stop};
  const Result result = measure(options);
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_EQ(result.energy.size(), 8U);
  EXPECT_EQ(result.convergence.size(), 9U);
  EXPECT_TRUE(result.round_trip.empty());
  EXPECT_TRUE(result.passivity.empty());
  const Reproduction reproduction = to_reproduction(result);
  EXPECT_EQ(reproduction.tables.size(), 2U);
  EXPECT_EQ(reproduction.figures.size(), 1U);
  for (const Claim& claim : result.claims) {
    EXPECT_TRUE(std::isfinite(claim.measured)) << claim.name;
  }
}

// The flag reaches the simulations: a run that would take minutes ends at once.
TEST(ReproduceDiscretisation, AStopRequestEndsALongRun) {
  StopFlag stop;
  Options options{.rungs = 3, .long_run = 3'000'000, .circle_points = 8};
  options.parallel = {.threads = 1, .on_progress = {}, .stop = &stop};
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request();
  });
  const auto begin = std::chrono::steady_clock::now();
  const Result result = measure(options);
  const auto taken = std::chrono::steady_clock::now() - begin;
  user.join();
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_TRUE(result.energy.empty());
  // One run of the eight takes more than a second; a block of samples takes microseconds.
  EXPECT_LT(taken, std::chrono::milliseconds(800));
}

TEST(ReproduceDiscretisation, RejectsTooSmallSizes) {
  EXPECT_THAT([] { (void)measure({.rungs = 2}); },
              ThrowsMessage<InvalidInput>(HasSubstr("rungs must be at least 3, got 2")));
  EXPECT_THAT([] { (void)measure({.long_run = 1}); },
              ThrowsMessage<InvalidInput>(HasSubstr("long_run")));
  EXPECT_THAT([] { (void)measure({.circle_points = 1}); },
              ThrowsMessage<InvalidInput>(HasSubstr("circle_points")));
}

}  // namespace reproduce_discretisation_test
}  // namespace alembert::reproductions::discretisation
