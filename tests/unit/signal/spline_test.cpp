#include "alembert/signal/spline.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace spline_test {

using alembert::signal::cubic_spline;
using alembert::signal::CubicEnds;
using alembert::signal::interpolating_polynomial;
using alembert::signal::PiecewisePolynomial;
using alembert::signal::quintic_spline;
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

double worst_error(const PiecewisePolynomial& spline, const std::function<double(double)>& f,
                   double begin, double end, int order = 0) {
  const VectorXd x = VectorXd::LinSpaced(1009, begin, end);
  return (spline.derivative(x, order) - sampled(f, x)).cwiseAbs().maxCoeff();
}

double power_series(const VectorXd& c, double x, int order = 0) {
  double sum = 0.0;
  for (Index j = c.size() - 1; j >= order; --j) {
    double factor = 1.0;
    for (int r = 0; r < order; ++r) {
      factor *= static_cast<double>(j - r);
    }
    sum = sum * x + factor * c[j];
  }
  return sum;
}

// ---- polynomials that the spline must return ----

TEST(CubicSpline, NotAKnotReproducesCubics) {
  const VectorXd c = Eigen::Vector4d(0.5, -2.0, 1.5, 0.7);
  for (const Index n : {4, 5, 6, 17, 200}) {
    const VectorXd times = uneven_times(n, 2.0, 11);
    const PiecewisePolynomial spline =
        cubic_spline(times, sampled([&](double x) { return power_series(c, x); }, times));
    // Differences of values near 4 over intervals of 2/n: each order of derivative loses n.
    for (int order = 0; order <= 3; ++order) {
      const double tolerance = 64 * kEps * std::pow(static_cast<double>(n), order) * 10.0;
      EXPECT_LT(worst_error(
                    spline, [&](double x) { return power_series(c, x, order); }, 0.0, 2.0, order),
                tolerance)
          << "n = " << n << ", order " << order;
    }
  }
}

TEST(CubicSpline, ClampedReproducesCubicsWithTheirSlopes) {
  const VectorXd c = Eigen::Vector4d(0.5, -2.0, 1.5, 0.7);
  const auto f = [&](double x) { return power_series(c, x); };
  for (const Index n : {2, 3, 4, 30}) {
    const VectorXd times = uneven_times(n, 2.0, 12);
    const PiecewisePolynomial spline = cubic_spline(times, sampled(f, times),
                                                    {.ends = CubicEnds::Clamped,
                                                     .begin_slope = power_series(c, 0.0, 1),
                                                     .end_slope = power_series(c, 2.0, 1)});
    EXPECT_LT(worst_error(spline, f, 0.0, 2.0), 64 * kEps * 10.0) << n;
  }
}

TEST(CubicSpline, NaturalReproducesLinesOnly) {
  const auto line = [](double x) { return 3.0 - 0.5 * x; };
  for (const Index n : {2, 3, 4, 30}) {
    const VectorXd times = uneven_times(n, 2.0, 13);
    const PiecewisePolynomial spline =
        cubic_spline(times, sampled(line, times), {.ends = CubicEnds::Natural});
    EXPECT_LT(worst_error(spline, line, 0.0, 2.0), 64 * kEps * 3.0) << n;
  }
  const VectorXd times = uneven_times(9, 2.0, 13);
  const PiecewisePolynomial bent = cubic_spline(
      times, sampled([](double x) { return std::exp(x); }, times), {.ends = CubicEnds::Natural});
  // Slopes of size e² over intervals of 0.1 and more.
  EXPECT_NEAR(bent.derivative(0.0, 2), 0.0, 64 * kEps * std::exp(2.0) / 0.1);
  EXPECT_NEAR(bent.derivative(2.0, 2), 0.0, 64 * kEps * std::exp(2.0) / 0.1);
}

TEST(QuinticSpline, ReproducesQuintics) {
  VectorXd c(6);
  c << 0.5, -2.0, 1.5, 0.7, -0.3, 0.4;
  for (const Index n : {6, 7, 8, 9, 12, 13, 40, 200}) {
    const VectorXd times = uneven_times(n, 2.0, 14);
    const PiecewisePolynomial spline =
        quintic_spline(times, sampled([&](double x) { return power_series(c, x); }, times));
    for (int order = 0; order <= 5; ++order) {
      // Each derivative amplifies the rounding of the samples by about π/h; with h = 2/n.
      const double tolerance = 256 * kEps * 20.0 * std::pow(2.0 * static_cast<double>(n), order);
      EXPECT_LT(worst_error(
                    spline, [&](double x) { return power_series(c, x, order); }, 0.0, 2.0, order),
                tolerance)
          << "n = " << n << ", order " << order;
    }
  }
}

