#include "alembert/signal/fft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <thread>
#include <vector>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace fft_test {

using test::kEps;
using test::message_of;
using testing::HasSubstr;

Eigen::VectorXcd random_complex(Eigen::Index n, std::uint64_t seed) {
  RandomStream random(seed);
  Eigen::VectorXcd values(n);
  values.real() = random.normal_vector(n);
  values.imag() = random.normal_vector(n);
  return values;
}

// The definition, summed in O(n²) with long double and exact angles.
Eigen::VectorXcd direct_transform(const Eigen::VectorXcd& x) {
  const Eigen::Index n = x.size();
  std::vector<std::complex<long double>> root(static_cast<std::size_t>(n));
  for (Eigen::Index k = 0; k < n; ++k) {
    const long double angle =
        -2.0L * std::numbers::pi_v<long double> * static_cast<long double>(k) / n;
    root[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
  }
  Eigen::VectorXcd X(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    std::complex<long double> sum = 0.0L;
    for (Eigen::Index j = 0; j < n; ++j) {
      sum += std::complex<long double>(x(j).real(), x(j).imag()) *
             root[static_cast<std::size_t>(j * k % n)];
    }
    X(k) = {static_cast<double>(sum.real()), static_cast<double>(sum.imag())};
  }
  return X;
}

double relative_error(const Eigen::VectorXcd& actual, const Eigen::VectorXcd& expected) {
  return (actual - expected).norm() / expected.norm();
}

// Rounding of a fast transform grows as log n in the 2-norm; butterflies of a prime p add a
// factor below p in the worst case and about sqrt(p) typically. Here log2(n) <= 10.
constexpr double kSmallSizeRounding = 50 * kEps;

// Powers of two, multiples of four, odd, primes below and above the switch, their products.
const std::vector<Eigen::Index> kSizes = {
    1,  2,  3,  4,  5,   6,   7,   8,   12,  13,  14,  17,  23,  30,  37,  41,  43,  49,  59,
    64, 67, 74, 86, 121, 128, 134, 201, 243, 251, 268, 343, 360, 509, 512, 625, 750, 997, 1000};

TEST(Fft, EqualsTheDefinition) {
  for (const Eigen::Index n : kSizes) {
    SCOPED_TRACE(n);
    const Eigen::VectorXcd x = random_complex(n, 1);
    EXPECT_LT(relative_error(fft(x), direct_transform(x)), kSmallSizeRounding);
  }
}

TEST(Fft, RealTransformIsTheFirstHalf) {
  for (const Eigen::Index n : kSizes) {
    SCOPED_TRACE(n);
    const Eigen::VectorXd x = random_complex(n, 2).real();
    const Eigen::VectorXcd expected = direct_transform(x.cast<std::complex<double>>());
    const Eigen::VectorXcd half = rfft(x);
    ASSERT_EQ(half.size(), n / 2 + 1);
    EXPECT_LT(relative_error(half, expected.head(n / 2 + 1)), kSmallSizeRounding);
  }
}

TEST(Fft, InversesReturnTheInput) {
  for (const Eigen::Index n : kSizes) {
    SCOPED_TRACE(n);
    const Eigen::VectorXcd x = random_complex(n, 3);
    EXPECT_LT(relative_error(ifft(fft(x)), x), 2 * kSmallSizeRounding);
    const Eigen::VectorXd real = x.real();
    EXPECT_LT((irfft(rfft(real), n) - real).norm(), 2 * kSmallSizeRounding * real.norm());
  }
}

TEST(Fft, InverseRealIgnoresImaginaryPartsThatCannotExist) {
  for (const Eigen::Index n : kSizes) {
    SCOPED_TRACE(n);
    const Eigen::VectorXd x = random_complex(n, 4).real();
    Eigen::VectorXcd half = rfft(x);
    half(0) += std::complex<double>(0.0, 3.0);
    if (n % 2 == 0) half(n / 2) += std::complex<double>(0.0, 5.0);
    EXPECT_LT((irfft(half, n) - x).norm(), 2 * kSmallSizeRounding * (x.norm() + 8.0));
  }
}

// Σ|x|² = Σ|X|²/n. Relative rounding: log2(n) eps times a small factor.
TEST(Fft, ParsevalForLongRecords) {
  for (const Eigen::Index n : {100000, 131072, 100003, 99998}) {
    const Eigen::VectorXcd x = random_complex(n, 5);
    const double energy = x.squaredNorm();
    const double spectral = fft(x).squaredNorm() / static_cast<double>(n);
    EXPECT_NEAR(spectral, energy, 100 * kEps * energy) << n;
    EXPECT_LT(relative_error(ifft(fft(x)), x), 100 * kEps) << n;
  }
}

// A sampled exponential on line l transforms to n at l and to nothing elsewhere. The prime
// length goes through the chirp, whose angles k² must be reduced exactly.
TEST(Fft, SingleLineOfALargePrimeLength) {
  const Eigen::Index n = 200003;
  const Eigen::Index line = 77777;
  Eigen::VectorXcd x(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double turn = static_cast<double>(line * k % n) / static_cast<double>(n);
    x(k) = std::polar(1.0, 2.0 * std::numbers::pi * turn);
  }
  Eigen::VectorXcd expected = Eigen::VectorXcd::Zero(n);
  expected(line) = static_cast<double>(n);
  const Eigen::VectorXcd X = fft(x);
  EXPECT_LT(relative_error(X, expected), 100 * kEps);
}

// The n² = 10^12 products of the definition would take an hour: the time limit of the test is the
// check. Rounding: angles of up to 2π over a chirp of 2n terms.
TEST(Fft, LargePrimeLengthIsNotQuadratic) {
  const Eigen::Index n = 1000003;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  x(1) = 1.0;
  const Eigen::VectorXcd X = rfft(x);
  // Transform of a shifted unit sample: exp(-2πik/n), of modulus one.
  EXPECT_LT((X.cwiseAbs().array() - 1.0).abs().maxCoeff(), 1000 * kEps);
  const std::complex<double> expected =
      std::polar(1.0, -2.0 * std::numbers::pi * 250000.0 / static_cast<double>(n));
  EXPECT_LT(std::abs(X(250000) - expected), 1000 * kEps);
}

TEST(Fft, PlanGivesTheSameBitsEachTimeAndInEachThread) {
  for (const Eigen::Index n : {240, 1021}) {
    const Eigen::VectorXcd x = random_complex(n, 6);
    const Eigen::VectorXcd expected = fft(x);
    std::vector<Eigen::VectorXcd> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results) {
      threads.emplace_back([&result, &x, n] {
        FftPlan plan(n);
        for (int repeat = 0; repeat < 10; ++repeat) result = plan.forward(x);
      });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& result : results) EXPECT_EQ(result, expected);
  }
}

