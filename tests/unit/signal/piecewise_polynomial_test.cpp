#include "alembert/signal/piecewise_polynomial.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace piecewise_polynomial_test {

using alembert::signal::PiecewisePolynomial;
using alembert::test::kEps;
using alembert::test::matrices_near;
using alembert::test::message_of;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// f = 1 + 2x on [0, 1), 3 - (x-1) + 4(x-1)² on [1, 3): values worked out by hand below.
PiecewisePolynomial two_pieces(bool periodic = false) {
  Eigen::MatrixXd coefficients(3, 2);
  coefficients << 1, 3,  //
      2, -1,             //
      0, 4;
  return {Eigen::Vector3d(0, 1, 3), coefficients, periodic};
}

TEST(PiecewisePolynomial, EvaluatesEachPiece) {
  const PiecewisePolynomial f = two_pieces();
  EXPECT_EQ(f.degree(), 2);
  EXPECT_EQ(f.pieces(), 2);
  EXPECT_EQ(f(0.0), 1.0);
  EXPECT_EQ(f(0.5), 2.0);
  EXPECT_EQ(f(1.0), 3.0);
  EXPECT_EQ(f(2.0), 6.0);
  EXPECT_EQ(f(3.0), 17.0);
  EXPECT_EQ(f.derivative(0.5), 2.0);
  EXPECT_EQ(f.derivative(1.0), -1.0);
  EXPECT_EQ(f.derivative(2.0, 2), 8.0);
  EXPECT_EQ(f.derivative(2.0, 3), 0.0);
}

TEST(PiecewisePolynomial, GoesOnOutside) {
  const PiecewisePolynomial f = two_pieces();
  EXPECT_EQ(f(-2.0), -3.0);
  EXPECT_EQ(f(4.0), 36.0);
}

TEST(PiecewisePolynomial, RepeatsIfPeriodic) {
  const PiecewisePolynomial f = two_pieces(true);
  for (int period = -3; period <= 3; ++period) {
    EXPECT_EQ(f(0.5 + 3.0 * period), 2.0);
    EXPECT_EQ(f(2.0 + 3.0 * period), 6.0);
    EXPECT_EQ(f.derivative(2.0 + 3.0 * period), 7.0);
  }
  // ∫ over [0,1] is 2, over [1,3] is 6 - 2 + 32/3 = 44/3.
  const double whole = 2.0 + 44.0 / 3.0;
  EXPECT_NEAR(f.integral(0.0, 3.0), whole, 8 * kEps * whole);
  EXPECT_NEAR(f.integral(-6.0, 6.0), 4 * whole, 8 * kEps * 4 * whole);
  // From 0.5 to 1 the area is 1.25, from -2.5 to -2 the same.
  EXPECT_NEAR(f.integral(-2.5, 301.0), 1.25 + 44.0 / 3.0 + 100 * whole + 2.0, 8 * kEps * 2000);
}

TEST(PiecewisePolynomial, VectorsInAnyOrderAgreeWithScalars) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> entry(-1.0, 5.0);
  Eigen::VectorXd knots(9);
  knots << -1, 0, 0.5, 0.75, 2, 2.25, 3, 4, 4.5;
  Eigen::MatrixXd coefficients(4, 8);
  for (double& c : coefficients.reshaped()) {
    c = entry(engine);
  }
  const PiecewisePolynomial f(knots, coefficients);
  Eigen::VectorXd x(300);
  for (double& value : x) {
    value = entry(engine);
  }
  x[0] = 4.5;
  x[1] = -1.0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int order = 0; order <= 3; ++order) {
      const Eigen::VectorXd values = f.derivative(x, order);
      for (Eigen::Index k = 0; k < x.size(); ++k) {
        EXPECT_EQ(values[k], f.derivative(x[k], order)) << x[k];
      }
    }
    std::sort(x.begin(), x.end());
  }
}