// ---- few samples ----

TEST(Splines, FewSamplesGiveThePolynomialThroughThem) {
  const VectorXd c = Eigen::VectorXd::LinSpaced(6, 1.0, -2.0);
  for (Index n = 2; n <= 6; ++n) {
    const VectorXd times = uneven_times(n, 1.5, 15);
    const VectorXd part = c.head(n);
    const auto f = [&](double x) { return power_series(part, x); };
    const VectorXd values = sampled(f, times);
    EXPECT_LT(worst_error(quintic_spline(times, values), f, 0.0, 1.5), 512 * kEps * 10.0) << n;
    EXPECT_LT(worst_error(interpolating_polynomial(times, values), f, 0.0, 1.5), 512 * kEps * 10.0);
    if (n <= 4) {
      EXPECT_LT(worst_error(cubic_spline(times, values), f, 0.0, 1.5), 64 * kEps * 10.0) << n;
    }
  }
}

// ---- convergence ----

// Truncation order p: halving the step divides the error by 2^p. Measured over the whole record,
// ends included, once the asymptotic range is reached; ±10 % of the order.
double observed_order(
    const std::function<PiecewisePolynomial(const VectorXd&, const VectorXd&)>& interpolate,
    Index n, const std::function<double(double)>& f, const std::function<double(double)>& expected,
    int order) {
  const VectorXd coarse = VectorXd::LinSpaced(n, 0.0, 2.0);
  const VectorXd fine = VectorXd::LinSpaced(2 * n - 1, 0.0, 2.0);
  const double before =
      worst_error(interpolate(coarse, sampled(f, coarse)), expected, 0.0, 2.0, order);
  const double after = worst_error(interpolate(fine, sampled(f, fine)), expected, 0.0, 2.0, order);
  return std::log2(before / after);
}

double wave(double x) { return std::exp(0.3 * x) * std::sin(3.0 * x); }
double wave_slope(double x) {
  return std::exp(0.3 * x) * (0.3 * std::sin(3.0 * x) + 3.0 * std::cos(3.0 * x));
}

TEST(CubicSpline, ErrorIsOfOrderFour) {
  const auto interpolate = [](const VectorXd& x, const VectorXd& y) { return cubic_spline(x, y); };
  EXPECT_NEAR(observed_order(interpolate, 161, wave, wave, 0), 4.0, 0.4);
  EXPECT_NEAR(observed_order(interpolate, 161, wave, wave_slope, 1), 3.0, 0.3);
}

TEST(CubicSpline, NaturalEndsCostTwoOrders) {
  const auto interpolate = [](const VectorXd& x, const VectorXd& y) {
    return cubic_spline(x, y, {.ends = CubicEnds::Natural});
  };
  EXPECT_NEAR(observed_order(interpolate, 161, wave, wave, 0), 2.0, 0.2);
}

TEST(QuinticSpline, ErrorIsOfOrderSix) {
  const auto interpolate = [](const VectorXd& x, const VectorXd& y) {
    return quintic_spline(x, y);
  };
  EXPECT_NEAR(observed_order(interpolate, 61, wave, wave, 0), 6.0, 0.6);
  EXPECT_NEAR(observed_order(interpolate, 61, wave, wave_slope, 1), 5.0, 0.5);
}

// ---- defining properties ----

TEST(Splines, PassThroughTheSamplesAndAreSmooth) {
  std::mt19937_64 engine(16);
  std::normal_distribution<double> normal;
  const VectorXd times = uneven_times(60, 6.0, 17);
  VectorXd values(60);
  for (double& value : values) {
    value = normal(engine);
  }
  values[59] = values[0];
  const auto jumps = [&](const PiecewisePolynomial& spline, int smoothness) {
    for (Index i = 0; i + 1 < spline.pieces(); ++i) {
      const double x = spline.knots()[i + 1];
      const VectorXd c = spline.coefficients().col(i);
      for (int order = 0; order <= smoothness; ++order) {
        const double left = power_series(c, x - spline.knots()[i], order);
        const double right = spline.derivative(x, order);
        // Values of size 5 over intervals of at least 0.03 and derivatives that differ there.
        EXPECT_NEAR(left, right, 2000 * kEps * std::pow(100.0, order)) << order << " at " << x;
      }
    }
    EXPECT_TRUE(matrices_near(spline(times), values, {.abs = 100 * kEps}));
  };
  for (const CubicEnds ends :
       {CubicEnds::NotAKnot, CubicEnds::Natural, CubicEnds::Clamped, CubicEnds::Periodic}) {
    jumps(cubic_spline(times, values, {.ends = ends}), 2);
  }
  jumps(quintic_spline(times, values), 4);
}

