#include "alembert/signal/smoothing.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "alembert/core/random.hpp"
#include "alembert/signal/detrend.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace smoothing_test {

using alembert::RandomStream;
using alembert::signal::Penalty;
using alembert::signal::polynomial_trend;
using alembert::signal::smooth;
using alembert::signal::SmoothingResult;
using alembert::test::kEps;
using alembert::test::matrices_near;
using alembert::test::message_of;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

int order_of(Penalty penalty) { return penalty == Penalty::SecondDerivative ? 2 : 3; }

VectorXd uneven_times(Index n, double end) {
  std::mt19937_64 engine(31);
  std::uniform_real_distribution<double> length(0.3, 1.7);
  VectorXd times(n);
  times[0] = 0.0;
  for (Index k = 1; k < n; ++k) {
    times[k] = times[k - 1] + length(engine);
  }
  return times * (end / times[n - 1]);
}

// Independent form of the same minimum, dense: f = T d + K c with the reproducing kernel of
// ∫ (f⁽ᵐ⁾)², where (K + λ W⁻¹) c + T d = y and Tᵀ c = 0. Then y - f = λ W⁻¹ c.
struct Dense {
  MatrixXd hat;
  VectorXd fitted, c;
};

double kernel(double s, double t, int m) {
  // ∫ (s-u)₊^(m-1) (t-u)₊^(m-1) du / (m-1)!² over u >= 0
  const double a = std::min(s, t);
  const double d = std::abs(s - t);
  return m == 2 ? a * a * a / 3.0 + d * a * a / 2.0
                : a * a * a * (a * a / 5.0 + d * a / 2.0 + d * d / 3.0) / 4.0;
}

Dense dense_smoothing(const VectorXd& times, const VectorXd& y, const VectorXd& w, double lambda,
                      int m) {
  const Index n = times.size();
  MatrixXd system = MatrixXd::Zero(n + m, n + m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      system(i, j) = kernel(times[i], times[j], m);
    }
    system(i, i) += lambda / w[i];
    for (int p = 0; p < m; ++p) {
      system(i, n + p) = system(n + p, i) = std::pow(times[i], p);
    }
  }
  const MatrixXd c_of_y = system.fullPivLu().inverse().topLeftCorner(n, n);
  Dense result;
  result.hat = MatrixXd::Identity(n, n) - lambda * w.cwiseInverse().asDiagonal() * c_of_y;
  result.fitted = result.hat * y;
  result.c = c_of_y * y;
  return result;
}

class Smoothing : public testing::TestWithParam<Penalty> {};
INSTANTIATE_TEST_SUITE_P(Penalties, Smoothing,
                         testing::Values(Penalty::SecondDerivative, Penalty::ThirdDerivative));

TEST_P(Smoothing, AgreesWithTheDenseHatMatrix) {
  const int m = order_of(GetParam());
  const Index n = 40;
  const VectorXd times = uneven_times(n, 1.0);
  RandomStream random(1);
  const VectorXd y = (6.0 * times.array()).sin().matrix() + 0.3 * random.normal_vector(n);
  VectorXd w(n);
  for (double& weight : w) {
    weight = random.uniform(0.5, 4.0);
  }
  for (const double lambda : {1e-9, 1e-7, 1e-5, 1e-3, 1e-1}) {
    const Dense dense = dense_smoothing(times, y, w, lambda, m);
    const SmoothingResult result =
        smooth(times, y, {.penalty = GetParam(), .lambda = lambda, .weights = w});
    // Rounding of the dense system: condition up to 1e7, so some 1e-9 of |y| <= 2.
    const double rounding = 1e7 * 10 * kEps;
    EXPECT_TRUE(matrices_near(result.fitted, dense.fitted, {.abs = rounding})) << lambda;
    EXPECT_NEAR(result.degrees_of_freedom, dense.hat.trace(), 40 * rounding) << lambda;
    const VectorXd residual = y - dense.fitted;
    const double sum = w.dot(residual.cwiseAbs2());
    const double rest = static_cast<double>(n) - dense.hat.trace();
    // First order: |δ sum| <= 2 Σ w |r| rounding, and the trace as above.
    const double relative =
        2.0 * rounding * w.dot(residual.cwiseAbs()) / sum + 2.0 * 40 * rounding / rest;
    EXPECT_NEAR(result.gcv, static_cast<double>(n) * sum / (rest * rest), relative * result.gcv);
    EXPECT_NEAR(result.sigma, std::sqrt(sum / rest), relative * result.sigma);
    EXPECT_EQ(result.lambda, lambda);
    EXPECT_EQ(result.used, n);
    EXPECT_FALSE(result.at_limit);
  }
}

