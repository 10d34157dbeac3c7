#include "identify/refine/constrained_step.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "alembert/core/linear_algebra.hpp"
#include "alembert/core/random.hpp"

namespace alembert::identify {
namespace constrained_step_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The conditions ask for a little more than zero, relative to a unit diagonal, so that they end.
constexpr double kMargin = 1e-6;

VectorXd stepped(const Parametrisation& unknowns, const VectorXd& theta, const MatrixXd& H,
                 const VectorXd& step) {
  return constrained_step(unknowns, theta, Eigen::LLT<MatrixXd>(H), VectorXd::Ones(theta.size()),
                          step);
}

TEST(ConstrainedStep, LeavesAStepThatKeepsTheMatricesPositive) {
  const Parametrisation unknowns = free_matrices(1);
  const VectorXd theta = Eigen::Vector3d(1.0, 0.1, 2.0);
  const VectorXd step = Eigen::Vector3d(-0.5, 0.2, -1.5);
  EXPECT_EQ(stepped(unknowns, theta, MatrixXd::Identity(3, 3), step), step);
}

// One condition a = (0, 1, 0) on d + x₂ >= 0 moves the step along H⁻¹ a:
//   x = x̂ - H⁻¹ a (d + x̂₂)/(aᵀ H⁻¹ a)
TEST(ConstrainedStep, OneDampingAgainstTheClosedForm) {
  const Parametrisation unknowns = free_matrices(1);
  const VectorXd theta = Eigen::Vector3d(1.0, 0.1, 2.0);
  const VectorXd step = Eigen::Vector3d(0.2, -0.4, 0.3);
  const MatrixXd H{{4.0, 1.0, 0.5}, {1.0, 3.0, -0.7}, {0.5, -0.7, 2.0}};
  const MatrixXd inverse = Eigen::LLT<MatrixXd>(H).solve(MatrixXd::Identity(3, 3));
  const VectorXd expected = step - inverse.col(1) * (0.1 - 0.4) / inverse(1, 1);
  EXPECT_LE((stepped(unknowns, theta, H, step) - expected).norm(), kMargin);
}

struct Case {
  Parametrisation unknowns;
  VectorXd theta, step;
  MatrixXd H;
};

// Positive matrices, and a long step that leaves the positive ones.
Case random_case(Index n, std::uint64_t seed) {
  RandomStream random(seed);
  Case made{free_matrices(n), VectorXd(), VectorXd(), MatrixXd()};
  const MatrixXd one = MatrixXd::Identity(n, n);
  made.theta = nearest_parameters(made.unknowns, {3.0 * one, 0.5 * one, 2.0 * one});
  made.step = random.normal_vector(made.theta.size());
  MatrixXd root(made.theta.size(), made.theta.size());
  for (Index j = 0; j < root.cols(); ++j) root.col(j) = random.normal_vector(root.rows());
  made.H = root * root.transpose() + MatrixXd::Identity(root.rows(), root.cols());
  return made;
}

double smallest(const MatrixXd& matrix) { return definiteness(matrix).smallest; }

double distance(const Case& made, const VectorXd& x) {
  return (x - made.step).dot(made.H * (x - made.step));
}

TEST(ConstrainedStep, MatricesStayPositiveAndNoFeasiblePointIsNearer) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Case made = random_case(2 + static_cast<Index>(seed % 3), seed);
    const VectorXd x = stepped(made.unknowns, made.theta, made.H, made.step);
    const Matrices at = matrices(made.unknowns, made.theta + x);
    EXPECT_GE(smallest(at.D), -kMargin) << seed;
    EXPECT_GE(smallest(at.K), -kMargin) << seed;
    // The feasible points are convex: each on the line to a feasible one must be farther, which
    // the slope at x says. Tried with random feasible points around the start and with the start
    // itself; the limit is ten times the margin of the conditions.
    const VectorXd slope = 2.0 * made.H * (x - made.step);
    RandomStream random(seed + 100);
    for (int trial = 0; trial < 50; ++trial) {
      const double size = random.uniform(0.0, 1.0);
      VectorXd other = size * random.normal_vector(x.size());
      const Matrices there = matrices(made.unknowns, made.theta + other);
      if (smallest(there.D) < 0.0 || smallest(there.K) < 0.0) other.setZero();
      EXPECT_GE(slope.dot(other - x), -1e-5 * (1.0 + distance(made, x))) << seed;
    }
  }
}

}  // namespace constrained_step_test
}  // namespace alembert::identify
