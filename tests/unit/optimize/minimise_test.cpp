#include "alembert/optimize/minimise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/random.hpp"
#include "optimize/evaluator.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"
#include "tests/unit/optimize/test_functions.hpp"

namespace alembert::optimize {
namespace minimise_test {

using Eigen::VectorXd;
using test::matrices_near;
using test::problem_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Solver kAll[] = {Solver::NelderMead, Solver::Sbplx, Solver::Bobyqa, Solver::Mads,
                           Solver::LevenbergMarquardt};

class EverySolver : public testing::TestWithParam<Solver> {};

std::string name_of(const testing::TestParamInfo<Solver>& info) {
  std::string name(to_string(info.param));
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
}

// Least squares in closed form: θ = (AᵀA)⁻¹Aᵀb by hand for a line through five points.
Problem line() {
  Problem problem;
  problem.parameters = {{.name = "slope", .guess = 1.0}, {.name = "offset", .guess = -3.0}};
  problem.objective.sums = [](const VectorXd& theta, NormalEquations& sums) {
    const double y[] = {1.0, 3.0, 2.0, 5.0, 4.0};
    for (int t = 0; t < 5; ++t) {
      sums.add(theta(0) * t + theta(1) - y[t], Eigen::Vector2d(t, 1.0));
    }
  };
  return problem;
}

// Slope Σ(t-2)(y-3)/Σ(t-2)² = 8/10, offset 3 - 2·0.8, cost Σ(y-3)² - 0.8²·10 = 3.6.
TEST_P(EverySolver, FitsALine) {
  const Minimum fit = minimise(line(), {.solver = GetParam()});
  EXPECT_TRUE(fit.ok()) << fit.message;
  // A change of the cost by 1e-8 of it moves the offset by sqrt(3.6e-8/2) = 1.3e-4, 5·(1 - ρ²) = 2
  // being the curvature left to it.
  EXPECT_TRUE(matrices_near(fit.parameters, Eigen::Vector2d(0.8, 1.4), {.abs = 3e-4}));
  EXPECT_NEAR(fit.cost, 3.6, 4e-8);
  EXPECT_GT(fit.evaluations, 0);
}

TEST_P(EverySolver, SolvesRosenbrockFromItsUsualStart) {
  const Minimum fit = minimise(problem_of(test::rosenbrock()), {.solver = GetParam()});
  EXPECT_TRUE(fit.ok()) << fit.message;
  // Along the valley the curvature is about 0.4: a cost of 1e-8 is 2e-4 of way.
  EXPECT_LT(fit.cost, 1e-8);
  EXPECT_TRUE(matrices_near(fit.parameters, Eigen::Vector2d(1.0, 1.0), {.abs = 5e-4}));
}

// The minimum of Rosenbrock's function over x1 <= 0.5 is at (0.5, 0.25) with cost 0.25; over
// x1 >= 1.5 at (1.5, 2.25) with cost 0.25; over x2 <= 0.2 at a zero of the derivative, below.
TEST_P(EverySolver, EndsAtABoundThatHolds) {
  Problem below = problem_of(test::rosenbrock());
  below.parameters[0].upper = 0.5;
  const Minimum left = minimise(below, {.solver = GetParam()});
  EXPECT_TRUE(left.ok()) << left.message;
  // A restart that gains 1e-6 of the cost ends the search: √(2.5e-7/100) = 5e-5 of x2, twice.
  EXPECT_TRUE(matrices_near(left.parameters, Eigen::Vector2d(0.5, 0.25), {.abs = 1e-4}));
  EXPECT_THAT(left.at_bound, ElementsAre("x1"));
  EXPECT_LE(left.parameters(0), 0.5);

  Problem above = problem_of(test::rosenbrock());
  above.parameters[0].guess = 4.0;
  above.parameters[0].lower = 1.5;
  const Minimum right = minimise(above, {.solver = GetParam()});
  EXPECT_TRUE(right.ok()) << right.message;
  EXPECT_TRUE(matrices_near(right.parameters, Eigen::Vector2d(1.5, 2.25), {.abs = 1e-4}));
}

// d/dx1 [100 (0.2 - x²)² + (1 - x)²] = 0 has the root below, by Newton's method on the cubic
// 400 x³ - 78 x - 2 = 0.
TEST_P(EverySolver, SlidesAlongABound) {
  double root = 0.5;
  for (int i = 0; i < 50; ++i) {
    root -= (400.0 * root * root * root - 78.0 * root - 2.0) / (1200.0 * root * root - 78.0);
  }
  Problem problem = problem_of(test::rosenbrock());
  problem.parameters[0].guess = 1.0;
  problem.parameters[1].guess = 0.1;
  problem.parameters[1].upper = 0.2;
  const Minimum fit = minimise(problem, {.solver = GetParam()});
  EXPECT_TRUE(fit.ok()) << fit.message;
  // As above, with a cost of 0.3 and a curvature of 600 root² - 39 = 86: 6e-5 of x1.
  EXPECT_TRUE(matrices_near(fit.parameters, Eigen::Vector2d(root, 0.2), {.abs = 1e-4}));
}

// The guess sits on the bound that holds and on one that does not: no collapse there.
TEST_P(EverySolver, LeavesABoundOnWhichItStarts) {
  Problem problem = problem_of(test::rosenbrock());
  problem.parameters[0] = {.name = "x1", .guess = -1.0, .lower = -1.0, .upper = 2.0};
  problem.parameters[1] = {.name = "x2", .guess = 3.0, .lower = -1.0, .upper = 3.0};
  const Minimum fit = minimise(problem, {.solver = GetParam()});
  EXPECT_TRUE(fit.ok()) << fit.message;
  // 5e-4 of way along the valley, as above.
  EXPECT_LT(fit.cost, 1e-7);
}

// θ1 in 1e-6 .. 1e6 searched in its logarithm, θ3 tied, θ4 fixed: exp decay with known truth.
Problem decay() {
  Problem problem;
  problem.parameters = {
      {.name = "rate", .guess = 0.02, .lower = 1e-6, .upper = 1e6, .logarithmic = true},
      {.name = "size", .guess = 3.0},
      {.name = "half", .tie = Tie{"size", 0.5}},
      {.name = "floor", .guess = 0.25, .fixed = true}};
  problem.objective.sums = [](const VectorXd& theta, NormalEquations& sums) {
    VectorXd row(4);
    for (int k = 0; k < 30; ++k) {
      const double t = 0.2 * k;
      const double data = (5.0 + 2.5 * t) * std::exp(-0.7 * t) + 0.25;
      const double e = std::exp(-theta(0) * t);
      row << -t * (theta(1) + theta(2) * t) * e, e, t * e, 0.0;
      sums.add((theta(1) + theta(2) * t) * e + theta(3) - data, row);
    }
  };
  return problem;
}

TEST_P(EverySolver, FindsLogarithmicTiedAndFixedParameters) {
  const Minimum fit = minimise(decay(), {.solver = GetParam()});
  EXPECT_TRUE(fit.ok()) << fit.message;
  // An exact fit is followed until steps are below 1e-8 of the scales, 3 at most; thirty times that
  // for the way that is left in the valley.
  EXPECT_TRUE(matrices_near(fit.parameters, Eigen::Vector4d(0.7, 5.0, 2.5, 0.25), {.abs = 1e-6}));
  EXPECT_EQ(fit.parameters(3), 0.25);
  EXPECT_EQ(fit.parameters(2), 0.5 * fit.parameters(1));
}

// (θ - 3)² + ((θ - 1)/0.5)²: the minimum is at (3 + 4·1)/5 with cost 2.56 + 0.64.
TEST_P(EverySolver, WeighsAPriorAgainstTheData) {
  Problem problem;
  problem.parameters = {{.name = "a", .guess = 10.0, .prior = Prior{1.0, 0.5}}};
  problem.objective.sums = [](const VectorXd& theta, NormalEquations& sums) {
    sums.add(theta(0) - 3.0, VectorXd::Ones(1));
  };
  const Minimum fit = minimise(problem, {.solver = GetParam()});
  EXPECT_TRUE(fit.ok()) << fit.message;
  // A restart that gains 1e-6 of the cost ends the search: √(3.2e-6/5) = 8e-4 of way at most.
  EXPECT_NEAR(fit.parameters(0), 1.4, 1e-3);
  EXPECT_NEAR(fit.cost, 3.2, 4e-6);
}

// The model fails for x1 > 0.9 or so: by NaN, infinity or an exception. The minimum of
// (x1 - 1)² + (x2 - x1)² is not reachable, but the edge near it is.
enum class Failure { NotANumber, Infinite, Thrown };
Problem edge(Failure failure) {
  Problem problem;
  problem.parameters = {{.name = "x1", .guess = -2.0}, {.name = "x2", .guess = 2.0}};
  problem.objective.sums = [failure](const VectorXd& x, NormalEquations& sums) {
    if (x(0) > 0.9) {
      if (failure == Failure::Thrown) throw Infeasible("diverged");
      sums.cost = failure == Failure::Infinite ? HUGE_VAL : NAN;
      return;
    }
    sums.add(x(0) - 1.0, Eigen::Vector2d(1.0, 0.0));
    sums.add(x(1) - x(0), Eigen::Vector2d(-1.0, 1.0));
  };
  return problem;
}

TEST_P(EverySolver, TakesFailuresOfTheModelAsInfeasible) {
  for (const Failure failure : {Failure::NotANumber, Failure::Infinite, Failure::Thrown}) {
    const Minimum fit = minimise(edge(failure), {.solver = GetParam()});
    EXPECT_TRUE(std::isfinite(fit.cost));
    // At the edge the cost is 0.01; model-based and gradient solvers may stop on the way to it.
    EXPECT_LT(fit.cost, 0.05) << fit.message;
    EXPECT_LE(fit.parameters(0), 0.9);
  }
}

TEST_P(EverySolver, SaysThatTheGuessIsInfeasible) {
  Problem problem = edge(Failure::Thrown);
  problem.objective.sums = [](const VectorXd&, NormalEquations&) { throw Infeasible("never"); };
  const Minimum fit = minimise(problem, {.solver = GetParam(), .max_evaluations = 300});
  EXPECT_EQ(fit.status, Status::NotFinite);
  EXPECT_THAT(fit.message, HasSubstr("not finite at the guess"));
  EXPECT_EQ(fit.parameters, VectorXd(Eigen::Vector2d(-2.0, 2.0)));
}

TEST_P(EverySolver, LetsOtherExceptionsThrough) {
  Problem problem = line();
  problem.objective.sums = [](const VectorXd&, NormalEquations&) {
    throw std::logic_error("a bug");
  };
  EXPECT_THROW((void)minimise(problem, {.solver = GetParam()}), std::logic_error);
}

TEST_P(EverySolver, KeepsTheBestWhenStopped) {
  Problem problem = problem_of(test::rosenbrock());
  problem.parameters[0].guess = -3.0;
  StopFlag stop;
  MinimiseOptions options{.solver = GetParam(), .stop = &stop};
  std::vector<double> seen;
  VectorXd last;
  options.on_improvement = [&](const Improvement& now, const VectorXd& parameters) {
    seen.push_back(now.cost);
    last = parameters;
    if (seen.size() == 4) stop.request();
  };
  const Minimum fit = minimise(problem, options);
  EXPECT_EQ(fit.status, Status::Stopped);
  EXPECT_EQ(seen.size(), 4U);
  EXPECT_EQ(fit.cost, seen.back());
  EXPECT_EQ(fit.parameters, last);
  EXPECT_EQ(fit.history.size(), 4U);
  EXPECT_EQ(fit.cost, problem.objective.cost(fit.parameters));
}

TEST_P(EverySolver, HoldsItsBudgetAndSaysSo) {
  long calls = 0;
  Problem problem = problem_of(test::rosenbrock());
  const Objective plain = problem.objective;
  problem.objective.cost = [&](const VectorXd& x) { return ++calls, plain.cost(x); };
  problem.objective.sums = [&](const VectorXd& x, NormalEquations& sums) {
    ++calls;
    plain.sums(x, sums);
  };
  const Minimum fit = minimise(problem, {.solver = GetParam(), .max_evaluations = 9});
  EXPECT_EQ(fit.status, Status::NotConverged);
  EXPECT_THAT(fit.message, HasSubstr("used all 9 evaluations"));
  EXPECT_EQ(fit.evaluations, 9);
  EXPECT_EQ(calls, 9);
}

TEST_P(EverySolver, EndsAtTheTarget) {
  const Minimum fit =
      minimise(problem_of(test::rosenbrock()), {.solver = GetParam(), .target_cost = 1e-3});
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_LE(fit.cost, 1e-3);
  EXPECT_GT(fit.history[fit.history.size() - 2].cost, 1e-3);
}

TEST_P(EverySolver, GivesTheSameBitsTwice) {
  const MinimiseOptions options{.solver = GetParam(), .max_evaluations = 200};
  const Minimum first = minimise(problem_of(test::beale()), options);
  const Minimum second = minimise(problem_of(test::beale()), options);
  EXPECT_EQ(first.parameters, second.parameters);
  EXPECT_EQ(first.evaluations, second.evaluations);
}

TEST_P(EverySolver, HistoryDecreases) {
  const Minimum fit = minimise(problem_of(test::beale()), {.solver = GetParam()});
  ASSERT_GT(fit.history.size(), 1U);
  for (std::size_t k = 1; k < fit.history.size(); ++k) {
    EXPECT_LT(fit.history[k].cost, fit.history[k - 1].cost);
    EXPECT_GT(fit.history[k].evaluations, fit.history[k - 1].evaluations);
  }
  EXPECT_EQ(fit.history.back().cost, fit.cost);
}

INSTANTIATE_TEST_SUITE_P(Minimise, EverySolver, testing::ValuesIn(kAll), name_of);

// What the solvers add to a call of the objective allocates nothing.
TEST(Evaluator, DoesNotAllocate) {
  if (!test::counts_allocations()) GTEST_SKIP() << "the sanitizers bring their own allocator";
  const Problem problem = decay();
  Objective objective;
  objective.cost = [](const VectorXd& theta) { return theta(0) * theta(1); };
  VectorXd row = VectorXd::Ones(4);
  objective.sums = [&row](const VectorXd& theta, NormalEquations& sums) {
    sums.add(theta(0) - 0.3, row);
  };
  const Transformation map(problem.parameters);
  const MinimiseOptions options;
  Evaluator evaluator(map, objective, options, 1000);
  NormalEquations sums;
  (void)evaluator.sums(map.start(), sums);
  (void)evaluator.cost(map.start());
  const VectorXd elsewhere = map.start().array() + 0.5;
  const std::size_t before = test::allocation_count();
  for (int k = 0; k < 10; ++k) {
    (void)evaluator.cost(elsewhere);
    (void)evaluator.sums(elsewhere, sums);
  }
  EXPECT_EQ(test::allocation_count() - before, 0U);
  EXPECT_EQ(evaluator.evaluations(), 22);
}

// 1000 samples of a line with noise. Gains below 0.01 σ² are not waited for: the search ends sooner
// and at most a few of them above the minimum in closed form.
TEST(Minimise, EndsWithinTheNoiseWhereItIsKnown) {
  RandomStream random(7);
  const VectorXd t = VectorXd::LinSpaced(1000, 0.0, 1.0);
  const VectorXd y = 3.0 * t + VectorXd::Constant(1000, -2.0) + 0.1 * random.normal_vector(1000);
  Problem problem;
  problem.parameters = {{.name = "slope", .guess = 1.0}, {.name = "offset", .guess = 1.0}};
  problem.objective.cost = [&](const VectorXd& x) {
    return (y - x(0) * t - VectorXd::Constant(1000, x(1))).squaredNorm();
  };
  const double mean = y.mean();
  const VectorXd centred = t.array() - 0.5;
  const double slope = centred.dot(y) / centred.squaredNorm();
  const double least = (y - slope * centred - VectorXd::Constant(1000, mean)).squaredNorm();
  const double variance = least / 998.0;
  for (const Solver solver : {Solver::NelderMead, Solver::Sbplx, Solver::Mads}) {
    const Minimum all = minimise(problem, {.solver = solver});
    Problem counted = problem;
    counted.objective.residuals = 1000;
    const Minimum ended = minimise(counted, {.solver = solver});
    EXPECT_TRUE(ended.ok()) << ended.message;
    // The simplex has a spread of 0.01 σ², its best corner is a few of them from the minimum.
    EXPECT_LE(ended.cost - least, 0.05 * variance) << to_string(solver);
    EXPECT_LE(ended.evaluations, all.evaluations) << to_string(solver);
    const Minimum exact = minimise(counted, {.solver = solver, .noise_tolerance = 0.0});
    EXPECT_EQ(exact.evaluations, all.evaluations) << to_string(solver);
    EXPECT_EQ(exact.parameters, all.parameters) << to_string(solver);
  }
}

// A single search stops in the valley; restarts go on.
TEST(Minimise, RestartsOfNelderMeadGain) {
  const Problem problem = problem_of(test::powell_singular());
  const MinimiseOptions once{.cost_tolerance = 1e-4, .step_tolerance = 1e-3, .max_restarts = 0};
  MinimiseOptions often = once;
  often.max_restarts = 20;
  const Minimum single = minimise(problem, once);
  const Minimum many = minimise(problem, often);
  EXPECT_EQ(single.restarts, 0);
  EXPECT_GT(many.restarts, 1);
  EXPECT_LT(many.cost, 0.1 * single.cost);
}

TEST(Minimise, NamesWhatIsWrong) {
  const auto message = [](const Problem& problem, const MinimiseOptions& options) {
    return test::message_of([&] { (void)minimise(problem, options); });
  };
  Problem problem = line();
  EXPECT_THAT(message(problem, {.max_evaluations = -1}), HasSubstr("max_evaluations"));
  EXPECT_THAT(message(problem, {.cost_tolerance = NAN}), HasSubstr("cost_tolerance"));
  EXPECT_THAT(message(problem, {.first_step = -0.1}), HasSubstr("first_step"));
  for (Parameter& parameter : problem.parameters) parameter.fixed = true;
  EXPECT_THAT(message(problem, {}), HasSubstr("must be free, got 2 fixed"));
  problem.objective = {.cost = [](const VectorXd&) { return 0.0; }};
  EXPECT_THAT(message(problem, {.solver = Solver::LevenbergMarquardt}),
              HasSubstr("objective.sums must be given"));
  problem.objective = {};
  EXPECT_THAT(message(problem, {}), HasSubstr("objective.cost or objective.sums"));
}

}  // namespace minimise_test
}  // namespace alembert::optimize