// Between the samples: f⁽ᵐ⁾(s) = Σ c(i) (t(i)-s)₊^(m-1) / (m-1)!, and all lower derivatives follow
// from the values at the knots, the continuity of f⁽ʲ⁾ and this one.
TEST_P(Smoothing, SplineHasTheRightDerivatives) {
  const int m = order_of(GetParam());
  const Index n = 25;
  const VectorXd times = uneven_times(n, 1.0);
  RandomStream random(2);
  const VectorXd y = (5.0 * times.array()).cos().matrix() + 0.1 * random.normal_vector(n);
  const double lambda = 1e-5;
  const Dense dense = dense_smoothing(times, y, VectorXd::Ones(n), lambda, m);
  const SmoothingResult result = smooth(times, y, {.penalty = GetParam(), .lambda = lambda});
  const VectorXd places = VectorXd::LinSpaced(101, 0.0, 1.0);
  VectorXd expected = VectorXd::Zero(places.size());
  for (Index k = 0; k < places.size(); ++k) {
    for (Index i = 0; i < n; ++i) {
      const double s = std::max(times[i] - places[k], 0.0);
      expected[k] += dense.c[i] * (m == 2 ? s : s * s / 2.0);
    }
  }
  EXPECT_TRUE(matrices_near(result.spline.derivative(places, m), expected, {.rel = 1e-7}));
  // Continuity of all derivatives up to 2m - 2 at every knot, the outer ones included.
  const auto& spline = result.spline;
  for (Index i = 1; i + 1 < spline.knots().size(); ++i) {
    const double x = spline.knots()[i];
    for (int order = 0; order <= 2 * m - 2; ++order) {
      const double left = spline.derivative(std::nextafter(x, -1e300), order);
      const double right = spline.derivative(x, order);
      const double size = spline.derivative(places, order).cwiseAbs().maxCoeff();
      // nextafter moves by eps; the next derivative is at most 1e3 times larger here.
      EXPECT_NEAR(left, right, 1e-8 * size) << "knot " << i << ", order " << order;
    }
  }
  EXPECT_TRUE(matrices_near(spline(times), result.fitted, {.abs = 0.0}));
}

TEST_P(Smoothing, OutsideItGoesOnWithDegreeOfThePenalty) {
  const int m = order_of(GetParam());
  const VectorXd times = uneven_times(30, 3.0);
  const SmoothingResult result =
      smooth(times, times.array().sin(), {.penalty = GetParam(), .lambda = 1e-4});
  for (const double x : {-2.0, -0.01, 3.01, 7.0}) {
    for (int order = m; order < 2 * m; ++order) {
      EXPECT_EQ(result.spline.derivative(x, order), 0.0) << x;
    }
  }
  for (int order = 0; order < m; ++order) {
    EXPECT_NEAR(result.spline.derivative(-1e-9, order), result.spline.derivative(0.0, order), 1e-7);
    EXPECT_NEAR(result.spline.derivative(3.0 + 1e-9, order), result.spline.derivative(3.0, order),
                1e-7);
  }
}

