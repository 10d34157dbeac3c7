#include "alembert/optimize/transformation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace transformation_test {

using Eigen::VectorXd;
using test::kEps;
using test::matrices_near;
using testing::HasSubstr;

std::vector<Parameter> machine() {
  return {{.name = "mass", .guess = 2.0, .lower = 0.5, .upper = 8.0},
          {.name = "damping", .guess = 1e-3, .lower = 1e-6, .upper = 1.0, .logarithmic = true},
          {.name = "gravity", .guess = 9.81, .fixed = true},
          {.name = "second", .upper = 9.0, .tie = Tie{"mass", 3.0}},
          {.name = "offset", .guess = 0.0, .scale = 0.25},
          {.name = "weight", .tie = Tie{"gravity", 2.0}}};
}

TEST(Transformation, StartsAtTheGuesses) {
  const Transformation map(machine());
  EXPECT_EQ(map.size(), 6);
  EXPECT_EQ(map.free_size(), 3);
  VectorXd theta;
  map.to_parameters(map.start(), theta);
  VectorXd expected(6);
  expected << 2.0, 1e-3, 9.81, 6.0, 0.0, 19.62;
  // exp(ln θ) is off by |ln θ| roundings.
  EXPECT_TRUE(matrices_near(theta, expected, {.rel = 8 * kEps}));
}

TEST(Transformation, ScalesByTheGuessUnlessToldOtherwise) {
  const Transformation map(machine());
  EXPECT_DOUBLE_EQ(map.start()(0), 1.0);
  EXPECT_DOUBLE_EQ(map.start()(1), std::log(1e-3));
  EXPECT_DOUBLE_EQ(map.lower()(0), 0.25);
  VectorXd theta;
  VectorXd x = map.start();
  x(2) += 1.0;
  map.to_parameters(x, theta);
  EXPECT_DOUBLE_EQ(theta(4), 0.25);
}

TEST(Transformation, ScalesAGuessOfZeroByItsBounds) {
  const Transformation both({{.name = "a", .lower = -1.0, .upper = 3.0}});
  EXPECT_DOUBLE_EQ(both.upper()(0) - both.lower()(0), 10.0);
  const Transformation one({{.name = "a", .upper = 50.0}});
  EXPECT_DOUBLE_EQ(one.upper()(0), 1.0);
}

TEST(Transformation, TiedParametersNarrowTheBoundsOfTheirs) {
  const Transformation map(machine());
  EXPECT_DOUBLE_EQ(map.upper()(0), 1.5);  // mass <= 9/3, scale 2
  const Transformation negative({{.name = "a", .guess = 1.0, .lower = -5.0, .upper = 5.0},
                                 {.name = "b", .lower = -4.0, .tie = Tie{"a", -2.0}}});
  EXPECT_DOUBLE_EQ(negative.upper()(0), 2.0);
  EXPECT_DOUBLE_EQ(negative.lower()(0), -5.0);
}

TEST(Transformation, GoesThereAndBack) {
  const Transformation map(machine());
  Eigen::Vector3d x(0.7, -4.0, -2.5);
  VectorXd theta;
  map.to_parameters(x, theta);
  EXPECT_TRUE(matrices_near(map.to_free(theta), x, {.rel = 8 * kEps}));
}

TEST(Transformation, StaysInsideTheBoundsWhateverTheRounding) {
  // 0.07·(0.1/0.07) is one rounding below 0.1.
  for (const double guess : {0.07, 0.3, 0.7, 1.1, 2.3}) {
    for (const bool logarithmic : {false, true}) {
      const Transformation map({{.name = "a",
                                 .guess = guess,
                                 .lower = guess / 3.0,
                                 .upper = 7.0 * guess,
                                 .logarithmic = logarithmic}});
      VectorXd theta;
      map.to_parameters(map.lower(), theta);
      EXPECT_GE(theta(0), guess / 3.0);
      map.to_parameters(map.upper(), theta);
      EXPECT_LE(theta(0), 7.0 * guess);
    }
  }
}

// What a search leaves behind is a guess that the next one can begin from.
TEST(Transformation, LogarithmsThatRunAwayStayPositive) {
  const std::vector<Parameter> parameters = {{.name = "k", .guess = 1.0, .logarithmic = true},
                                             {.name = "a", .guess = 2.0}};
  const Transformation map(parameters);
  for (const double far : {-1e5, 1e5}) {
    Eigen::VectorXd theta;
    map.to_parameters(Eigen::Vector2d(far, 1.0), theta);
    EXPECT_GT(theta(0), 0.0);
    std::vector<Parameter> next = parameters;
    next[0].guess = theta(0);
    EXPECT_NO_THROW(Transformation{next});
    EXPECT_TRUE(std::isfinite(map.to_free(theta)(0)));
  }
}

TEST(Transformation, SlopesAreThoseOfCentralDifferences) {
  const Transformation map(machine());
  const Eigen::Vector3d x(0.8, -3.0, 0.4);
  VectorXd theta, slope, forward, backward;
  map.to_parameters(x, theta);
  map.slopes(theta, slope);
  const double step = 1e-5;
  for (Eigen::Index k = 0; k < map.size(); ++k) {
    if (map.source(k) < 0) {
      EXPECT_EQ(slope(k), 0.0);
      continue;
    }
    VectorXd moved = x;
    moved(map.source(k)) += step;
    map.to_parameters(moved, forward);
    moved(map.source(k)) -= 2.0 * step;
    map.to_parameters(moved, backward);
    // Truncation step²/6, rounding eps/step.
    EXPECT_NEAR((forward(k) - backward(k)) / (2.0 * step), slope(k), 1e-9 * std::abs(slope(k)));
  }
}

