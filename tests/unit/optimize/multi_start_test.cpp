#include "alembert/optimize/multi_start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace multi_start_test {

using Eigen::Index;
using Eigen::VectorXd;
using test::matrices_near;
using testing::HasSubstr;

// Freudenstein and Roth: global minimum 0 at (5, 4), local one 48.9843 at (11.41.., -0.8968..).
std::vector<Parameter> plane() {
  return {{.name = "x", .guess = 0.5, .lower = -20.0, .upper = 20.0},
          {.name = "y", .guess = -2.0, .lower = -6.0, .upper = 6.0}};
}

Objective freudenstein_roth() {
  Objective objective;
  // The workspace belongs to the objective: one for each search.
  auto row = std::make_shared<VectorXd>(2);
  objective.sums = [row](const VectorXd& x, NormalEquations& sums) {
    const double y = x(1);
    *row << 1.0, (10.0 - 3.0 * y) * y - 2.0;
    sums.add(x(0) - 13.0 + ((5.0 - y) * y - 2.0) * y, *row);
    *row << 1.0, (2.0 + 3.0 * y) * y - 14.0;
    sums.add(x(0) - 29.0 + ((1.0 + y) * y - 14.0) * y, *row);
  };
  return objective;
}

const MinimiseOptions kLocal{.solver = Solver::LevenbergMarquardt};

TEST(MultiStart, FindsTheGlobalMinimumAndCountsHits) {
  EXPECT_GT(minimise({plane(), freudenstein_roth()}, kLocal).cost, 48.0);
  for (const Starts kind : {Starts::Sobol, Starts::LatinHypercube}) {
    const MultiStartResult result = minimise_from_many(
        plane(), freudenstein_roth, {.starts = 16, .kind = kind, .local = kLocal});
    EXPECT_TRUE(result.ok()) << result.message;
    EXPECT_TRUE(matrices_near(result.parameters, Eigen::Vector2d(5.0, 4.0), {.abs = 1e-6}));
    ASSERT_EQ(result.ends.size(), 16U);
    ASSERT_EQ(result.optima.size(), 2U);
    EXPECT_NEAR(result.optima[1].cost, 48.9843, 1e-4);
    EXPECT_EQ(result.optima[0].hits + result.optima[1].hits, 16);
    EXPECT_GT(result.optima[0].hits, 2);
    EXPECT_EQ(result.ends[0].start, VectorXd(Eigen::Vector2d(0.5, -2.0)));
  }
}

TEST(MultiStart, GivesTheSameBitsForAnyNumberOfThreads) {
  const Machines machines;
  const auto run = [&](int threads, const Machines* all) {
    return minimise_from_many(
        plane(), freudenstein_roth,
        {.starts = 13, .local = {.solver = Solver::Mads}, .threads = threads, .machines = all});
  };
  const MultiStartResult one = run(1, nullptr);
  for (const MultiStartResult& other : {run(2, nullptr), run(5, nullptr), run(3, &machines)}) {
    EXPECT_EQ(one.parameters, other.parameters);
    EXPECT_EQ(one.evaluations, other.evaluations);
    ASSERT_EQ(one.ends.size(), other.ends.size());
    for (std::size_t i = 0; i < one.ends.size(); ++i) {
      EXPECT_EQ(one.ends[i].parameters, other.ends[i].parameters) << i;
      EXPECT_EQ(one.ends[i].status, other.ends[i].status) << i;
    }
  }
}

// cos(ω t) sampled densely: the sum of squares over ω has minima everywhere, and the guess is off
// by a factor of 5. Searched in the logarithm between a tenth of the guess and ten times it.
TEST(MultiStart, FindsAFrequencyFromAPoorGuess) {
  const std::vector<Parameter> parameters = {{.name = "omega", .guess = 0.6, .logarithmic = true}};
  const auto objective = [] {
    return Objective{.cost = [](const VectorXd& theta) {
      double sum = 0.0;
      for (int k = 0; k < 200; ++k) {
        const double t = 0.1 * k;
        sum += std::pow(std::cos(theta(0) * t) - std::cos(3.0 * t), 2.0);
      }
      return sum;
    }};
  };
  EXPECT_GT(minimise({parameters, objective()}).cost, 10.0);
  const MultiStartResult result =
      minimise_from_many(parameters, objective, {.starts = 12, .samples_per_start = 8});
  EXPECT_NEAR(result.parameters(0), 3.0, 1e-4);
}