TEST_P(Smoothing, NoPenaltyInterpolates) {
  const VectorXd times = uneven_times(50, 2.0);
  RandomStream random(3);
  const VectorXd y = random.normal_vector(50);
  const SmoothingResult exact = smooth(times, y, {.penalty = GetParam(), .lambda = 0.0});
  EXPECT_TRUE(matrices_near(exact.fitted, y, {.abs = 1000 * kEps}));
  EXPECT_EQ(exact.degrees_of_freedom, 50.0);
  EXPECT_TRUE(std::isnan(exact.gcv) && std::isnan(exact.sigma));
  // A tiny λ comes close to that, also in the derivatives.
  const SmoothingResult tiny = smooth(times, y, {.penalty = GetParam(), .lambda = 1e-18});
  EXPECT_TRUE(matrices_near(tiny.fitted, y, {.abs = 1e-5}));
  EXPECT_TRUE(
      matrices_near(tiny.spline.derivative(times), exact.spline.derivative(times), {.rel = 1e-4}));
}

TEST_P(Smoothing, HugePenaltyLeavesThePolynomial) {
  const int m = order_of(GetParam());
  const VectorXd times = uneven_times(200, 2.0);
  RandomStream random(4);
  const VectorXd y = 3.0 + random.normal_vector(200).array();
  const VectorXd polynomial = polynomial_trend(times, y, m - 1);
  for (const double lambda : {1e9, 1e15, 1e100}) {
    const SmoothingResult result = smooth(times, y, {.penalty = GetParam(), .lambda = lambda});
    // The distance to the polynomial falls as 1/λ; rounding: condition 8 · 200^m.
    const double distance = 10.0 / lambda + 8 * std::pow(200.0, m) * kEps;
    EXPECT_TRUE(matrices_near(result.fitted, polynomial, {.abs = distance}));
    // The trace adds up 200 entries of that kind.
    EXPECT_NEAR(result.degrees_of_freedom, m, 200 * distance);
  }
}

// In the middle of a long record the spline passes a wave of ω rad/s with the gain
// 1/(1 + λ h ω^2m), h the step; the ends are 60 wavelengths/2π away. With these 1000 samples a wave
// the normal equations are wrong by 1e-7 for m = 2 and by 1e-2 for m = 3.
TEST_P(Smoothing, KeepsItsDigitsForLongWaves) {
  const int m = order_of(GetParam());
  const Index n = 20001;
  const VectorXd times = VectorXd::LinSpaced(n, -10.0, 10.0);
  const double omega = 2.0 * kPi;
  const VectorXd y = (omega * times.array()).cos();
  const double lambda = std::pow(omega, -2 * m) / 1e-3;
  const SmoothingResult result = smooth(times, y, {.penalty = GetParam(), .lambda = lambda});
  // Rounding: 8 √(λ/h^2m) eps = 8 · 160^m eps.
  const double rounding = 8.0 * std::pow(1000.0 / (2.0 * kPi), m) * 10.0 * kEps;
  for (Index k = n / 2 - 500; k <= n / 2 + 500; k += 100) {
    EXPECT_NEAR(result.fitted[k], 0.5 * y[k], rounding + 1e-12) << k;
  }
  // The second derivative of a cubic spline through samples of a wave is too large by (ωh)²/12.
  const double factor = m == 2 ? 1.0 + std::pow(omega * 1e-3, 2) / 12.0 : 1.0;
  EXPECT_NEAR(result.spline.derivative(0.0, 2), -0.5 * omega * omega * factor,
              omega * omega * rounding * 100.0);
  // tr H: the gain summed over all frequencies, T/2π ∫ dω/(1 + λhω^2m), which is
  // T (λh)^(-1/2m) / (2m sin(π/2m)),
  // and an effect of the ends of order 1.
  const double expected = 20.0 * omega / (2 * m * std::sin(kPi / (2 * m)));
  EXPECT_NEAR(result.degrees_of_freedom, expected, 2.0);
}

TEST_P(Smoothing, CrossValidationFindsTheLowestScore) {
  const VectorXd times = uneven_times(300, 6.0);
  RandomStream random(5);
  const VectorXd y = (2.0 * times.array()).sin().matrix() + 0.2 * random.normal_vector(300);
  const SmoothingResult best = smooth(times, y, {.penalty = GetParam()});
  EXPECT_FALSE(best.at_limit);
  for (double exponent = -8.0; exponent <= 8.0; exponent += 0.5) {
    const SmoothingResult other =
        smooth(times, y, {.penalty = GetParam(), .lambda = best.lambda * std::pow(10.0, exponent)});
    // The search stops 0.02 decades from the minimum, where the score is flat to 1e-5.
    EXPECT_GE(other.gcv, best.gcv * (1.0 - 1e-5)) << exponent;
  }
}

