#include "alembert/optimize/box_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::optimize::box_program_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Program {
  MatrixXd H;
  VectorXd g, lower, upper;
};

// H = A Aᵀ + ridge; bounds on either, one or no side, some of them equal, zero not always inside.
Program random_program(Index n, RandomStream& random) {
  MatrixXd A(n, n);
  for (Index i = 0; i < A.size(); ++i) A(i) = random.normal();
  Program made{A * A.transpose(), VectorXd(n), VectorXd(n), VectorXd(n)};
  made.H.diagonal().array() += std::pow(10.0, -6.0 * random.uniform());
  for (Index i = 0; i < n; ++i) {
    made.g(i) = 3.0 * random.normal();
    const double middle = random.normal();
    const double half = random.uniform() < 0.1 ? 0.0 : random.uniform();
    made.lower(i) = random.uniform() < 0.2 && half > 0.0 ? -kInfinite : middle - half;
    made.upper(i) = random.uniform() < 0.2 && half > 0.0 ? kInfinite : middle + half;
  }
  return made;
}

// The least value over all ways to hold each coordinate at its lower bound, its upper bound or
// nowhere: an independent method.
double least_by_enumeration(const Program& program) {
  const Index n = program.g.size();
  const auto ways = static_cast<long>(std::pow(3.0, static_cast<double>(n)));
  double least = kInfinite;
  for (long way = 0; way < ways; ++way) {
    VectorXd x = VectorXd::Zero(n);
    std::vector<Index> free;
    long digits = way;
    bool possible = true;
    for (Index i = 0; i < n; ++i, digits /= 3) {
      if (digits % 3 == 0) {
        free.push_back(i);
      } else {
        x(i) = digits % 3 == 1 ? program.lower(i) : program.upper(i);
        possible = possible && std::isfinite(x(i));
      }
    }
    if (!possible) continue;
    if (!free.empty()) {
      const VectorXd right = -(program.g + program.H * x)(free);
      const MatrixXd part = program.H(free, free);
      const VectorXd solved = part.ldlt().solve(right);
      x(free) = solved;
    }
    // A bound missed by rounding alone.
    const double slack = 1e-9 * (1.0 + x.cwiseAbs().maxCoeff());
    if (((x - program.lower).array() < -slack).any()) continue;
    if (((x - program.upper).array() > slack).any()) continue;
    least = std::min(least, program.g.dot(x) + 0.5 * x.dot(program.H * x));
  }
  return least;
}

TEST(MinimiseInBox, FindsTheLeastOfAllActiveSets) {
  RandomStream random(20261119);
  for (int trial = 0; trial < 300; ++trial) {
    const Program program = random_program(1 + trial % 6, random);
    const BoxProgram found = minimise_in_box(program.H, program.g, program.lower, program.upper);
    ASSERT_TRUE(found.ok()) << trial << ": " << found.message;
    const double least = least_by_enumeration(program);
    // Rounding of H of condition 1e7 at most.
    EXPECT_NEAR(found.objective, least, 1e-8 * (1.0 + std::abs(least))) << trial;
    EXPECT_LE(found.gap, 1e-8 * (1.0 + std::abs(least))) << trial;
    EXPECT_TRUE(((found.x - program.lower).array() >= 0.0).all()) << trial;
    EXPECT_TRUE(((program.upper - found.x).array() >= 0.0).all()) << trial;
  }
}

// No x of the box may be better than the objective by more than the gap: weak duality.
TEST(MinimiseInBox, GapBoundsWhatIsLeft) {
  RandomStream random(5);
  for (int trial = 0; trial < 50; ++trial) {
    Program program = random_program(40, random);
    program.lower = program.lower.cwiseMax(-5.0);
    program.upper = program.upper.cwiseMin(5.0);
    const BoxProgram found = minimise_in_box(program.H, program.g, program.lower, program.upper);
    ASSERT_TRUE(found.ok()) << found.message;
    for (int other = 0; other < 20; ++other) {
      VectorXd x(40);
      for (Index i = 0; i < 40; ++i) {
        x(i) = program.lower(i) + random.uniform() * (program.upper(i) - program.lower(i));
      }
      const double value = program.g.dot(x) + 0.5 * x.dot(program.H * x);
      EXPECT_GE(value, found.objective - found.gap - 1e-9 * std::abs(found.objective));
    }
  }
}

TEST(MinimiseInBox, IsTheNewtonStepWithoutBounds) {
  const MatrixXd H = (MatrixXd(2, 2) << 4.0, 1.0, 1.0, 3.0).finished();
  const VectorXd g = Eigen::Vector2d(1.0, 2.0);
  const VectorXd wide = VectorXd::Constant(2, kInfinite);
  const BoxProgram found = minimise_in_box(H, g, -wide, wide);
  // By Cramer's rule: x = -(3 - 2, 8 - 1)/11.
  EXPECT_TRUE(test::matrices_near(found.x, Eigen::Vector2d(-1.0 / 11.0, -7.0 / 11.0),
                                  {.rel = 1e-14}));  // rounding
  EXPECT_LT(found.kkt_residual, 1e-14);
}

TEST(MinimiseInBox, SaysThatHIsNotDefinite) {
  const MatrixXd H = (MatrixXd(2, 2) << 1.0, 0.0, 0.0, -1.0).finished();
  const BoxProgram found = minimise_in_box(H, VectorXd::Ones(2), VectorXd::Constant(2, -1.0),
                                           VectorXd::Constant(2, 1.0));
  EXPECT_EQ(found.status, Status::Indefinite);
}

TEST(MinimiseInBox, NamesBoundsThatContradict) {
  const VectorXd one = VectorXd::Ones(2);
  EXPECT_THAT(test::message_of([&] {
                (void)minimise_in_box(MatrixXd::Identity(2, 2), one, one,
                                      Eigen::Vector2d(2.0, 0.0));
              }),
              testing::HasSubstr("lower(2) must not be above upper(2), got 1 and 0"));
}

}  // namespace alembert::optimize::box_program_test