TEST(CubicSpline, NotAKnotSharesTheThirdDerivative) {
  const VectorXd times = uneven_times(12, 3.0, 18);
  const VectorXd values = sampled([](double x) { return 1.0 / (1.0 + x * x); }, times);
  const MatrixXd c = cubic_spline(times, values).coefficients();
  const double rounding = 1000 * kEps * c.row(3).cwiseAbs().maxCoeff();
  EXPECT_NEAR(c(3, 0), c(3, 1), rounding);
  EXPECT_NEAR(c(3, 10), c(3, 9), rounding);
  EXPECT_GT(std::abs(c(3, 1) - c(3, 2)), 1e3 * rounding);
}

// Among all functions through the samples the natural spline has the least ∫ u''².
TEST(CubicSpline, NaturalBendsLeast) {
  const VectorXd times = uneven_times(20, 4.0, 19);
  const VectorXd values = sampled([](double x) { return std::cos(2.0 * x); }, times);
  const auto bending = [&](CubicEnds ends) {
    const PiecewisePolynomial second =
        cubic_spline(times, values, {.ends = ends}).differentiated(2);
    // Simpson's rule is exact for the square of a piecewise linear function.
    double sum = 0.0;
    for (Index i = 0; i < second.pieces(); ++i) {
      const double h = times[i + 1] - times[i];
      const double a = second.coefficients()(0, i);
      const double b = a + h * second.coefficients()(1, i);
      sum += h / 3.0 * (a * a + a * b + b * b);
    }
    return sum;
  };
  EXPECT_LT(bending(CubicEnds::Natural), bending(CubicEnds::NotAKnot));
  EXPECT_LT(bending(CubicEnds::Natural), bending(CubicEnds::Clamped));
}

// Cyclic shift: a periodic spline does not know where the record begins.
TEST(CubicSpline, PeriodicDoesNotDependOnTheStart) {
  const auto f = [](double x) { return std::sin(x) + 0.3 * std::cos(3.0 * x); };
  for (const Index n : {3, 4, 5, 9, 33}) {
    const VectorXd times = VectorXd::LinSpaced(n, 0.0, 2.0 * kPi);
    const double shift = times[1];
    VectorXd values = sampled(f, times);
    values[n - 1] = values[0];
    const PiecewisePolynomial spline = cubic_spline(times, values, {.ends = CubicEnds::Periodic});
    VectorXd moved(n);
    moved.head(n - 1) = values.tail(n - 1);
    moved[n - 1] = moved[0];
    const PiecewisePolynomial other = cubic_spline(times, moved, {.ends = CubicEnds::Periodic});
    EXPECT_TRUE(spline.is_periodic());
    for (double x = 0.0; x < 12.0; x += 0.37) {
      EXPECT_NEAR(spline(x + shift), other(x), 200 * kEps) << "n = " << n;
      EXPECT_NEAR(spline.derivative(x + shift), other.derivative(x), 400 * kEps) << "n = " << n;
    }
  }
  const PiecewisePolynomial flat =
      cubic_spline(Eigen::Vector2d(0, 1), Eigen::Vector2d(2, 2), {.ends = CubicEnds::Periodic});
  EXPECT_EQ(flat(0.4), 2.0);
}

// The slopes and second derivatives of the last interval's end are those of the first's beginning.
TEST(CubicSpline, PeriodicClosesSmoothly) {
  std::mt19937_64 engine(24);
  std::normal_distribution<double> normal;
  for (const Index n : {3, 4, 5, 20}) {
    const VectorXd times = uneven_times(n, 3.0, 25);
    VectorXd values(n);
    for (double& value : values) {
      value = normal(engine);
    }
    values[n - 1] = values[0];
    const PiecewisePolynomial spline = cubic_spline(times, values, {.ends = CubicEnds::Periodic});
    for (Index i = 0; i < n - 1; ++i) {
      const VectorXd before = spline.coefficients().col(i == 0 ? n - 2 : i - 1);
      const double h = i == 0 ? times[n - 1] - times[n - 2] : times[i] - times[i - 1];
      for (int order = 0; order <= 2; ++order) {
        // Slopes up to 100 over intervals of 0.05 and more.
        EXPECT_NEAR(power_series(before, h, order), spline.derivative(times[i], order),
                    1000 * kEps * std::pow(50.0, order))
            << "n = " << n << ", knot " << i << ", order " << order;
      }
    }
  }
}

