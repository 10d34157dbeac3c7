#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "alembert/optimize/minimise.hpp"
#include "benchmarks/optimize/more_wild.hpp"
#include "optimize/solvers/mads_mesh.hpp"
#include "optimize/solvers/quadratic_model.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/unit/optimize/test_functions.hpp"

namespace alembert::optimize {
namespace mads_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::CostKind;
using test::kEps;
using test::matrices_near;
using test::MoreWildProblem;
using test::Trace;

// Start sizes as published for NOMAD 4: the exponent is truncated toward zero.
TEST(MadsMesh, RoundsTheFirstFrame) {
  const MadsMesh mesh(Eigen::Vector4d(0.3, 0.03, 3.0, 70.0));
  EXPECT_DOUBLE_EQ(mesh.frame(0), 1.0);
  EXPECT_DOUBLE_EQ(mesh.frame(1), 0.1);
  EXPECT_DOUBLE_EQ(mesh.frame(2), 2.0);
  EXPECT_DOUBLE_EQ(mesh.frame(3), 50.0);
  EXPECT_DOUBLE_EQ(mesh.mesh(3), 10.0);
}

TEST(MadsMesh, RefinesTheMeshFasterThanTheFrame) {
  MadsMesh mesh(VectorXd::Ones(1));
  const double frames[] = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01};
  const double meshes[] = {0.01, 0.01, 0.01, 1e-4, 1e-4, 1e-4};
  for (int k = 0; k < 6; ++k) {
    mesh.refine();
    EXPECT_DOUBLE_EQ(mesh.frame(0), frames[k]) << k;
    EXPECT_DOUBLE_EQ(mesh.mesh(0), meshes[k]) << k;
  }
}

TEST(MadsMesh, EnlargesOnlyWhereItMoved) {
  MadsMesh mesh(Eigen::Vector2d(1.0, 1.0));
  mesh.refine();
  mesh.enlarge(Eigen::Vector2d(0.4, 0.0));
  EXPECT_DOUBLE_EQ(mesh.frame(0), 1.0);
  EXPECT_DOUBLE_EQ(mesh.frame(1), 0.5);
}

TEST(MadsMesh, ScaledDirectionsReachTheFrameAndLieOnTheMesh) {
  MadsMesh mesh(Eigen::Vector2d(1.0, 20.0));
  for (int k = 0; k < 4; ++k) mesh.refine();
  const VectorXd d = mesh.scaled(Eigen::Vector2d(0.3, -0.6));
  EXPECT_DOUBLE_EQ(std::abs(d(1)), mesh.frame(1));
  for (Index i = 0; i < 2; ++i) {
    const double steps = d(i) / mesh.mesh(i);
    EXPECT_NEAR(steps, std::round(steps), 1e-9);
  }
}

// A quadratic is reproduced by its model, whatever the scales.
TEST(QuadraticModel, ReproducesAQuadratic) {
  const MatrixXd H = (MatrixXd(3, 3) << 4, 1, 0, 1, 3, -1, 0, -1, 2).finished();
  const Eigen::Vector3d minimum(0.3, -0.2, 0.1);
  const Eigen::Vector3d unit(1.0, 1e-3, 1e3);
  const auto cost = [&](const VectorXd& x) {
    const VectorXd z = x.cwiseQuotient(unit) - minimum;
    return 7.0 + 0.5 * z.dot(H * z);
  };
  std::vector<KnownPoint> points;
  for (int k = 0; k < 20; ++k) {
    const VectorXd x =
        unit.cwiseProduct(Eigen::Vector3d(std::sin(1.0 * k), std::cos(2.3 * k), std::sin(5.1 * k)));
    points.push_back({x, cost(x)});
  }
  points.push_back({unit, HUGE_VAL});  // infeasible points are left out
  QuadraticModel model;
  ASSERT_TRUE(model.fit(points, points[0].x, unit));
  const VectorXd elsewhere = unit.cwiseProduct(Eigen::Vector3d(0.4, 0.9, -0.3));
  // Normal equations: condition up to 1e6 squared times rounding, and a ridge of 1e-12.
  EXPECT_NEAR(model.value(elsewhere), cost(elsewhere), 1e-7);
  const VectorXd best = model.minimiser(-unit, unit);
  EXPECT_TRUE(matrices_near(best.cwiseQuotient(unit), minimum, {.abs = 1e-6}));
}

