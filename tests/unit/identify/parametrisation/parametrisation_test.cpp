#include "alembert/identify/parametrisation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "support/random_systems.hpp"

namespace alembert::identify {
namespace parametrisation_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

Eigen::VectorXd random_vector(Eigen::Index size, std::mt19937_64& engine) {
  return test::random_matrix(size, 1, engine);
}

TEST(HalfVector, HoldsTheLowerTriangleByColumns) {
  Eigen::Matrix3d matrix;
  matrix << 1, 2, 3, 2, 4, 5, 3, 5, 6;
  Eigen::VectorXd half(6);
  half << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(half_vector(matrix), half);
  EXPECT_EQ(from_half_vector(half), matrix);
}

TEST(HalfVector, RefusesImpossibleLengths) {
  EXPECT_THAT(message_of([] { (void)from_half_vector(Eigen::VectorXd::Zero(5)); }),
              HasSubstr("from_half_vector: length of half"));
  EXPECT_THAT(message_of([] { (void)unstacked(Eigen::VectorXd::Zero(10)); }),
              HasSubstr("unstacked: length of stack"));
}

TEST(Stacked, GoesThereAndBack) {
  std::mt19937_64 engine(5);
  const Eigen::VectorXd stack = random_vector(30, engine);
  EXPECT_EQ(stacked(unstacked(stack)), stack);
}

TEST(FreeMatrices, HasOneUnknownForEachEntry) {
  const Parametrisation free = free_matrices(2);
  EXPECT_THAT(free.names,
              ElementsAre("M11", "M21", "M22", "D11", "D21", "D22", "K11", "K21", "K22"));
  EXPECT_EQ(free.units.size(), free.names.size());
  const Matrices at = matrices(free, Eigen::VectorXd::LinSpaced(9, 1.0, 9.0));
  EXPECT_EQ(at.D, (Eigen::Matrix2d() << 4, 5, 5, 6).finished());
  EXPECT_EQ(free_matrices(12).names[12], "M2,2");
}

TEST(StructuredMatrices, FixesAndTiesEntries) {
  using Kind = EntryRule::Kind;
  const Parametrisation p = structured_matrices(
      2, {.diagonal_mass = true,
          .rules = {{.kind = Kind::Fixed, .matrix = 'D', .row = 0, .column = 1, .value = 0.5},
                    {.kind = Kind::Tied,
                     .matrix = 'K',
                     .row = 1,
                     .column = 1,
                     .value = 2.0,
                     .other_matrix = 'K',
                     .other_row = 0,
                     .other_column = 0},
                    {.kind = Kind::Tied,
                     .matrix = 'D',
                     .row = 1,
                     .column = 1,
                     .value = 3.0,
                     .other_matrix = 'K',
                     .other_row = 1,
                     .other_column = 1}}});
  EXPECT_THAT(p.names, ElementsAre("M11", "M22", "D11", "K11", "K21"));
  const Matrices at = matrices(p, (Eigen::VectorXd(5) << 1, 2, 3, 4, 5).finished());
  EXPECT_EQ(at.M, (Eigen::Matrix2d() << 1, 0, 0, 2).finished());
  EXPECT_EQ(at.D, (Eigen::Matrix2d() << 3, 0.5, 0.5, 24).finished());
  EXPECT_EQ(at.K, (Eigen::Matrix2d() << 4, 5, 5, 8).finished());
}

TEST(StructuredMatrices, NamesTheBadRule) {
  using Kind = EntryRule::Kind;
  const auto complaint = [](std::vector<EntryRule> rules, bool proportional = false) {
    return message_of([&] {
      (void)structured_matrices(2, {.proportional_damping = proportional, .rules = rules});
    });
  };
  EXPECT_THAT(complaint({{.matrix = 'M', .row = 2}}),
              HasSubstr("rule 1 must point to an entry of the 2 x 2 matrix M, got row 3"));
  EXPECT_THAT(complaint({{.matrix = 'C'}}), HasSubstr("rule 1 must name the matrix M, D or K"));
  EXPECT_THAT(complaint({{.matrix = 'K', .row = 1}, {.matrix = 'K', .column = 1}}),
              HasSubstr("rule 2 repeats what another rule or diagonal_mass says of K21"));
  EXPECT_THAT(complaint({{.kind = Kind::Tied, .matrix = 'K', .other_matrix = 'D'},
                         {.kind = Kind::Tied, .matrix = 'D', .other_matrix = 'K'}}),
              HasSubstr("tie in a circle"));
  EXPECT_THAT(complaint({{.matrix = 'D'}}, true), HasSubstr("rule 1 must not name D"));
}

TEST(LumpedElements, AddsValueTimesDirections) {
  const Eigen::Vector2d first(1, 0), second(0, 1), between(1, -1);
  const Parametrisation p =
      lumped_elements(2, {{.kind = Element::Kind::Mass, .name = "m", .direction = first},
                          {.kind = Element::Kind::Mass, .name = "m", .direction = second},
                          {.kind = Element::Kind::Spring, .name = "k", .direction = between},
                          {.kind = Element::Kind::Spring,
                           .name = "base",
                           .direction = first,
                           .fixed = true,
                           .value = 7.0},
                          {.kind = Element::Kind::Damper, .name = "c", .direction = 2.0 * second}});
  EXPECT_THAT(p.names, ElementsAre("m", "k", "c"));
  const Matrices at = matrices(p, Eigen::Vector3d(2, 5, 3));
  EXPECT_EQ(at.M, 2.0 * Eigen::Matrix2d::Identity());
  EXPECT_EQ(at.K, (Eigen::Matrix2d() << 12, -5, -5, 5).finished());
  EXPECT_EQ(at.D, (Eigen::Matrix2d() << 0, 0, 0, 12).finished());
}

TEST(LumpedElements, NamesTheBadElement) {
  const auto complaint = [](std::vector<Element> elements) {
    return message_of([&] { (void)lumped_elements(2, elements); });
  };
  const Eigen::Vector2d e(1, 0);
  EXPECT_THAT(complaint({{.name = "k", .direction = Eigen::VectorXd::Ones(3)}}),
              HasSubstr("element 1 'k' must have a direction of 2 numbers, got 3"));
  EXPECT_THAT(complaint({{.name = "k", .direction = Eigen::VectorXd::Zero(2)}}),
              HasSubstr("direction that is not zero"));
  EXPECT_THAT(complaint({{.name = "k", .direction = e, .fixed = true, .value = 1.0}}),
              HasSubstr("must have an unknown"));
  EXPECT_THAT(complaint({{.name = "a", .direction = e},
                         {.kind = Element::Kind::Mass, .name = "a", .direction = e}}),
              HasSubstr("elements named 'a' must be of one kind"));
}

// Central differences of an at most quadratic map are exact but for rounding.
TEST(Jacobian, EqualsCentralDifferences) {
  std::mt19937_64 engine(9);
  const Parametrisation cases[] = {
      free_matrices(3),
      structured_matrices(3, {.diagonal_mass = true, .proportional_damping = true})};
  for (const Parametrisation& p : cases) {
    const Eigen::VectorXd theta = random_vector(p.size(), engine);
    const Eigen::MatrixXd exact = jacobian(p, theta);
    for (Eigen::Index j = 0; j < p.size(); ++j) {
      const Eigen::VectorXd step = 0.25 * Eigen::VectorXd::Unit(p.size(), j);
      const Eigen::VectorXd slope =
          (stacked(matrices(p, theta + step)) - stacked(matrices(p, theta - step))) / 0.5;
      EXPECT_TRUE(matrices_near(exact.col(j), slope, {.abs = 64 * kEps})) << j;
    }
  }
}

TEST(NearestParameters, RecoversParametersOfMatricesInTheFamily) {
  std::mt19937_64 engine(11);
  const Eigen::Vector3d a(1, 0, 0), b(1, -1, 0), c(0, 1, -1);
  const auto unit = [](Eigen::Index i) { return Eigen::VectorXd(Eigen::VectorXd::Unit(3, i)); };
  const Parametrisation cases[] = {
      free_matrices(3), structured_matrices(3, {.diagonal_mass = true}),
      structured_matrices(3, {.proportional_damping = true}),
      lumped_elements(3, {{.kind = Element::Kind::Mass, .name = "m1", .direction = unit(0)},
                          {.kind = Element::Kind::Mass, .name = "m2", .direction = unit(1)},
                          {.kind = Element::Kind::Mass, .name = "m3", .direction = unit(2)},
                          {.kind = Element::Kind::Spring, .name = "k1", .direction = a},
                          {.kind = Element::Kind::Spring, .name = "k2", .direction = b},
                          {.kind = Element::Kind::Spring, .name = "k3", .direction = c},
                          {.kind = Element::Kind::Damper, .name = "c1", .direction = b}})};
  for (const Parametrisation& p : cases) {
    const Eigen::VectorXd theta =
        random_vector(p.size(), engine) + 2.0 * Eigen::VectorXd::Ones(p.size());
    // Least squares with a condition number below 100.
    EXPECT_TRUE(
        matrices_near(nearest_parameters(p, matrices(p, theta)), theta, {.rel = 1e4 * kEps}));
  }
}

// Off the family: the mean of a tied pair, by symmetry.
TEST(NearestParameters, IsTheLeastSquaresPoint) {
  const Eigen::Vector2d first(1, 0), second(0, 1);
  const Parametrisation p =
      lumped_elements(2, {{.kind = Element::Kind::Mass, .name = "m", .direction = first},
                          {.kind = Element::Kind::Mass, .name = "m", .direction = second}});
  const Eigen::Matrix2d zero = Eigen::Matrix2d::Zero();
  const Eigen::Matrix2d M = Eigen::Vector2d(1.0, 3.0).asDiagonal();
  EXPECT_NEAR(nearest_parameters(p, {M, zero, zero})(0), 2.0, 8 * kEps);
}

TEST(Parametrisation, RefusesWrongLengths) {
  EXPECT_THAT(message_of([] { (void)matrices(free_matrices(2), Eigen::VectorXd::Zero(8)); }),
              HasSubstr("matrices: length of theta"));
}

}  // namespace parametrisation_test
}  // namespace alembert::identify