TEST(CubicSpline, PeriodicSineConvergesWithOrderFour) {
  const auto f = [](double x) { return std::sin(x); };
  const auto error = [&](Index n) {
    const VectorXd times = VectorXd::LinSpaced(n, 0.0, 2.0 * kPi);
    VectorXd values = sampled(f, times);
    values[n - 1] = values[0];
    const PiecewisePolynomial spline = cubic_spline(times, values, {.ends = CubicEnds::Periodic});
    return worst_error(spline, f, -2.0 * kPi, 4.0 * kPi);
  };
  EXPECT_NEAR(std::log2(error(33) / error(65)), 4.0, 0.2);
  // The sharp bound for cubic splines with exact end conditions is 5/384 h⁴ max|u''''|.
  EXPECT_LT(error(65), 5.0 / 384.0 * std::pow(2.0 * kPi / 64.0, 4));
}

TEST(Splines, IntegralsOfKnownFunctions) {
  const auto f = [](double x) { return std::exp(-x); };
  const VectorXd times = uneven_times(201, 3.0, 20);
  const double expected = std::exp(-0.1) - std::exp(-2.9);
  // Interpolation error times the length of the interval, h <= 1.5 · 3/200.
  const double h = (times.tail(200) - times.head(200)).maxCoeff();
  EXPECT_NEAR(cubic_spline(times, sampled(f, times)).integral(0.1, 2.9), expected,
              2.8 * std::pow(h, 4));
  EXPECT_NEAR(quintic_spline(times, sampled(f, times)).integral(0.1, 2.9), expected,
              2.8 * std::pow(h, 6) + 100 * kEps);
}

// ---- hard numbers ----

// Only the unit of time changes: derivatives scale, no digit is lost.
TEST(Splines, ScaleWithTheUnitOfTime) {
  const VectorXd times = uneven_times(25, 3.0, 23);
  const VectorXd values = sampled([](double x) { return std::sin(2.0 * x); }, times);
  for (const double unit : {std::ldexp(1.0, -40), std::ldexp(1.0, 40)}) {
    EXPECT_EQ(cubic_spline(unit * times, values)(unit * 1.234), cubic_spline(times, values)(1.234));
    EXPECT_EQ(quintic_spline(unit * times, values).derivative(unit * 1.234, 3) * std::pow(unit, 3),
              quintic_spline(times, values).derivative(1.234, 3));
  }
}

TEST(CubicSpline, StaysFiniteForVeryUnevenTimes) {
  VectorXd times(8);
  times << 0.0, 1e-9, 1.0, 1.0 + 1e-9, 2.0, 1e6, 1e6 + 1.0, 2e6;
  const VectorXd values = sampled([](double x) { return 1.0 + 2e-6 * x; }, times);
  const PiecewisePolynomial spline = cubic_spline(times, values);
  // A line comes back as a line; the slopes over 1e-9 carry the rounding of the values.
  EXPECT_TRUE(spline.coefficients().allFinite());
  EXPECT_TRUE(matrices_near(spline(times), values, {.rel = 8 * kEps}));
}

TEST(Splines, RejectBadInput) {
  const VectorXd four = Eigen::Vector4d(0, 1, 2, 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of([&] { (void)cubic_spline(four, Eigen::Vector3d(0, 1, 2)); }),
              HasSubstr("cubic_spline: rows of values"));
  EXPECT_THAT(message_of([&] { (void)cubic_spline(four.head(1), four.head(1)); }),
              HasSubstr("number of samples"));
  EXPECT_THAT(message_of([&] { (void)cubic_spline(Eigen::Vector4d(0, 1, 1, 2), four); }),
              HasSubstr("times must increase, got 1 after 1 at sample 3"));
  EXPECT_THAT(message_of([&] { (void)cubic_spline(four, Eigen::Vector4d(0, nan, 1, 2)); }),
              HasSubstr("values"));
  EXPECT_THAT(message_of([&] { (void)cubic_spline(four, four, {.ends = CubicEnds::Periodic}); }),
              HasSubstr("last value must repeat the first of a periodic signal, got 0 and 3"));
  EXPECT_THAT(message_of([&] {
                (void)cubic_spline(four, four, {.ends = CubicEnds::Clamped, .end_slope = nan});
              }),
              HasSubstr("end_slope"));
  EXPECT_THAT(message_of([&] { (void)quintic_spline(four, Eigen::Vector3d(0, 1, 2)); }),
              HasSubstr("quintic_spline: number of values"));
  EXPECT_THAT(message_of([&] { (void)quintic_spline(Eigen::Vector4d(0, 2, 1, 3), four); }),
              HasSubstr("quintic_spline: times must increase"));
  EXPECT_THAT(message_of([&] { (void)interpolating_polynomial(four.head(1), four.head(1)); }),
              HasSubstr("interpolating_polynomial: number of samples"));
}

}  // namespace spline_test