TEST(QuadraticModel, FindsACornerOfAnIndefiniteModel) {
  std::vector<KnownPoint> points;
  for (int i = -2; i <= 2; ++i) {
    for (int j = -2; j <= 2; ++j) {
      points.push_back({Eigen::Vector2d(i, j), 1.0 * i * i - 2.0 * j * j + 0.1 * j});
    }
  }
  QuadraticModel model;
  ASSERT_TRUE(model.fit(points, Eigen::Vector2d(0.0, 0.0), Eigen::Vector2d(1.0, 1.0)));
  const VectorXd best = model.minimiser(Eigen::Vector2d(-2.0, -2.0), Eigen::Vector2d(2.0, 2.0));
  EXPECT_TRUE(matrices_near(best, Eigen::Vector2d(0.0, -2.0), {.abs = 1e-6}));
}

Problem problem_of(const MoreWildProblem& wild, CostKind kind, Trace& trace) {
  Problem problem;
  for (Index i = 0; i < wild.start.size(); ++i) {
    problem.parameters.push_back({.name = "x" + std::to_string(i), .guess = wild.start(i)});
  }
  trace.variables = wild.start.size();
  problem.objective.cost = [&wild, &trace, kind](const VectorXd& x) {
    trace.costs.push_back(test::cost_of(wild, kind, x));
    return trace.costs.back();
  };
  return problem;
}

// The oracle: a cross of steps along the coordinates, halved when none of them helps.
Trace coordinate_search(const MoreWildProblem& wild, CostKind kind, std::size_t budget) {
  Trace trace{wild.start.size(), {}};
  VectorXd x = wild.start;
  const VectorXd size =
      x.unaryExpr([](double entry) { return entry != 0.0 ? std::abs(entry) : 1.0; });
  double best = test::cost_of(wild, kind, x);
  trace.costs.push_back(best);
  for (double step = 0.1; step > 1e-12 && trace.costs.size() < budget;) {
    bool helped = false;
    for (Index i = 0; i < 2 * x.size() && trace.costs.size() < budget; ++i) {
      VectorXd trial = x;
      trial(i / 2) += (i % 2 == 0 ? step : -step) * size(i / 2);
      const double cost = test::cost_of(wild, kind, trial);
      trace.costs.push_back(cost);
      if (!(cost < best)) continue;
      best = cost;
      x = trial;
      helped = true;
    }
    step *= helped ? 2.0 : 0.5;
  }
  return trace;
}

double lowest(const Trace& trace) {
  return *std::min_element(trace.costs.begin(), trace.costs.end());
}

struct Shares {
  double mads = 0.0;
  double coordinates = 0.0;
};

// Data profiles at tau = 1e-3 on the problems of More and Wild with at most 7 variables.
Shares solved_shares(CostKind kind, long gradients) {
  std::vector<double> mads, coordinates;
  for (const MoreWildProblem& wild : test::more_wild_problems(7)) {
    const long budget = gradients * (static_cast<long>(wild.start.size()) + 1);
    Trace trace;
    (void)minimise(problem_of(wild, kind, trace),
                   {.solver = Solver::Mads, .max_evaluations = budget});
    const Trace other = coordinate_search(wild, kind, static_cast<std::size_t>(budget));
    const double best = std::min(lowest(trace), lowest(other));
    mads.push_back(test::simplex_gradients_to_solve(trace, best, 1e-3));
    coordinates.push_back(test::simplex_gradients_to_solve(other, best, 1e-3));
  }
  const double alpha = static_cast<double>(gradients);
  return {test::solved_share(mads, alpha), test::solved_share(coordinates, alpha)};
}

