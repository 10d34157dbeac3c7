#include "alembert/model/second_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::model {
namespace second_order_test {

using test::kEps;
using test::matrices_near;
using testing::HasSubstr;
using testing::ThrowsMessage;

SecondOrder valid() { return test::coupled_3dof(); }

TEST(CheckSecondOrder, FindsTheDefinitenessOfThePublishedFrame) {
  const SecondOrderCheck check = check_second_order(test::frame_8dof());
  EXPECT_TRUE(check.passive());
  EXPECT_TRUE(check.damping.positive_definite);
  // Published: eigenvalues of D from 16.6 to 209.7, one digit behind the point.
  EXPECT_NEAR(check.damping.smallest, 16.6, 0.05);
  EXPECT_NEAR(check.damping.largest, 209.7, 0.05);
  EXPECT_DOUBLE_EQ(check.mass.condition(), 1.0);
}

TEST(CheckSecondOrder, TellsDefiniteFromSemidefiniteAndIndefinite) {
  SecondOrder system = test::free_chain(5, 2.0, 300.0);
  SecondOrderCheck check = check_second_order(system);
  EXPECT_FALSE(check.stiffness.positive_definite);
  EXPECT_TRUE(check.stiffness.positive_semidefinite);
  EXPECT_TRUE(check.damping.positive_semidefinite);
  EXPECT_TRUE(check.passive());

  system.K(2, 2) -= 1.0;
  check = check_second_order(system);
  EXPECT_FALSE(check.stiffness.positive_semidefinite);
  EXPECT_FALSE(check.passive());

  system = valid();
  system.D(0, 0) = -0.4;
  EXPECT_FALSE(check_second_order(system).passive());
}

// A mass in tonnes beside an inertia in g mm²: definite, although the eigenvalues differ by 1e21.
TEST(CheckSecondOrder, DoesNotDependOnUnits) {
  const Eigen::Vector3d units(1e9, 1.0, 1e-12);
  SecondOrder system = valid();
  for (Eigen::MatrixXd* matrix : {&system.M, &system.D, &system.K}) {
    *matrix = units.asDiagonal() * *matrix * units.asDiagonal();
  }
  EXPECT_TRUE(check_second_order(system).passive());
  EXPECT_TRUE(check_second_order(system).stiffness.positive_definite);
}

TEST(CheckSecondOrder, NamesTheCulprit) {
  const auto message = [](const auto& spoil) {
    SecondOrder system = valid();
    spoil(system);
    try {
      check_second_order(system);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message([](SecondOrder& s) { s.M.resize(0, 0); }), HasSubstr("rows of M"));
  EXPECT_THAT(message([](SecondOrder& s) { s.D.resize(2, 3); }), HasSubstr("D must be 3 x 3"));
  EXPECT_THAT(message([](SecondOrder& s) { s.K.resize(4, 4); }), HasSubstr("got 4 x 4"));
  EXPECT_THAT(message([](SecondOrder& s) { s.L.resize(2, 1); }), HasSubstr("L must be 3 x 1"));
  EXPECT_THAT(message([&](SecondOrder& s) { s.K(1, 2) = nan; }), HasSubstr("K must be finite"));
  EXPECT_THAT(message([&](SecondOrder& s) { s.L(1, 2) = nan; }), HasSubstr("L must be finite"));
  EXPECT_THAT(message([](SecondOrder& s) { s.D(0, 1) += 1e-6; }), HasSubstr("D must be symmetric"));
  EXPECT_THAT(message([](SecondOrder& s) { s.M(1, 1) = -2.0; }),
              HasSubstr("M must be positive definite, got smallest eigenvalue -2"));
  EXPECT_THAT(message([](SecondOrder& s) { s.M(1, 1) = 0.0; }),
              HasSubstr("M must be positive definite"));
  EXPECT_THAT(message([](SecondOrder& s) { s.L.col(1) = 3.0 * s.L.col(0); }),
              HasSubstr("L must have independent columns, got rank 2 of 3"));
  EXPECT_THAT(message([](SecondOrder& s) { s.L.col(1).setZero(); }),
              HasSubstr("zeros in column 2"));
  EXPECT_THAT(message([](SecondOrder& s) { s.L = Eigen::MatrixXd::Ones(3, 4); }),
              HasSubstr("independent columns"));
}

TEST(CheckSecondOrder, AcceptsASystemWithoutForces) {
  SecondOrder system = valid();
  system.L.resize(3, 0);
  EXPECT_TRUE(check_second_order(system).passive());
}

TEST(OutputMap, PicksMotionsAndCoordinates) {
  const OutputMap map =
      output_map(3, {{Motion::Acceleration, 2}, {Motion::Displacement, 0}, {Motion::Velocity, 1}});
  ASSERT_EQ(map.outputs(), 3);
  const Eigen::Vector3d q(1, 2, 3), v(10, 20, 30), a(100, 200, 300);
  const Eigen::VectorXd y = map.displacement * q + map.velocity * v + map.acceleration * a;
  EXPECT_EQ(y, Eigen::Vector3d(300, 1, 20));
}

TEST(OutputMap, RejectsAnUnknownCoordinate) {
  EXPECT_THAT(
      [] {
        (void)output_map(3, {{}, {Motion::Velocity, 3}});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("choice 2 must be in [0, 2], got 3")));
  EXPECT_THAT(
      [] {
        (void)output_map(3, {{Motion::Velocity, -1}});
      },
      ThrowsMessage<InvalidInput>(HasSubstr("got -1")));
  EXPECT_THAT([] { (void)output_map(0, {}); },
              ThrowsMessage<InvalidInput>(HasSubstr("degrees_of_freedom")));
}

// The first-order form must say the same as the equation of motion solved by an LU of M.
TEST(StateSpace, AgreesWithTheEquationOfMotion) {
  std::mt19937_64 engine(11);
  for (const Eigen::Index n : {1, 2, 5, 17}) {
    const SecondOrder system = test::random_system(n, 3, engine);
    const OutputMap outputs{test::random_matrix(4, n, engine), test::random_matrix(4, n, engine),
                            test::random_matrix(4, n, engine)};
    const StateSpace form = state_space(system, outputs);
    const Eigen::VectorXd q = test::random_matrix(n, 1, engine);
    const Eigen::VectorXd v = test::random_matrix(n, 1, engine);
    const Eigen::VectorXd u = test::random_matrix(3, 1, engine);
    const Eigen::VectorXd a =
        system.M.fullPivLu().solve(system.L * u - system.D * v - system.K * q);
    Eigen::VectorXd x(2 * n), rate(2 * n);
    x << q, v;
    rate << v, a;
    // Rounding: n products, condition of M 4, entries of K up to 100 times those of the result.
    const double tolerance = 400.0 * static_cast<double>(n) * kEps;
    EXPECT_TRUE(matrices_near(form.A * x + form.B * u, rate, {.rel = tolerance})) << n;
    EXPECT_TRUE(
        matrices_near(form.C * x + form.E * u,
                      outputs.displacement * q + outputs.velocity * v + outputs.acceleration * a,
                      {.rel = tolerance}))
        << n;
  }
}

TEST(StateSpace, WithoutOutputsHasNoOutputRows) {
  const StateSpace form = state_space(valid());
  EXPECT_EQ(form.C.rows(), 0);
  EXPECT_EQ(form.E.rows(), 0);
  EXPECT_EQ(form.A.rows(), 6);
}

TEST(StateSpace, RejectsAMassWithoutCholeskyFactorAndOutputsOfAnotherSize) {
  SecondOrder system = valid();
  system.M(1, 1) = -1.0;
  EXPECT_THAT([&] { (void)state_space(system); },
              ThrowsMessage<InvalidInput>(HasSubstr("M must be positive definite")));
  OutputMap outputs = output_map(3, {{}});
  outputs.velocity.resize(1, 2);
  EXPECT_THAT([&] { (void)state_space(valid(), outputs); },
              ThrowsMessage<InvalidInput>(HasSubstr("output map velocity must be 1 x 3")));
  outputs = output_map(3, {{}});
  outputs.acceleration(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { (void)state_space(valid(), outputs); },
              ThrowsMessage<InvalidInput>(HasSubstr("output map acceleration must be finite")));
}

}  // namespace second_order_test
}  // namespace alembert::model