TEST(Fft, FrequenciesOfEvenAndOddLengths) {
  const Eigen::VectorXd even = rfft_frequencies(10, 0.01);
  ASSERT_EQ(even.size(), 6);
  EXPECT_DOUBLE_EQ(even(0), 0.0);
  EXPECT_DOUBLE_EQ(even(5), 50.0);
  const Eigen::VectorXd odd = rfft_frequencies(5, 0.1);
  ASSERT_EQ(odd.size(), 3);
  EXPECT_DOUBLE_EQ(odd(2), 4.0);
  EXPECT_EQ(rfft_frequencies(1, 1.0).size(), 1);
}

TEST(Fft, BadInputIsNamed) {
  EXPECT_THAT(message_of([] { (void)fft(Eigen::VectorXcd()); }), HasSubstr("fft: length"));
  EXPECT_THAT(message_of([] { (void)rfft(Eigen::VectorXd()); }), HasSubstr("rfft: length"));
  EXPECT_THAT(message_of([] { (void)ifft(Eigen::VectorXcd()); }), HasSubstr("ifft: length"));
  EXPECT_THAT(message_of([] { (void)irfft(Eigen::VectorXcd(3), 6); }),
              HasSubstr("irfft: spectrum"));
  EXPECT_THAT(message_of([] { (void)FftPlan(0); }), HasSubstr("FftPlan: length"));
  EXPECT_THAT(message_of([] { (void)FftPlan(kLongestTransform + 1); }),
              HasSubstr("FftPlan: length"));
  EXPECT_THAT(message_of([] { (void)FftPlan(8).forward(Eigen::VectorXcd(7)); }),
              HasSubstr("FftPlan::forward: values"));
  EXPECT_THAT(message_of([] { (void)FftPlan(8).inverse(Eigen::VectorXcd(7)); }),
              HasSubstr("FftPlan::inverse: spectrum"));
  EXPECT_THAT(message_of([] { (void)FftPlan(8).forward_real(Eigen::VectorXd(7)); }),
              HasSubstr("FftPlan::forward_real: values"));
  EXPECT_THAT(message_of([] { (void)FftPlan(8).inverse_real(Eigen::VectorXcd(4)); }),
              HasSubstr("FftPlan::inverse_real: spectrum"));
  EXPECT_THAT(message_of([] { (void)rfft_frequencies(8, 0.0); }), HasSubstr("step"));
}

}  // namespace fft_test
}  // namespace alembert::signal