TEST(MultiStart, StartsWhereTheModelIsFeasible) {
  const auto objective = [] {
    return Objective{.cost = [](const VectorXd& x) {
      if (x(0) < 12.0) throw Infeasible("diverged");
      return (x - Eigen::Vector2d(15.0, 1.0)).squaredNorm();
    }};
  };
  const MultiStartResult result = minimise_from_many(
      plane(), objective,
      {.starts = 8, .samples_per_start = 10, .local = {.solver = Solver::Bobyqa}});
  EXPECT_TRUE(result.ok()) << result.message;
  EXPECT_TRUE(matrices_near(result.parameters, Eigen::Vector2d(15.0, 1.0), {.abs = 1e-4}));
  EXPECT_EQ(result.ends[0].status, Status::NotFinite);
}

TEST(MultiStart, SaysThatNoStartIsFeasible) {
  const auto never = [] { return Objective{.cost = [](const VectorXd&) { return std::nan(""); }}; };
  const MultiStartResult result =
      minimise_from_many(plane(), never, {.starts = 3, .local = {.max_evaluations = 50}});
  EXPECT_EQ(result.status, Status::NotFinite);
  EXPECT_THAT(result.message, HasSubstr("any of 3 starts"));
  EXPECT_EQ(result.parameters, VectorXd(Eigen::Vector2d(0.5, -2.0)));
}

TEST(MultiStart, KeepsTheBestWhenStopped) {
  StopFlag stop;
  MultiStartOptions options{.starts = 50, .local = kLocal, .threads = 1};
  options.local.stop = &stop;
  double reported = HUGE_VAL;
  options.local.on_improvement = [&](const Improvement& now, const VectorXd&) {
    EXPECT_LT(now.cost, reported);
    reported = now.cost;
  };
  options.on_progress = [&](std::size_t done, std::size_t) {
    if (done == 4) stop.request();
  };
  const MultiStartResult result = minimise_from_many(plane(), freudenstein_roth, options);
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_EQ(result.ends.size(), 4U);
  EXPECT_EQ(result.cost, reported);
}

TEST(MultiStart, TakesMoreParametersThanSobolHas) {
  std::vector<Parameter> many;
  for (int k = 0; k < 25; ++k) many.push_back({.name = "x" + std::to_string(k), .guess = 1.0});
  many[3].fixed = true;
  const auto objective = [] {
    return Objective{.sums = [](const VectorXd& x, NormalEquations& sums) {
      for (Index i = 0; i < x.size(); ++i) sums.add(x(i) - 2.0, VectorXd::Unit(x.size(), i));
    }};
  };
  const MultiStartResult result =
      minimise_from_many(many, objective, {.starts = 3, .local = kLocal});
  EXPECT_NEAR(result.cost, 1.0, 1e-9);
  EXPECT_EQ(result.optima.size(), 1U);
  EXPECT_EQ(result.optima[0].hits, 3);
}

TEST(MultiStart, NamesWhatIsWrong) {
  const auto message = [](const MultiStartOptions& options) {
    return test::message_of([&] { (void)minimise_from_many(plane(), freudenstein_roth, options); });
  };
  EXPECT_THAT(message({.starts = 0}), HasSubstr("starts"));
  EXPECT_THAT(message({.samples_per_start = 0}), HasSubstr("samples_per_start"));
  EXPECT_THAT(message({.logarithmic_range = 0.5}), HasSubstr("logarithmic_range"));
  EXPECT_THAT(message({.local = {.cost_tolerance = -1.0}}), HasSubstr("cost_tolerance"));
  std::vector<Parameter> fixed = plane();
  fixed[0].fixed = fixed[1].fixed = true;
  EXPECT_THAT(test::message_of([&] { (void)minimise_from_many(fixed, freudenstein_roth); }),
              HasSubstr("must be free"));
}

}  // namespace multi_start_test
}  // namespace alembert::optimize
