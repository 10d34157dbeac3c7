#include "alembert/optimize/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/optimize/estimate.hpp"
#include "alembert/optimize/student.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace profile_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

const MinimiseOptions kLocal{.solver = Solver::LevenbergMarquardt};

Problem linear_problem(const MatrixXd& J, const VectorXd& data) {
  Problem problem;
  for (Index j = 0; j < J.cols(); ++j) {
    problem.parameters.push_back({.name = "p" + std::to_string(j), .guess = 1.0});
  }
  problem.objective.sums = [J, data](const VectorXd& theta, NormalEquations& sums) {
    sums.add(VectorXd(J * theta - data), J);
  };
  return problem;
}

// In the linear case the profile is a parabola, and the interval is θ ± t std exactly.
TEST(ProfileInterval, OfALinearModelIsThatOfStudent) {
  for (std::uint64_t trial = 0; trial < 12; ++trial) {
    RandomStream random(55, trial);
    const Index n = 1 + static_cast<Index>(trial % 4);
    const Index m = n + 2 + static_cast<Index>(random.below(30));
    MatrixXd J(m, n);
    for (double& entry : J.reshaped()) entry = random.normal();
    const Problem problem = linear_problem(J, random.normal_vector(m));
    const Minimum fit = minimise(problem, kLocal);
    ASSERT_TRUE(fit.ok()) << fit.message;
    const EstimateStatistics statistics = estimate_statistics(problem, fit);
    const double t = student_quantile(0.975, static_cast<double>(m - n));
    const double limit = profile_limit(fit.cost, m, n);
    // The first step is off by a factor, so that the search has something to do.
    for (const double factor : {0.2, 1.0, 7.0}) {
      const ProfileInterval interval = profile_interval(
          problem, fit, "p0",
          {.limit = limit, .first_step = factor * t * statistics.deviations(0), .tolerance = 1e-6},
          kLocal);
      EXPECT_TRUE(interval.ok()) << interval.message;
      const double half = t * statistics.deviations(0);
      EXPECT_NEAR(interval.upper, fit.parameters(0) + half, 1e-5 * half) << trial;
      EXPECT_NEAR(interval.lower, fit.parameters(0) - half, 1e-5 * half) << trial;
      EXPECT_LT(interval.curve.size(), 60U);
    }
  }
}

// cost = 1 + (ln v)² has the ends exp(±√(limit - 1)): far from symmetric.
TEST(ProfileInterval, FollowsACurvedProfile) {
  const auto cost = [](double v) { return v > 0.0 ? 1.0 + std::pow(std::log(v), 2.0) : NAN; };
  const ProfileInterval interval =
      profile_interval(cost, 1.0, 1.0, {.limit = 5.0, .first_step = 2.0, .tolerance = 1e-5});
  EXPECT_TRUE(interval.ok()) << interval.message;
  EXPECT_NEAR(interval.upper, std::exp(2.0), 1e-4);
  EXPECT_NEAR(interval.lower, std::exp(-2.0), 1e-4);
  for (std::size_t k = 1; k < interval.curve.size(); ++k) {
    EXPECT_LE(interval.curve[k - 1].value, interval.curve[k].value);
  }
}

// Residuals p, (q - 3 p) s(q - 10) with s(x) = x/√(1 + x²), and 1.5 exp(-(q - 10)²/8). With q
// fitted the cost is p² on the branch q = 3 p and p² + 2.25 on the branch q = 10, above the limit
// everywhere. The first step lands between the two and leaves q at 10. The interval is ±1.
TEST(ProfileInterval, ComesBackFromAnotherBranch) {
  Problem problem;
  problem.parameters = {{.name = "p", .guess = 0.0, .scale = 1.0},
                        {.name = "q", .guess = 0.0, .scale = 1.0}};
  problem.objective.sums = [](const VectorXd& theta, NormalEquations& sums) {
    const double apart = theta(1) - 3.0 * theta(0);
    const double x = theta(1) - 10.0;
    const double root = std::sqrt(1.0 + x * x);
    const double wall = 1.5 * std::exp(-x * x / 8.0);
    sums.add(theta(0), Eigen::Vector2d(1.0, 0.0));
    sums.add(apart * x / root,
             Eigen::Vector2d(-3.0 * x / root, x / root + apart / std::pow(root, 3)));
    sums.add(wall, Eigen::Vector2d(0.0, -0.25 * x * wall));
  };
  Minimum minimum;
  minimum.parameters = VectorXd::Zero(2);
  minimum.cost = 0.0;
  for (const double first : {0.3, 1.0, 10.0 / 3.0}) {
    const ProfileInterval interval = profile_interval(
        problem, minimum, "p", {.limit = 1.0, .first_step = first, .tolerance = 1e-5}, kLocal);
    EXPECT_TRUE(interval.ok()) << interval.message;
    // On the good branch the last residual is 1.5 exp(-49/8) = 3e-3 at most.
    EXPECT_NEAR(interval.upper, 1.0, 1e-3) << first;
    EXPECT_NEAR(interval.lower, -1.0, 1e-3) << first;
  }
}

// A cost that is above the limit on all sides of the estimate has no interval: its ends are not the
// estimate.
TEST(ProfileInterval, AJumpAtTheEstimateIsNoEnd) {
  const auto jump = [](double v) { return v == 2.0 ? 1.0 : 9.0; };
  const ProfileInterval interval =
      profile_interval(jump, 2.0, 1.0, {.limit = 5.0, .first_step = 1.0});
  EXPECT_EQ(interval.status, Status::NotConverged);
  EXPECT_THAT(interval.message, HasSubstr("jumps next to the estimate"));
  EXPECT_TRUE(interval.lower_open && interval.upper_open);
}