TEST(Mads, SolvesMoreSmoothProblemsThanACoordinateSearch) {
  const Shares shares = solved_shares(CostKind::Smooth, 50);
  EXPECT_GE(shares.mads, shares.coordinates);
  EXPECT_GE(shares.mads, 0.9);
  RecordProperty("mads", std::to_string(shares.mads));
  RecordProperty("coordinates", std::to_string(shares.coordinates));
}

TEST(Mads, SolvesMoreProblemsWithKinksThanACoordinateSearch) {
  const Shares shares = solved_shares(CostKind::Kinks, 50);
  EXPECT_GE(shares.mads, shares.coordinates);
  EXPECT_GE(shares.mads, 0.7);
  RecordProperty("mads", std::to_string(shares.mads));
  RecordProperty("coordinates", std::to_string(shares.coordinates));
}

const MoreWildProblem& named(const std::vector<MoreWildProblem>& problems,
                             const std::string& name) {
  return *std::find_if(problems.begin(), problems.end(),
                       [&](const MoreWildProblem& wild) { return wild.name == name; });
}

TEST(MoreWild, HasAllProblems) { EXPECT_EQ(test::more_wild_problems().size(), 53U); }

// Minima known in closed form check the test functions themselves.
TEST(MoreWild, KnownMinima) {
  for (const MoreWildProblem& wild : test::more_wild_problems()) {
    const Index n = wild.start.size();
    if (wild.function == 1) {
      EXPECT_NEAR(test::cost_of(wild, CostKind::Smooth, -VectorXd::Ones(n)),
                  static_cast<double>(wild.m - n), 1e-12);
    } else if (wild.function == 16 || wild.function == 20) {
      EXPECT_NEAR(test::cost_of(wild, CostKind::Smooth, VectorXd::Ones(n)), 0.0, 1e-20);
    } else if (wild.function == 5) {
      EXPECT_NEAR(test::cost_of(wild, CostKind::Smooth, Eigen::Vector3d(1.0, 0.0, 0.0)), 0.0,
                  1e-20);
    } else if (wild.function == 7) {
      EXPECT_NEAR(test::cost_of(wild, CostKind::Smooth, Eigen::Vector2d(5.0, 4.0)), 0.0, 1e-20);
    } else if (wild.function == 12) {
      EXPECT_NEAR(test::cost_of(wild, CostKind::Smooth, Eigen::Vector3d(1.0, 10.0, 1.0)), 0.0,
                  1e-20);
    }
  }
}

// Published minima to the digits given there [More1981].
TEST(MoreWild, PublishedMinima) {
  const auto problems = test::more_wild_problems(6);
  const auto minimum = [&](const std::string& name) {
    Trace trace;
    return minimise(problem_of(named(problems, name), CostKind::Smooth, trace),
                    {.cost_tolerance = 1e-14, .max_restarts = 60})
        .cost;
  };
  EXPECT_NEAR(minimum("bard-3"), 8.21487e-3, 1e-8);
  EXPECT_NEAR(minimum("kowalik-4"), 3.07505e-4, 1e-9);
  EXPECT_NEAR(minimum("jennrich-2"), 124.362, 1e-3);
  EXPECT_NEAR(minimum("brown-dennis-4"), 85822.2, 0.1);
  EXPECT_NEAR(minimum("watson-6"), 2.28767e-3, 1e-7);
}