// r = A θ - b has JᵀJ = AᵀA; in x the Jacobian is A diag(slope) summed over ties.
TEST(Transformation, ReducesNormalEquationsAndAddsPriors) {
  std::vector<Parameter> parameters = machine();
  parameters[3].prior = Prior{5.0, 0.5};
  const Transformation map(parameters);
  VectorXd theta, slope;
  map.to_parameters(map.start(), theta);
  map.slopes(theta, slope);
  const Eigen::MatrixXd A = (Eigen::MatrixXd(7, 6) << 1, 2, 3, 4, 5, 6, 2, 1, 0, 1, 3, 1, 4, 4, 2,
                             0, 1, 1, 0, 1, 5, 2, 2, 3, 7, 1, 1, 0, 2, 2, 1, 0, 0, 3, 1, 0,  //
                             0, 0, 0, 2, 0, 0)
                                .finished();  // the last row is the prior, 1/0.5
  VectorXd r = A * theta;
  r(6) = (theta(3) - 5.0) / 0.5;
  NormalEquations sums, free;
  sums.reset(6);
  for (Eigen::Index i = 0; i < 6; ++i) sums.add(r(i), VectorXd(A.row(i)));
  EXPECT_EQ(sums.count, 6);
  map.add_priors(theta, sums);
  map.reduce(sums, slope, free);
  Eigen::MatrixXd J(7, 3);
  J << 2.0 * A.col(0) + 6.0 * A.col(3), 1e-3 * A.col(1), 0.25 * A.col(4);
  EXPECT_TRUE(matrices_near(Eigen::MatrixXd(free.matrix.triangularView<Eigen::Lower>()),
                            Eigen::MatrixXd((J.transpose() * J).triangularView<Eigen::Lower>()),
                            {.rel = 32 * kEps}));
  EXPECT_TRUE(matrices_near(free.gradient, J.transpose() * r, {.rel = 32 * kEps}));
  EXPECT_NEAR(free.cost, r.squaredNorm(), 32 * kEps * r.squaredNorm());
  EXPECT_EQ(free.count, 7);
  EXPECT_DOUBLE_EQ(map.prior_cost(theta), 4.0);
}

TEST(NormalEquations, BlocksAndRowsGiveTheSameSums) {
  const Eigen::MatrixXd J = (Eigen::MatrixXd(3, 2) << 1, 2, 3, 4, 5, 7).finished();
  const Eigen::Vector3d r(1.0, -2.0, 0.5);
  NormalEquations rows, block;
  rows.reset(2);
  block.reset(2);
  for (Eigen::Index i = 0; i < 3; ++i) rows.add(r(i), VectorXd(J.row(i)));
  block.add(VectorXd(r), J);
  EXPECT_DOUBLE_EQ(rows.matrix(0, 0), 35.0);
  EXPECT_DOUBLE_EQ(rows.matrix(1, 0), 49.0);
  EXPECT_DOUBLE_EQ(block.matrix(1, 0), 49.0);
  EXPECT_DOUBLE_EQ(block.gradient(1), -2.5);
  EXPECT_DOUBLE_EQ(rows.gradient(1), -2.5);
  EXPECT_DOUBLE_EQ(rows.cost, block.cost);
  EXPECT_EQ(block.count, 3);
}

TEST(Transformation, NamesTheCulprit) {
  const auto message = [](const std::vector<Parameter>& parameters) {
    return test::message_of([&] { (void)Transformation(parameters); });
  };
  EXPECT_THAT(message({{.name = ""}}), HasSubstr("parameter 1 has no name"));
  EXPECT_THAT(message({{.name = "a"}, {.name = "a"}}), HasSubstr("'a' is given twice"));
  EXPECT_THAT(message({{.name = "a", .guess = NAN}}), HasSubstr("'a' needs a finite guess"));
  EXPECT_THAT(message({{.name = "a", .guess = 2.0, .upper = 1.0}}),
              HasSubstr("'a' needs a guess in [-inf, 1], got 2"));
  EXPECT_THAT(message({{.name = "a", .lower = 1.0, .upper = 1.0}}), HasSubstr("lower < upper"));
  EXPECT_THAT(message({{.name = "a", .guess = 0.0, .logarithmic = true}}),
              HasSubstr("positive guess, got 0"));
  EXPECT_THAT(message({{.name = "a", .guess = 1.0, .lower = -1.0, .logarithmic = true}}),
              HasSubstr("lower >= 0"));
  EXPECT_THAT(message({{.name = "a", .scale = -1.0}}), HasSubstr("scale >= 0"));
  EXPECT_THAT(message({{.name = "kover"}, {.name = "b", .tie = Tie{"kovr", 1.0}}}),
              HasSubstr("did you mean 'kover'?"));
  EXPECT_THAT(message({{.name = "a"}, {.name = "b", .tie = Tie{"a", 0.0}}}),
              HasSubstr("'b' needs a finite factor"));
  EXPECT_THAT(message({{.name = "a"},
                       {.name = "b", .tie = Tie{"a", 1.0}},
                       {.name = "c", .tie = Tie{"b", 1.0}}}),
              HasSubstr("'b', which is tied itself"));
  EXPECT_THAT(message({{.name = "a", .prior = Prior{0.0, 0.0}}}), HasSubstr("deviation > 0"));
  EXPECT_THAT(message({{.name = "a"}, {.name = "b", .fixed = true, .tie = Tie{"a", 1.0}}}),
              HasSubstr("both fixed and tied"));
}

}  // namespace transformation_test
}  // namespace alembert::optimize