TEST(PiecewisePolynomial, DifferentiationAndIntegrationAreInverse) {
  const PiecewisePolynomial f = two_pieces();
  const PiecewisePolynomial back = f.antiderivative().differentiated();
  EXPECT_TRUE(matrices_near(back.coefficients(), f.coefficients(), {.rel = 2 * kEps}));
  EXPECT_EQ(f.antiderivative()(0.0), 0.0);
  EXPECT_NEAR(f.antiderivative()(3.0), 2.0 + 44.0 / 3.0, 8 * kEps * 17);
  EXPECT_EQ(f.differentiated(2).degree(), 0);
  EXPECT_EQ(f.differentiated(2)(2.0), 8.0);
  EXPECT_EQ(f.differentiated(5).degree(), 0);
  EXPECT_EQ(f.differentiated(5)(2.0), 0.0);
  EXPECT_EQ(f.differentiated(0).coefficients(), f.coefficients());
}

TEST(PiecewisePolynomial, IntegralHasDirectionAndReachesOutside) {
  const PiecewisePolynomial f = two_pieces();
  EXPECT_EQ(f.integral(0.25, 0.25), 0.0);
  EXPECT_NEAR(f.integral(0.0, 3.0), 2.0 + 44.0 / 3.0, 8 * kEps * 17);
  EXPECT_EQ(f.integral(3.0, 0.0), -f.integral(0.0, 3.0));
  // ∫ (1 + 2x) from -1 to 0 is 0; from -2 to 0 it is -2.
  EXPECT_NEAR(f.integral(-1.0, 0.0), 0.0, 8 * kEps);
  EXPECT_NEAR(f.integral(-2.0, 0.0), -2.0, 8 * kEps * 4);
  // ∫ from 3 to 4: 3 - (9-4)/2 + 4 (27-8)/3.
  EXPECT_NEAR(f.integral(3.0, 4.0), 3.0 - 2.5 + 76.0 / 3.0, 8 * kEps * 40);
}

// A plain sum of so many equal areas loses 2e-12 of it; the compensated one does not.
TEST(PiecewisePolynomial, LongIntegralKeepsItsDigits) {
  const Eigen::Index pieces = 100000;
  const PiecewisePolynomial f(
      Eigen::VectorXd::LinSpaced(pieces + 1, 0.0, static_cast<double>(pieces)),
      Eigen::MatrixXd::Constant(1, pieces, 0.1));
  EXPECT_NEAR(f.integral(0.0, 1e5), 1e4, 4 * kEps * 1e4);
  EXPECT_NEAR(f.antiderivative()(1e5), 1e4, 4 * kEps * 1e4);
}

TEST(PiecewisePolynomial, EmptyAndNotFiniteArgumentsGiveNaN) {
  const PiecewisePolynomial nothing;
  EXPECT_EQ(nothing.degree(), -1);
  EXPECT_TRUE(std::isnan(nothing(1.0)));
  EXPECT_TRUE(std::isnan(nothing.integral(0.0, 1.0)));
  EXPECT_EQ(nothing.antiderivative().pieces(), 0);
  EXPECT_EQ(nothing.differentiated().pieces(), 0);
  EXPECT_TRUE(std::isnan(two_pieces()(kNaN)));
  EXPECT_TRUE(std::isnan(two_pieces(true)(std::numeric_limits<double>::infinity())));
}

TEST(PiecewisePolynomial, RejectsBadInput) {
  const auto make = [](const Eigen::VectorXd& knots, Eigen::Index rows, Eigen::Index columns) {
    return message_of([&] { PiecewisePolynomial(knots, Eigen::MatrixXd::Zero(rows, columns)); });
  };
  EXPECT_THAT(make(Eigen::VectorXd::Zero(1), 1, 0), HasSubstr("number of knots"));
  EXPECT_THAT(make(Eigen::Vector2d(0, 1), 0, 1), HasSubstr("rows of coefficients"));
  EXPECT_THAT(make(Eigen::Vector2d(0, 1), 1, 2), HasSubstr("columns of coefficients"));
  EXPECT_THAT(make(Eigen::Vector2d(1, 1), 1, 1), HasSubstr("knots must increase"));
  EXPECT_THAT(message_of([] { (void)two_pieces().derivative(0.0, -1); }), HasSubstr("order"));
  EXPECT_THAT(message_of([] { (void)two_pieces().differentiated(-1); }), HasSubstr("order"));
  EXPECT_THAT(message_of([] { (void)two_pieces().integral(0.0, kNaN); }),
              HasSubstr("b must be finite, got nan"));
}

}  // namespace piecewise_polynomial_test
