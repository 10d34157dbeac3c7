#include "alembert/identify/static_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::identify::static_curve_test {
namespace {

using Eigen::VectorXd;

VectorXd places(Eigen::Index count, double reach) {
  return VectorXd::LinSpaced(count, -reach, reach);
}

VectorXd force(const VectorXd& x, double k, double k3) {
  return (0.4 + k * x.array() + k3 * x.array().cube()).matrix();
}

TEST(StaticCurve, FindsTheCubicItWasMadeFrom) {
  const VectorXd x = places(21, 0.05);
  const StaticCurve curve = fit_static_curve(x, force(x, 78.07, -2470.0));
  const Eigen::Vector3d truth(0.4, 78.07, -2470.0);
  EXPECT_TRUE(test::matrices_near(curve.cubic.coefficients, truth, {.rel = 1e-10}));
  EXPECT_TRUE(curve.cubic_better);
  EXPECT_LT(curve.p_value, 1e-12);
}

// Of odd places Σx⁴/Σx² is the slope that the line takes from the cubic.
TEST(StaticCurve, FitsTheLineOfTheNormalEquations) {
  const VectorXd x = places(11, 2.0);
  const StaticCurve curve = fit_static_curve(x, force(x, 3.0, 0.5));
  const double slope = 3.0 + 0.5 * x.array().pow(4).sum() / x.array().square().sum();
  EXPECT_NEAR(curve.line.coefficients(1), slope, 1e-12);
  EXPECT_NEAR(curve.line.coefficients(0), 0.4, 1e-12);
}

TEST(StaticCurve, KeepsALineALine) {
  const VectorXd x = places(15, 0.05);
  int better = 0;
  double square = 0.0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream random(seed);
    const VectorXd y = force(x, 78.0, 0.0) + 0.02 * random.normal_vector(x.size());
    const StaticCurve curve = fit_static_curve(x, y);
    better += curve.cubic_better ? 1 : 0;
    square += std::pow((curve.cubic.coefficients(1) - 78.0) / curve.cubic.deviations(1), 2);
  }
  // 1 % of 200 false alarms; more than 8 come in 1 of 4000 such tests.
  EXPECT_LE(better, 8);
  // The square of Student's t with 12 degrees of freedom has the mean 1.2; 200 of them ± 0.5.
  EXPECT_NEAR(square / 200.0, 1.2, 0.5);
}

TEST(StaticCurve, DoesNotMindTheUnit) {
  const VectorXd x = places(9, 0.03);
  RandomStream random(3);
  const VectorXd y = force(x, 50.0, 900.0) + 1e-3 * random.normal_vector(x.size());
  const StaticCurve metres = fit_static_curve(x, y);
  const StaticCurve millimetres = fit_static_curve(1e3 * x, y);
  EXPECT_NEAR(millimetres.cubic.coefficients(2) * 1e9, metres.cubic.coefficients(2), 1e-6);
  EXPECT_NEAR(millimetres.cubic.deviations(2) * 1e9, metres.cubic.deviations(2), 1e-6);
  EXPECT_NEAR(millimetres.f_value, metres.f_value, 1e-6 * metres.f_value);
}

TEST(StaticCurve, RefusesTooFewPlaces) {
  const VectorXd four = (VectorXd(6) << 0, 1, 2, 3, 3, 3).finished();
  const std::string message = test::message_of([&] { (void)fit_static_curve(four, four); });
  EXPECT_NE(message.find("different displacements"), std::string::npos) << message;
  EXPECT_THROW((void)fit_static_curve(places(8, 1.0), places(7, 1.0)), InvalidInput);
}

}  // namespace
}  // namespace alembert::identify::static_curve_test