TEST_P(Smoothing, NoiseEstimateIsUnbiased) {
  const Index n = 300;
  const VectorXd times = VectorXd::LinSpaced(n, 0.0, 3.0);
  const VectorXd truth = (2.0 * times.array()).sin() + times.array();
  const double sigma = 0.05;
  double sum = 0.0;
  const int runs = 10;
  for (int run = 0; run < runs; ++run) {
    RandomStream random(6, static_cast<std::uint64_t>(run));
    const SmoothingResult result =
        smooth(times, truth + sigma * random.normal_vector(n), {.penalty = GetParam()});
    // Error of the curve: σ √(tr H / n), a third more for the bias; 1.6 covers the spread.
    const double error = (result.fitted - truth).norm() / std::sqrt(static_cast<double>(n));
    EXPECT_LT(error, 1.6 * sigma * std::sqrt(result.degrees_of_freedom / static_cast<double>(n)));
    sum += result.sigma * result.sigma;
  }
  // The mean of the estimates of σ² spreads by σ² √(2 / (n runs)) = 2.6 %, the bias that remains is
  // smaller. Four standard deviations.
  const double spread = std::sqrt(2.0 / (static_cast<double>(n) * runs));
  EXPECT_NEAR(sum / runs / (sigma * sigma), 1.0, 4.0 * spread);
}

TEST_P(Smoothing, GivenNoiseIsMet) {
  const VectorXd times = uneven_times(400, 5.0);
  RandomStream random(7);
  const VectorXd y = times.array().sin().matrix() + 0.1 * random.normal_vector(400);
  VectorXd w = VectorXd::Constant(400, 4.0);
  const SmoothingResult result =
      smooth(times, y, {.penalty = GetParam(), .sigma = 0.2, .weights = w});
  // λ is found to 1e-3 decades; the sum changes by less than that relatively.
  EXPECT_NEAR(w.dot((y - result.fitted).cwiseAbs2()) / (400 * 0.2 * 0.2), 1.0, 1e-3);
  EXPECT_FALSE(result.at_limit);
  EXPECT_TRUE(smooth(times, y, {.penalty = GetParam(), .sigma = 100.0}).at_limit);
  EXPECT_TRUE(smooth(times, y, {.penalty = GetParam(), .sigma = 1e-12}).at_limit);
}

TEST_P(Smoothing, MissingSamplesAndZeroWeightsCountNothing) {
  const VectorXd times = uneven_times(60, 3.0);
  RandomStream random(8);
  VectorXd y = (2.0 * times.array()).cos().matrix() + 0.1 * random.normal_vector(60);
  VectorXd w = VectorXd::Ones(60);
  VectorXd short_times(56), short_y(56);
  Index n = 0;
  for (Index k = 0; k < 60; ++k) {
    const bool dropped = k == 0 || k == 20 || k == 21 || k == 59;
    if (!dropped) {
      short_times[n] = times[k];
      short_y[n++] = y[k];
    }
  }
  y[0] = y[20] = kNaN;
  w[21] = w[59] = 0.0;
  y[59] = 1e9;
  const SmoothingResult all = smooth(times, y, {.penalty = GetParam(), .weights = w});
  const SmoothingResult part = smooth(short_times, short_y, {.penalty = GetParam()});
  EXPECT_EQ(all.used, 56);
  EXPECT_EQ(all.lambda, part.lambda);
  EXPECT_TRUE(matrices_near(all.fitted, part.spline(times), {.abs = 0.0}));
  EXPECT_TRUE(all.fitted.allFinite());
}

