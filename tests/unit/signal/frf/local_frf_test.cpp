#include "alembert/signal/local_frf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "alembert/core/error.hpp"

namespace alembert::signal::local_frf_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

constexpr double kTurn = 2.0 * std::numbers::pi;

VectorXd white(Index samples, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(samples, [&] { return normal(engine); });
}

// One mode at 0.1 of the sampling rate whose half-power width is `width` of a record's lines:
// x(k+1) = z x(k) + u(k), y = Im x, so that H = (1/(e - z) - 1/(e - conj z))/(2 i), e = exp(iω).
struct OneMode {
  Complex z;

  OneMode(double width, Index samples) {
    const double decay = std::numbers::pi * width / static_cast<double>(samples);
    z = std::exp(Complex(-decay, kTurn * 0.1));
  }
  [[nodiscard]] VectorXd response(const VectorXd& u) const {
    Complex x = 0.0;
    VectorXd y(u.size());
    for (Index k = 0; k < u.size(); ++k) {
      y(k) = x.imag();
      x = z * x + u(k);
    }
    return y;
  }
  [[nodiscard]] Complex truth(double frequency) const {
    const Complex e = std::exp(Complex(0.0, kTurn * frequency));
    return (1.0 / (e - z) - 1.0 / (e - std::conj(z))) / Complex(0.0, 2.0);
  }
};

// Largest error over the peak, within a half-power width of it.
double peak_error(Index samples, double width) {
  std::mt19937_64 engine(17);
  const OneMode mode(width, samples);
  const VectorXd u = white(samples, engine);
  const FrfResult found =
      estimate_local_frf({{u, mode.response(u)}}, 1.0, {.degree = 2, .half_width = 4});
  double worst = 0.0;
  const double peak = std::abs(mode.truth(0.1));
  for (Index k = 0; k < found.frequencies_hz.size(); ++k) {
    const double f = found.frequencies_hz(k);
    if (std::abs(f - 0.1) * static_cast<double>(samples) > width) continue;
    const Complex error = found.response[static_cast<std::size_t>(k)](0, 0) - mode.truth(f);
    worst = std::max(worst, std::abs(error) / peak);
  }
  return worst;
}

// The response is a polynomial of degree 2 but for terms of third order in lines over width: twice
// the width divides the error by 8. At 16 lines a prototype had 0.008 (rms over draws).
TEST(LocalFrf, ErrorFallsWithTheThirdPowerOfTheWidth) {
  const double at_16 = peak_error(4096, 16.0);
  const double at_32 = peak_error(8192, 32.0);
  EXPECT_LT(at_16, 0.03);
  EXPECT_GT(at_16 / at_32, 4.0);
  EXPECT_LT(at_16 / at_32, 16.0);
}

// With 25 lines and 6 unknowns, |error|² over its own estimate has an F distribution with 2 and 38
// degrees of freedom, whose mean is 38/36.
TEST(LocalFrf, DeviationIsTheScatterOfTheError) {
  constexpr Index kSamples = 2048;
  std::mt19937_64 engine(5);
  const OneMode mode(200.0, kSamples);
  double sum = 0.0;
  double count = 0.0;
  for (int draw = 0; draw < 10; ++draw) {
    const VectorXd u = white(kSamples, engine);
    const VectorXd y = mode.response(u) + 0.3 * white(kSamples, engine);
    const FrfResult found = estimate_local_frf({{u, y}}, 1.0, {.half_width = 12});
    for (std::size_t k = 0; k < found.response.size(); ++k) {
      const double f = found.frequencies_hz(static_cast<Index>(k));
      const double deviation = found.magnitude_deviation[k](0, 0);
      sum += std::norm(found.response[k](0, 0) - mode.truth(f)) / (2.0 * deviation * deviation);
      count += 1.0;
    }
  }
  // Lines within a window of 25 are correlated: about 10 · 1000/25 = 400 independent values of
  // deviation 1.1, so 0.055 for the mean; four of that.
  EXPECT_NEAR(sum / count, 38.0 / 36.0, 0.22);
}

// Two inputs, two experiments with starts of their own, very different units.
TEST(LocalFrf, TellsTwoInputsApart) {
  constexpr Index kSamples = 4096;
  std::mt19937_64 engine(23);
  const OneMode first(300.0, kSamples);
  std::vector<InputOutput> experiments;
  for (int e = 0; e < 2; ++e) {
    Eigen::MatrixXd u(kSamples, 2);
    u << white(kSamples, engine), 1e-9 * white(kSamples, engine);
    const VectorXd y = first.response(u.col(0)) + 5e9 * u.col(1);
    experiments.push_back({u, y});
  }
  const FrfResult found = estimate_local_frf(experiments, 1.0);
  EXPECT_EQ(found.status, Status::Success);
  for (std::size_t k = 10; k + 10 < found.response.size(); ++k) {
    const double f = found.frequencies_hz(static_cast<Index>(k));
    // Third-order terms: (13 lines/300)³ of the peak, doubled for its curvature.
    EXPECT_LT(std::abs(found.response[k](0, 0) - first.truth(f)),
              2e-3 * std::abs(first.truth(0.1)));
    EXPECT_LT(std::abs(found.response[k](0, 1) * 1e-9 - 5.0), 2e-3 * std::abs(first.truth(0.1)));
  }
}

TEST(LocalFrf, InputsThatFollowFromEachOtherAreNamed) {
  std::mt19937_64 engine(2);
  Eigen::MatrixXd u(512, 2);
  u.col(0) = white(512, engine);
  u.col(1) = -3.0 * u.col(0);
  const FrfResult found = estimate_local_frf({{u, u.col(0)}}, 0.01);
  EXPECT_EQ(found.status, Status::Indefinite);
  EXPECT_EQ(found.singular_lines.size(), found.response.size());
  EXPECT_NE(found.warning.find("follow from each other"), std::string::npos);
}

TEST(LocalFrf, RefusesWhatItCannotUse) {
  std::mt19937_64 engine(3);
  VectorXd u = white(256, engine);
  const InputOutput whole{u, u};
  EXPECT_THROW((void)estimate_local_frf({}, 1.0), InvalidInput);
  EXPECT_THROW((void)estimate_local_frf({whole}, 0.0), InvalidInput);
  EXPECT_THROW((void)estimate_local_frf({whole}, 1.0, {.degree = 0}), InvalidInput);
  EXPECT_THROW((void)estimate_local_frf({whole}, 1.0, {.half_width = 2}), InvalidInput);
  EXPECT_THROW((void)estimate_local_frf({whole}, 1.0, {.half_width = 100}), InvalidInput);
  EXPECT_THROW((void)estimate_local_frf({whole}, 1.0, {.from_hz = 3.0}), InvalidInput);
  EXPECT_THROW((void)estimate_local_frf({whole, {u.head(128), u.head(128)}}, 1.0), InvalidInput);
  u(7) = std::nan("");
  EXPECT_THROW((void)estimate_local_frf({{u, u}}, 1.0), InvalidInput);
}

}  // namespace
}  // namespace alembert::signal::local_frf_test