// cost = 1 + (p - 2)²: points at a quarter, a half and three quarters of the way to each end.
TEST(ProfileInterval, FillsTheCurveForAFigure) {
  const auto parabola = [](double p) { return 1.0 + (p - 2.0) * (p - 2.0); };
  const ProfileInterval interval = profile_interval(
      parabola, 2.0, 1.0, {.limit = 5.0, .first_step = 1.0, .tolerance = 1e-9, .between = 3});
  for (const double value : {0.5, 1.0, 1.5, 2.5, 3.0, 3.5}) {
    const auto near = [&](const ProfilePoint& point) {
      return std::abs(point.value - value) < 1e-8;
    };
    const auto found = std::find_if(interval.curve.begin(), interval.curve.end(), near);
    ASSERT_NE(found, interval.curve.end()) << value;
    EXPECT_EQ(found->cost, parabola(found->value));
  }
  EXPECT_TRUE(std::is_sorted(
      interval.curve.begin(), interval.curve.end(),
      [](const ProfilePoint& a, const ProfilePoint& b) { return a.value < b.value; }));
}

TEST(ProfileInterval, EndsAtABound) {
  const auto cost = [](double v) { return v * v; };
  const ProfileInterval interval = profile_interval(
      cost, 0.0, 0.0, {.limit = 4.0, .first_step = 0.5, .lower = -1.0, .upper = 10.0});
  EXPECT_TRUE(interval.ok()) << interval.message;
  EXPECT_TRUE(interval.lower_open);
  EXPECT_EQ(interval.lower, -1.0);
  EXPECT_FALSE(interval.upper_open);
  EXPECT_NEAR(interval.upper, 2.0, 4e-3);
}

// 0.33 - (0.33 - 0.05) is below 0.05 by a rounding and 1.7 - (1.7 - 0.1) above 0.1.
TEST(ProfileInterval, EndsAtABoundThatRoundingWouldMiss) {
  for (const auto& [estimate, bound] : {std::pair{0.33, 0.05}, std::pair{1.7, 0.1}}) {
    const MatrixXd J = MatrixXd::Ones(5, 1);
    Problem problem = linear_problem(J, VectorXd::Constant(5, estimate));
    problem.parameters[0].guess = estimate;
    problem.parameters[0].lower = bound;
    const Minimum minimum = minimise(problem, kLocal);
    // The cost 5 (v - estimate)² stays below the limit down to the bound.
    const ProfileInterval interval =
        profile_interval(problem, minimum, "p0", {.limit = 100.0, .first_step = 0.1}, kLocal);
    EXPECT_TRUE(interval.ok()) << interval.message;
    EXPECT_TRUE(interval.lower_open);
    EXPECT_EQ(interval.lower, bound);
  }
}

TEST(ProfileInterval, SaysThatTheDataDoNotBoundTheParameter) {
  const auto cost = [](double v) { return v > 0.0 ? 1.0 - std::exp(-v) : v * v; };
  const ProfileInterval interval =
      profile_interval(cost, 0.0, 0.0, {.limit = 2.0, .first_step = 1.0});
  EXPECT_EQ(interval.status, Status::NotConverged);
  EXPECT_TRUE(interval.upper_open);
  EXPECT_FALSE(interval.lower_open);
  EXPECT_THAT(interval.message, HasSubstr("do not bound"));
}

TEST(ProfileInterval, SaysThatTheEstimateWasNoMinimum) {
  const auto cost = [](double v) { return 1.0 + (v - 0.5) * (v - 0.5); };
  const ProfileInterval interval =
      profile_interval(cost, 0.0, 1.25, {.limit = 3.0, .first_step = 0.4});
  EXPECT_EQ(interval.status, Status::NotConverged);
  EXPECT_THAT(interval.message, HasSubstr("the estimate is no minimum"));
}

TEST(ProfileLimit, IsTheFormula) {
  // Normal quantile 1.959964, Student with 10 degrees of freedom 2.228139.
  EXPECT_NEAR(profile_limit(5.0, 100, 3, 0.95, 0.25), 5.0 + 0.25 * 1.959964 * 1.959964, 1e-6);
  EXPECT_NEAR(profile_limit(5.0, 13, 3), 5.0 + 0.5 * 2.228139 * 2.228139, 1e-5);
}

TEST(ProfileInterval, NamesWhatIsWrong) {
  const auto cost = [](double v) { return v * v; };
  EXPECT_THAT(test::message_of([&] { (void)profile_interval(cost, 0.0, 0.0, {.limit = 1.0}); }),
              HasSubstr("first_step"));
  EXPECT_THAT(test::message_of([&] {
                (void)profile_interval(cost, 0.0, 2.0, {.limit = 1.0, .first_step = 1.0});
              }),
              HasSubstr("limit"));
  const Problem problem = linear_problem(MatrixXd::Ones(3, 1), VectorXd::Zero(3));
  const Minimum fit = minimise(problem, kLocal);
  EXPECT_THAT(test::message_of([&] {
                (void)profile_interval(problem, fit, "q", {.limit = 1.0, .first_step = 1.0},
                                       kLocal);
              }),
              HasSubstr("got 'q'"));
  EXPECT_THAT(test::message_of([] { (void)profile_limit(1.0, 3, 3); }), HasSubstr("residuals"));
  EXPECT_THAT(test::message_of([] { (void)profile_limit(1.0, 9, 3, 1.0); }), HasSubstr("level"));
}

}  // namespace profile_test
}  // namespace alembert::optimize