// Only units change: λ scales with time^(2m-1) / weight, the curve with the values.
TEST_P(Smoothing, ScalesWithTheUnits) {
  const int m = order_of(GetParam());
  const VectorXd times = uneven_times(80, 1.0);
  RandomStream random(9);
  const VectorXd y = (7.0 * times.array()).sin().matrix() + 0.1 * random.normal_vector(80);
  const SmoothingResult a = smooth(times, y, {.penalty = GetParam()});
  const SmoothingResult b = smooth(1024.0 * times, 8.0 * y,
                                   {.penalty = GetParam(), .weights = VectorXd::Constant(80, 4.0)});
  EXPECT_NEAR(b.lambda / a.lambda, 4.0 * std::pow(1024.0, 2 * m - 1),
              1e-6 * 4.0 * std::pow(1024.0, 2 * m - 1));
  EXPECT_TRUE(matrices_near(b.fitted, 8.0 * a.fitted, {.rel = 1e-9}));
  EXPECT_NEAR(b.sigma, 2.0 * 8.0 * a.sigma, 1e-9 * b.sigma);
  EXPECT_NEAR(b.gcv, 4.0 * 64.0 * a.gcv, 1e-9 * b.gcv);
}

TEST(SmoothingFewSamples, GiveThePolynomialThroughThem) {
  const Eigen::Vector3d times(0, 1, 3);
  const Eigen::Vector3d y(1, 2, 10);
  const SmoothingResult two = smooth(times.head<2>(), y.head<2>());
  EXPECT_NEAR(two.spline(0.5), 1.5, 4 * kEps);
  EXPECT_EQ(two.degrees_of_freedom, 2.0);
  // Parabola 1 + x² ... through (0,1), (1,2), (3,10).
  const SmoothingResult three = smooth(times, y, {.penalty = Penalty::ThirdDerivative});
  EXPECT_NEAR(three.spline(2.0), 5.0, 16 * kEps);
  // One more than m: smoothing proper begins.
  EXPECT_GT(smooth(times, y, {.lambda = 1e9}).spline(3.0), 8.0);
  EXPECT_NEAR(smooth(times, y, {.lambda = 1e9}).degrees_of_freedom, 2.0, 1e-6);
}

TEST(SmoothingLimits, LineAsksForNothingButALine) {
  const VectorXd times = VectorXd::LinSpaced(100, 0.0, 1.0);
  RandomStream random(12);
  const SmoothingResult result =
      smooth(times, (2.0 * times) + 0.01 * random.normal_vector(100), {});
  // Cross-validation may keep a few degrees of freedom by chance, not many.
  EXPECT_LT(result.degrees_of_freedom, 12.0);
}

TEST(SmoothingErrors, NameTheCulprit) {
  const VectorXd times = VectorXd::LinSpaced(5, 0.0, 1.0);
  const VectorXd y = times;
  const auto message = [&](const alembert::signal::SmoothingOptions& options) {
    return message_of([&] { (void)smooth(times, y, options); });
  };
  EXPECT_THAT(message({.lambda = -1.0}), HasSubstr("smooth: lambda"));
  EXPECT_THAT(message({.lambda = kNaN}), HasSubstr("smooth: lambda"));
  EXPECT_THAT(message({.sigma = 0.0}), HasSubstr("smooth: sigma"));
  EXPECT_THAT(message({.lambda = 1.0, .sigma = 1.0}), HasSubstr("lambda and sigma"));
  EXPECT_THAT(message({.weights = VectorXd::Ones(4)}), HasSubstr("number of weights"));
  EXPECT_THAT(message({.weights = -VectorXd::Ones(5)}), HasSubstr("must not be negative, got -1"));
  EXPECT_THAT(message({.weights = VectorXd::Zero(5)}),
              HasSubstr("number of samples that can be used"));
  EXPECT_THAT(message_of([&] { (void)smooth(times, y.head(4)); }), HasSubstr("number of values"));
  EXPECT_THAT(message_of([&] { (void)smooth(-times, y); }), HasSubstr("times must increase"));
  VectorXd infinite = y;
  infinite[3] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(message_of([&] { (void)smooth(times, infinite); }), HasSubstr("inf at sample 4"));
}

}  // namespace smoothing_test