// At the solutions that SciPy's Levenberg-Marquardt finds, nine digits of which determine the cost
// to more than the six that were published [More1981]: the error of x enters squared.
TEST(MoreWild, PublishedMinimaOfOsborne) {
  const auto problems = test::more_wild_problems();
  const VectorXd first{{0.37541005, 1.93584676, -1.46468699, 0.01286753, 0.0221227}};
  EXPECT_NEAR(test::cost_of(named(problems, "osborne-1-5"), CostKind::Smooth, first), 5.46489e-5,
              0.5e-10);
  const VectorXd second{{1.30997715, 0.43155379, 0.6336617, 0.59943053, 0.75418322, 0.9042886,
                         1.36581182, 4.82369884, 2.39868487, 4.5688746, 5.67534147}};
  EXPECT_NEAR(test::cost_of(named(problems, "osborne-2-11"), CostKind::Smooth, second), 4.01377e-2,
              0.5e-7);
}

// The places of two dipoles are the roots of the polynomial whose coefficients the moments satisfy
// (Prony), so that the heart problem has a solution in closed form.
TEST(MoreWild, HeartByProny) {
  using Complex = std::complex<double>;
  const Complex m0(-0.69, -0.044), m1(-1.57, -1.31), m2(-2.65, 2.0), m3(-12.6, 9.48);
  // m_{k+2} + p m_{k+1} + q m_k = 0 for k = 0, 1
  const Complex determinant = m1 * m1 - m0 * m2;
  const Complex p = (m0 * m3 - m1 * m2) / determinant;
  const Complex q = (m2 * m2 - m1 * m3) / determinant;
  const Complex root = std::sqrt(0.25 * p * p - q);
  const Complex z1 = -0.5 * p + root, z2 = -0.5 * p - root;
  const Complex a1 = (m1 - z2 * m0) / (z1 - z2);
  const Complex a2 = m0 - a1;
  VectorXd x(8);
  x << a1.real(), a2.real(), a1.imag(), a2.imag(), z1.real(), z2.real(), z1.imag(), z2.imag();
  const auto problems = test::more_wild_problems();
  // Rounding of terms up to 30: 1e3 operations of 30 eps, squared.
  EXPECT_LT(test::cost_of(named(problems, "heart-8"), CostKind::Smooth, x), 1e-23);
}

// A tilted plane with a kink and a hole of infeasible points between start and minimum.
TEST(Mads, GoesAroundAHoleAndFollowsAKink) {
  Problem problem;
  problem.parameters = {{.name = "x", .guess = 0.1, .lower = -3.0, .upper = 3.0},
                        {.name = "y", .guess = -2.5, .lower = -3.0, .upper = 3.0}};
  problem.objective.cost = [](const VectorXd& x) {
    if (std::hypot(x(0), x(1) + 0.6) < 0.5) return std::nan("");
    return 10.0 * std::abs(x(1) - 0.5 * x(0)) + std::abs(x(0) - 2.0);
  };
  const Minimum fit = minimise(problem, {.solver = Solver::Mads});
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_TRUE(matrices_near(fit.parameters, Eigen::Vector2d(2.0, 1.0), {.abs = 1e-3}));
}

TEST(Mads, LeavesAnInfeasibleGuess) {
  Problem problem;
  problem.parameters = {{.name = "x", .guess = 1.0}, {.name = "y", .guess = 1.0}};
  problem.objective.cost = [](const VectorXd& x) {
    if (x(0) > 0.95) throw Infeasible("too large");
    return x.squaredNorm();
  };
  const Minimum fit = minimise(problem, {.solver = Solver::Mads});
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_LT(fit.cost, 1e-10);
}

TEST(Mads, TheSeedSetsThePollDirections) {
  const Problem problem = test::problem_of(test::rosenbrock());
  const auto run = [&](std::uint64_t seed) {
    return minimise(problem, {.solver = Solver::Mads, .max_evaluations = 40, .seed = seed});
  };
  EXPECT_EQ(run(1).parameters, run(1).parameters);
  EXPECT_NE(run(1).parameters, run(2).parameters);
}

}  // namespace mads_test
}  // namespace alembert::optimize
