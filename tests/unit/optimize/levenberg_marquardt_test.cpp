#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/optimize/detail/box_quadratic.hpp"
#include "alembert/optimize/minimise.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/unit/optimize/test_functions.hpp"

namespace alembert::optimize {
namespace levenberg_marquardt_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kEps;
using test::matrices_near;
using test::problem_of;
using testing::HasSubstr;

const MinimiseOptions kOptions{.solver = Solver::LevenbergMarquardt};

TEST(LevenbergMarquardt, SolvesTheClassics) {
  for (const auto& function :
       {test::rosenbrock(), test::powell_singular(), test::beale(), test::brown_badly_scaled()}) {
    const Minimum fit = minimise(problem_of(function), kOptions);
    EXPECT_TRUE(fit.ok()) << function.name << ": " << fit.message;
    // Zero residual: quadratic convergence leaves rounding, but linear to a singular solution.
    const double accuracy = function.singular ? 1e-3 : 1e-7;
    EXPECT_TRUE(matrices_near(fit.parameters, function.solution, {.rel = accuracy}) ||
                (fit.parameters - function.solution).cwiseAbs().maxCoeff() < accuracy)
        << function.name << " " << fit.parameters.transpose();
    EXPECT_LT(fit.evaluations, 120) << function.name;
  }
}

// r = 1e130 (x - 3): cost and JᵀJ are numbers, their product is not.
TEST(LevenbergMarquardt, HugeResidualsAreNoConvergence) {
  Problem problem{{{.name = "x", .guess = 1.0}}, {}};
  problem.objective.sums = [](const VectorXd& x, NormalEquations& sums) {
    sums.add(VectorXd::Constant(1, 1e130 * (x(0) - 3.0)), MatrixXd::Constant(1, 1, 1e130));
  };
  const Minimum fit = minimise(problem, kOptions);
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_NEAR(fit.parameters(0), 3.0, 100.0 * kEps);
}

// Brown and Dennis, problem 16 of More, Garbow and Hillstrom (1981): large residuals at the minimum
// of 85822.2. Steps by JᵀJ alone creep: MINPACK's lmder needs 282 evaluations from here by
// scipy.optimize.least_squares (method lm, tolerances 1e-9). A fifth of them is the limit.
TEST(LevenbergMarquardt, LargeResidualsDoNotMakeItCreep) {
  Problem problem{{{.name = "a", .guess = 25.0},
                   {.name = "b", .guess = 5.0},
                   {.name = "c", .guess = -5.0},
                   {.name = "d", .guess = -1.0}},
                  {}};
  problem.objective.sums = [](const VectorXd& x, NormalEquations& sums) {
    VectorXd r(20);
    MatrixXd J(20, 4);
    for (Index k = 0; k < 20; ++k) {
      const double t = 0.2 * static_cast<double>(k + 1);
      const double e = x(0) + t * x(1) - std::exp(t);
      const double s = x(2) + x(3) * std::sin(t) - std::cos(t);
      r(k) = e * e + s * s;
      J.row(k) << 2.0 * e, 2.0 * e * t, 2.0 * s, 2.0 * s * std::sin(t);
    }
    sums.add(r, J);
  };
  const Minimum fit = minimise(problem, kOptions);
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_NEAR(fit.cost, 85822.2, 0.05);  // published digits
  EXPECT_LT(fit.evaluations, 282 / 5);
}

TEST(LevenbergMarquardt, UnitsOfTheParametersDoNotMatter) {
  const Minimum plain = minimise(problem_of(test::rosenbrock()), kOptions);
  for (const double unit : {1e-9, 1e3, 1e12}) {
    Problem problem = problem_of(test::rosenbrock());
    problem.parameters[1].scale = unit;
    const Minimum scaled = minimise(problem, kOptions);
    EXPECT_TRUE(scaled.ok()) << scaled.message;
    // The path is that of the metric of J; roundings may shift the end by an iteration.
    EXPECT_NEAR(static_cast<double>(scaled.evaluations), static_cast<double>(plain.evaluations), 3)
        << unit;
    EXPECT_LT(scaled.cost, 1e-15) << unit;
  }
}

// Linear least squares under bounds: the optimum satisfies the conditions of Karush, Kuhn and
// Tucker, which is the proof of it. Random sizes and conditions; bounds cut about half.
TEST(LevenbergMarquardt, MeetsTheOptimalityConditionsAtActiveBounds) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    RandomStream random(31, trial);
    const Index n = 1 + static_cast<Index>(random.below(8));
    const Index m = n + static_cast<Index>(random.below(20));
    MatrixXd A(m, n);
    for (double& entry : A.reshaped()) entry = random.normal();
    for (Index j = 0; j < n; ++j) A.col(j) *= std::pow(10.0, random.uniform(-3.0, 3.0));
    const VectorXd b = 10.0 * random.normal_vector(m);
    Problem problem;
    for (Index j = 0; j < n; ++j) {
      const double size = 1.0 / A.col(j).norm();
      problem.parameters.push_back({.name = "x" + std::to_string(j),
                                    .guess = 0.1 * size,
                                    .lower = -0.5 * size,
                                    .upper = 2.0 * size});
    }
    problem.objective.sums = [&](const VectorXd& x, NormalEquations& sums) {
      sums.add(VectorXd(A * x - b), A);
    };
    const Minimum fit = minimise(problem, kOptions);
    ASSERT_TRUE(fit.ok()) << trial << ": " << fit.message;
    const VectorXd r = A * fit.parameters - b;
    for (Index j = 0; j < n; ++j) {
      // Cosine between r and column; gradient_tolerance is 1e-8, the cost's tolerance 1e-10.
      const double cosine = A.col(j).dot(r) / (A.col(j).norm() * r.norm());
      const Parameter& bounds = problem.parameters[static_cast<std::size_t>(j)];
      const double slack = 1e-9 * bounds.upper;
      const double x = fit.parameters(j);
      if (x > bounds.lower + slack) {
        EXPECT_LT(cosine, 3e-5) << trial;
      }
      if (x < bounds.upper - slack) {
        EXPECT_GT(cosine, -3e-5) << trial;
      }
    }
  }
}

