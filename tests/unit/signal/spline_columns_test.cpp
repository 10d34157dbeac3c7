#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "alembert/signal/spline.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace spline_columns_test {

using alembert::signal::cubic_slopes;
using alembert::signal::cubic_spline;
using alembert::signal::CubicEnds;
using alembert::signal::CubicSplineOptions;
using alembert::signal::PiecewisePolynomial;
using alembert::signal::scaled_derivatives;
using alembert::test::kEps;
using alembert::test::matrices_near;
using alembert::test::message_of;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

// n times from 0 to `end` whose neighbouring intervals differ by up to a factor 3.
VectorXd uneven_times(Index n, double end, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> length(0.5, 1.5);
  VectorXd times(n);
  times[0] = 0.0;
  for (Index k = 1; k < n; ++k) {
    times[k] = times[k - 1] + length(engine);
  }
  return times * (end / times[n - 1]);
}

VectorXd sampled(const std::function<double(double)>& f, const VectorXd& x) {
  return x.unaryExpr([&](double value) { return f(value); });
}

TEST(CubicSlopes, AgreeWithTheSplineColumnByColumn) {
  const VectorXd times = uneven_times(50, 5.0, 21);
  MatrixXd values(50, 3);
  values.col(0) = sampled([](double x) { return std::sin(x); }, times);
  values.col(1) = sampled([](double x) { return x * x; }, times);
  values.col(2) = sampled([](double x) { return std::cos(2.0 * kPi * x / 5.0); }, times);
  for (const CubicEnds ends : {CubicEnds::NotAKnot, CubicEnds::Natural, CubicEnds::Clamped}) {
    const CubicSplineOptions options{.ends = ends, .begin_slope = 1.0, .end_slope = -1.0};
    const MatrixXd slopes = cubic_slopes(times, values, options);
    for (Index c = 0; c < 3; ++c) {
      const PiecewisePolynomial spline = cubic_spline(times, values.col(c), options);
      EXPECT_TRUE(matrices_near(slopes.col(c), spline.derivative(times), {.rel = 200 * kEps}));
    }
  }
  const MatrixXd periodic = cubic_slopes(times, values.rightCols(1), {.ends = CubicEnds::Periodic});
  EXPECT_EQ(periodic(0, 0), periodic(49, 0));
}

TEST(CubicSlopes, ConstantStepIsASpecialCase) {
  const MatrixXd values = VectorXd::LinSpaced(40, 0.0, 3.0).array().sin().matrix();
  const VectorXd times = VectorXd::LinSpaced(40, 0.0, 39.0 * 0.25);
  EXPECT_TRUE(
      matrices_near(cubic_slopes(0.25, values), cubic_slopes(times, values), {.rel = 100 * kEps}));
}

TEST(ScaledDerivatives, AdvanceTheColumnsToTheNextSample) {
  const VectorXd times = uneven_times(30, 4.0, 22);
  MatrixXd values(30, 2);
  values.col(0) = sampled([](double x) { return std::exp(0.5 * x); }, times);
  values.col(1) = sampled([](double x) { return std::sin(4.0 * x); }, times);
  const MatrixXd slopes = cubic_slopes(times, values);
  MatrixXd d(2, 4);
  for (Index k = 0; k < 29; ++k) {
    const double h = times[k + 1] - times[k];
    scaled_derivatives(values, slopes, k, h, d);
    for (Index c = 0; c < 2; ++c) {
      const PiecewisePolynomial spline = cubic_spline(times, values.col(c));
      for (int order = 0; order <= 3; ++order) {
        EXPECT_NEAR(d(c, order), std::pow(h, order) * spline.derivative(times[k], order),
                    400 * kEps * 10.0);
      }
      EXPECT_NEAR(d(c, 0) + d(c, 1) + d(c, 2) / 2.0 + d(c, 3) / 6.0, values(k + 1, c),
                  100 * kEps * 10.0);
    }
  }
}

TEST(ScaledDerivatives, DoNotAllocate) {
  if (!alembert::test::counts_allocations()) {
    GTEST_SKIP() << "allocations are not counted in this build";
  }
  const MatrixXd values = MatrixXd::Ones(10, 3);
  const MatrixXd slopes = cubic_slopes(0.1, values);
  MatrixXd d(3, 4);
  const std::size_t before = alembert::test::allocation_count();
  scaled_derivatives(values, slopes, 4, 0.1, d);
  EXPECT_EQ(alembert::test::allocation_count() - before, 0U);
}

TEST(CubicSlopes, RejectBadInput) {
  const VectorXd four = Eigen::Vector4d(0, 1, 2, 3);
  EXPECT_THAT(message_of([&] { (void)cubic_slopes(0.0, four); }), HasSubstr("step"));
  EXPECT_THAT(message_of([&] { (void)cubic_slopes(1.0, four.head(1)); }), HasSubstr("samples"));
}

TEST(ScaledDerivatives, RejectBadInput) {
  const VectorXd four = Eigen::Vector4d(0, 1, 2, 3);
  MatrixXd result(1, 4);
  EXPECT_THAT(message_of([&] { scaled_derivatives(four, four, 3, 1.0, result); }),
              HasSubstr("interval must be in [0, 2], got 3"));
  EXPECT_THAT(message_of([&] { scaled_derivatives(four, four.head(3), 0, 1.0, result); }),
              HasSubstr("slopes"));
}

}  // namespace spline_columns_test
