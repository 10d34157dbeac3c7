#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "alembert/signal/excitation.hpp"
#include "alembert/signal/fft.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace sweep_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Phase = MultisineOptions::Phase;

constexpr double kPi = std::numbers::pi;

// The phase in radians, written independently with powers.
double chirp_phase(double t, double T, double f0, double f1, bool logarithmic) {
  if (!logarithmic) return 2.0 * kPi * (f0 * t + (f1 - f0) * t * t / (2.0 * T));
  return 2.0 * kPi * f0 * T / std::log(f1 / f0) * (std::pow(f1 / f0, t / T) - 1.0);
}

TEST(Chirp, FollowsThePhaseFormulaUpAndDown) {
  const double step = 1e-3;
  const Eigen::Index n = 2001;
  for (const bool logarithmic : {false, true}) {
    for (const auto& [f0, f1] : {std::pair{1.0, 100.0}, std::pair{100.0, 1.0}}) {
      const Eigen::VectorXd u = chirp(
          n, step, {.begin_hz = f0, .end_hz = f1, .amplitude = 2.0, .logarithmic = logarithmic});
      for (Eigen::Index k = 0; k < n; ++k) {
        const double phase = chirp_phase(static_cast<double>(k) * step, 2.0, f0, f1, logarithmic);
        // The reference itself rounds at 1e3 rad.
        EXPECT_NEAR(u(k), 2.0 * std::sin(phase), 20 * 1000 * kEps) << k;
      }
    }
  }
}

// Instantaneous frequency from differences of the unwrapped phase: the slope at both ends.
TEST(Chirp, BeginsAndEndsAtItsFrequencies) {
  const double step = 1e-4;
  for (const bool logarithmic : {false, true}) {
    const Eigen::VectorXd u =
        chirp(100001, step, {.begin_hz = 5.0, .end_hz = 80.0, .logarithmic = logarithmic});
    // u' = 2π f at t = 0, where the phase is 0; the next term is of relative order step.
    EXPECT_NEAR(u(1) / step, 2.0 * kPi * 5.0, 0.02);
    // Near the end u(k-1) + u(k+1) = 2 u(k) cos(2π f step) for a sine of frequency f.
    double up = 0.0;
    double down = 0.0;
    for (Eigen::Index k = 99980; k < 100000; ++k) {
      up += (u(k - 1) + u(k + 1)) * u(k);
      down += 2.0 * u(k) * u(k);
    }
    EXPECT_NEAR(std::acos(up / down) / (2.0 * kPi * step), 80.0, 0.1);
  }
}

TEST(Chirp, EqualFrequenciesGiveASine) {
  for (const bool logarithmic : {false, true}) {
    const Eigen::VectorXd u =
        chirp(101, 0.01, {.begin_hz = 2.0, .end_hz = 2.0, .logarithmic = logarithmic});
    for (Eigen::Index k = 0; k <= 100; ++k) {
      EXPECT_NEAR(u(k), std::sin(2.0 * kPi * 0.02 * static_cast<double>(k)), 50 * kEps);
    }
  }
  EXPECT_EQ(chirp(1, 0.01, {.begin_hz = 2.0, .end_hz = 3.0})(0), 0.0);
}

TEST(Chirp, BadInputIsNamed) {
  const auto message = [&](Eigen::Index samples, double step, const ChirpOptions& options) {
    return message_of([&] { (void)chirp(samples, step, options); });
  };
  EXPECT_THAT(message(0, 0.1, {}), HasSubstr("chirp: samples"));
  EXPECT_THAT(message(5, -0.1, {}), HasSubstr("chirp: step"));
  EXPECT_THAT(message(5, 0.1, {.begin_hz = 5.1}), HasSubstr("chirp: begin_hz"));
  EXPECT_THAT(message(5, 0.1, {.end_hz = -1.0}), HasSubstr("chirp: end_hz"));
  EXPECT_THAT(message(5, 0.1, {.end_hz = 1.0, .logarithmic = true}), HasSubstr("chirp: begin_hz"));
  EXPECT_THAT(message(5, 0.1, {.begin_hz = 1.0, .logarithmic = true}), HasSubstr("chirp: end_hz"));
  EXPECT_THAT(message(5, 0.1, {.amplitude = std::nan("")}), HasSubstr("chirp: amplitude"));
}

// Product of two polynomials over GF(2) modulo a third of degree n.
std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t modulus, int n) {
  std::uint64_t product = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) product ^= a;
    a <<= 1;
    if ((a >> n) != 0) a ^= modulus;
  }
  return product;
}

std::uint64_t power_of_x(std::uint64_t exponent, std::uint64_t modulus, int n) {
  std::uint64_t result = 1;
  for (std::uint64_t base = 2; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, base, modulus, n);
    base = multiply(base, base, modulus, n);
  }
  return result;
}