TEST(LevenbergMarquardt, TakesOneStepForALinearProblem) {
  Problem problem;
  problem.parameters = {{.name = "a", .guess = 1.0}, {.name = "b", .guess = 1.0}};
  problem.objective.sums = [](const VectorXd& x, NormalEquations& sums) {
    for (int t = 0; t < 10; ++t) {
      sums.add(x(0) + x(1) * t - (3.0 + t % 3), Eigen::Vector2d(1.0, t));
    }
  };
  const Minimum fit = minimise(problem, kOptions);
  EXPECT_TRUE(fit.ok());
  // The first damping, 1e-3, leaves 1e-3 of the way for each of a few more.
  EXPECT_LE(fit.evaluations, 6);
  EXPECT_EQ(fit.evaluations, fit.jacobians);  // no cost of its own: each trial brings J along
}

// Two columns of J are the same: any a + b = 3 is a minimum.
TEST(LevenbergMarquardt, EndsOnTheValleyOfARankDeficientProblem) {
  Problem problem;
  problem.parameters = {
      {.name = "a", .guess = 5.0}, {.name = "b", .guess = -7.0}, {.name = "unseen", .guess = 4.0}};
  problem.objective.sums = [](const VectorXd& x, NormalEquations& sums) {
    for (int t = 1; t <= 5; ++t) {
      sums.add(std::exp(0.1 * t * (x(0) + x(1))) - std::exp(0.3 * t),
               0.1 * t * std::exp(0.1 * t * (x(0) + x(1))) * Eigen::Vector3d(1.0, 1.0, 0.0));
    }
  };
  const Minimum fit = minimise(problem, kOptions);
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_NEAR(fit.parameters(0) + fit.parameters(1), 3.0, 1e-7);
  EXPECT_EQ(fit.parameters(2), 4.0);
}

TEST(LevenbergMarquardt, SaysThatAWrongJacobianLeadsNowhere) {
  Problem problem = problem_of(test::beale());
  problem.objective.sums = [](const VectorXd& x, NormalEquations& sums) {
    sums.add(test::beale().residuals(x), -test::beale().jacobian(x));
  };
  const Minimum fit = minimise(problem, kOptions);
  EXPECT_EQ(fit.status, Status::NotConverged);
  EXPECT_THAT(fit.message, HasSubstr("no step lowers the cost"));
}

// 0.05 + |x - 0.3|/100 has its kink at the minimum: both slopes promise a gain of 0.05². Beside 100
// residuals of size 1 that is less than 0.01 of their variance; beside small ones it is not.
TEST(LevenbergMarquardt, AKinkWithinTheNoiseIsTheEnd) {
  for (const double noise : {1.0, 1e-6}) {
    Problem problem{{{.name = "x", .guess = 1.0}}, {}};
    problem.objective.sums = [noise](const VectorXd& x, NormalEquations& sums) {
      const double slope = x(0) < 0.3 ? -1e-2 : 1e-2;
      sums.add(VectorXd::Constant(1, 0.05 + std::abs(slope * (x(0) - 0.3))),
               MatrixXd::Constant(1, 1, slope));
      for (int i = 0; i < 100; ++i) {
        sums.add(VectorXd::Constant(1, noise), MatrixXd::Constant(1, 1, 0.0));
      }
    };
    const Minimum fit = minimise(problem, kOptions);
    EXPECT_NEAR(fit.parameters(0), 0.3, 1e-3) << noise;
    EXPECT_EQ(fit.ok(), noise == 1.0) << fit.message;
  }
}

// The minimum over a box, against a fine sweep of projected gradient steps.
TEST(BoxQuadratic, AgreesWithProjectedGradients) {
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    RandomStream random(77, trial);
    const Index n = 1 + static_cast<Index>(random.below(10));
    MatrixXd B(n, n);
    for (double& entry : B.reshaped()) entry = random.normal();
    const MatrixXd H = B * B.transpose() + MatrixXd::Identity(n, n);
    const VectorXd g = 5.0 * random.normal_vector(n);
    const VectorXd lower = -random.normal_vector(n).cwiseAbs();
    VectorXd upper = random.normal_vector(n).cwiseAbs();
    if (trial % 3 == 0) upper.setConstant(HUGE_VAL);
    VectorXd p;
    ASSERT_TRUE(minimise_box_quadratic(H, g, lower, upper, p));
    VectorXd slow = VectorXd::Zero(n);
    const double rate = 1.0 / H.norm();
    for (int k = 0; k < 5000; ++k) {
      slow = (slow - rate * (g + H * slow)).cwiseMax(lower).cwiseMin(upper);
    }
    // Projected gradients converge like (1 - 1/condition)^5000, condition below 200.
    EXPECT_TRUE(matrices_near(p, slow, {.rel = 1e-8, .abs = 1e-9})) << trial;
  }
}

TEST(BoxQuadratic, RejectsAnIndefiniteMatrix) {
  const MatrixXd H = (MatrixXd(2, 2) << 1.0, 2.0, 2.0, 1.0).finished();
  VectorXd p;
  EXPECT_FALSE(minimise_box_quadratic(H, Eigen::Vector2d(1.0, 1.0), Eigen::Vector2d(-9.0, -9.0),
                                      Eigen::Vector2d(9.0, 9.0), p));
}

}  // namespace levenberg_marquardt_test
}  // namespace alembert::optimize