// A polynomial of degree n is primitive if and only if x has order 2^n - 1 modulo it.
TEST(PrbsTaps, PolynomialsArePrimitive) {
  for (int order = 2; order <= 24; ++order) {
    std::uint64_t modulus = 1;
    for (const int tap : prbs_taps(order)) modulus |= std::uint64_t{1} << tap;
    ASSERT_EQ(modulus >> order, 1u) << order;
    const std::uint64_t full = (std::uint64_t{1} << order) - 1;
    EXPECT_EQ(power_of_x(full, modulus, order), 1u) << order;
    std::uint64_t rest = full;
    for (std::uint64_t q = 2; rest > 1; ++q) {
      if (rest % q != 0) continue;
      while (rest % q == 0) rest /= q;
      EXPECT_NE(power_of_x(full / q, modulus, order), 1u) << order << " " << q;
    }
  }
}

TEST(Prbs, TwoLevelAutocorrelation) {
  for (const int order : {2, 3, 5, 8, 10, 12, 13}) {
    RandomStream random(8);
    const Eigen::Index period = (Eigen::Index{1} << order) - 1;
    const Eigen::VectorXd u = prbs(2 * period, {.order = order, .amplitude = 3.0}, random);
    EXPECT_EQ(u.head(period), u.tail(period)) << order;
    // Circular autocorrelation by the transform: |U|², exact integers times 9 but for rounding.
    const Eigen::VectorXcd spectrum = fft(u.head(period).cast<std::complex<double>>());
    const Eigen::VectorXcd power = spectrum.cwiseAbs2().cast<std::complex<double>>();
    const Eigen::VectorXd correlation = ifft(power).real() / 9.0;
    EXPECT_NEAR(correlation(0), static_cast<double>(period), 1e-9 * static_cast<double>(period));
    for (Eigen::Index lag = 1; lag < period; ++lag) ASSERT_NEAR(correlation(lag), -1.0, 1e-6);
  }
}

// A maximum-length sequence has one more high bit than low ones, in every period.
TEST(Prbs, LongestOrderRunsThroughItsWholePeriod) {
  RandomStream random(9);
  const Eigen::Index period = (Eigen::Index{1} << 20) - 1;
  const Eigen::VectorXd u = prbs(period + 20, {.order = 20}, random);
  EXPECT_EQ(u.head(period).sum(), 1.0);
  EXPECT_EQ(u.head(20), u.tail(20));
  // No shorter period: the first 20 bits fix the sequence and must not come again before.
  Eigen::Index again = 0;
  for (Eigen::Index k = 1; k < period; ++k) {
    if (u(k) == u(0) && u.segment(k, 20) == u.head(20)) ++again;
  }
  EXPECT_EQ(again, 0);
}

TEST(Prbs, HoldsEachBit) {
  RandomStream a(10);
  RandomStream b(10);
  const Eigen::VectorXd fast = prbs(31, {.order = 5}, a);
  const Eigen::VectorXd slow = prbs(91, {.order = 5, .clock_samples = 3}, b);
  for (Eigen::Index k = 0; k < slow.size(); ++k) EXPECT_EQ(slow(k), fast(k / 3)) << k;
}

TEST(Prbs, EveryStartIsOnTheSameSequence) {
  // Any start gives a shift of the one sequence; different seeds give different shifts.
  const Eigen::Index period = 127;
  RandomStream random(11);
  const Eigen::VectorXd reference = prbs(2 * period, {.order = 7}, random);
  int shifted = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::VectorXd u = prbs(period, {.order = 7}, random);
    Eigen::Index shift = 0;
    while (shift < period && reference.segment(shift, period) != u) ++shift;
    EXPECT_LT(shift, period);
    if (shift > 0) ++shifted;
  }
  EXPECT_GT(shifted, 15);
}

TEST(Prbs, BadInputIsNamed) {
  RandomStream random(1);
  const auto message = [&](Eigen::Index samples, const PrbsOptions& options) {
    return message_of([&] { (void)prbs(samples, options, random); });
  };
  EXPECT_THAT(message(0, {}), HasSubstr("prbs: samples"));
  EXPECT_THAT(message(5, {.order = 1}), HasSubstr("prbs: order"));
  EXPECT_THAT(message(5, {.order = 25}), HasSubstr("prbs: order"));
  EXPECT_THAT(message(5, {.clock_samples = 0}), HasSubstr("prbs: clock_samples"));
  EXPECT_THAT(message(5, {.amplitude = INFINITY}), HasSubstr("prbs: amplitude"));
  EXPECT_THAT(message_of([] { (void)prbs_taps(30); }), HasSubstr("prbs_taps: order"));
}

}  // namespace sweep_test
}  // namespace alembert::signal
