#include "alembert/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "support/matrices_near.hpp"

namespace alembert {
namespace random_test {

using test::kEps;

// Known-answer vector of Philox4x32-10 published with Random123: counter and key all zero.
TEST(RandomStream, ReproducesThePublishedPhiloxVector) {
  RandomStream random(0, 0);
  EXPECT_EQ(random.bits(), 0x6627e8d5U);
  EXPECT_EQ(random.bits(), 0xe169c58dU);
  EXPECT_EQ(random.bits(), 0xbc57ac4cU);
  EXPECT_EQ(random.bits(), 0x9b00dbd8U);
}

// Φ(Φ⁻¹(p)) = p, Φ by the error function of the C library. d log p / dx grows like |x| in the
// tails, so |x| + 1 multiplies the few eps of the two approximations.
TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (const double p : {1e-300, 1e-30, 1e-12, 1e-5, 0.01, 0.074, 0.076, 0.2, 0.4, 0.499, 0.5}) {
    const double x = normal_quantile(p);
    const double back = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    EXPECT_NEAR(back / p, 1.0, 8 * kEps * (1.0 + x * x)) << p;
    EXPECT_LE(x, 0.0) << p;
  }
}

TEST(NormalQuantile, IsOddAboutOneHalf) {
  for (const double p : {0.25, 0.0625, 0.015625, 0x1.0p-20}) {
    EXPECT_EQ(normal_quantile(p), -normal_quantile(1.0 - p)) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

TEST(NormalQuantile, HandlesTheEndsAndTheOutside) {
  EXPECT_EQ(normal_quantile(0.0), -INFINITY);
  EXPECT_EQ(normal_quantile(1.0), INFINITY);
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(NAN)));
}

TEST(RandomStream, IsAFunctionOfSeedAndStream) {
  const Eigen::VectorXd first = RandomStream(5, 9).normal_vector(100);
  EXPECT_EQ(first, RandomStream(5, 9).normal_vector(100));
  EXPECT_NE(first, RandomStream(6, 9).normal_vector(100));
  EXPECT_NE(first, RandomStream(5, 10).normal_vector(100));
}

// Mean, variance, third and fourth moment of N = 1e6 normal numbers; the standard errors are
// 1, √2, √15, √96 over √N. Bound: 4 standard errors.
TEST(RandomStream, NormalNumbersHaveTheRightMoments) {
  constexpr int kCount = 1000000;
  RandomStream random(2024, 3);
  std::array<double, 4> moment{};
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    moment[0] += x;
    moment[1] += x * x;
    moment[2] += x * x * x;
    moment[3] += x * x * x * x;
  }
  const double root = std::sqrt(static_cast<double>(kCount));
  EXPECT_NEAR(moment[0] / kCount, 0.0, 4.0 * 1.0 / root);
  EXPECT_NEAR(moment[1] / kCount, 1.0, 4.0 * std::sqrt(2.0) / root);
  EXPECT_NEAR(moment[2] / kCount, 0.0, 4.0 * std::sqrt(15.0) / root);
  EXPECT_NEAR(moment[3] / kCount, 3.0, 4.0 * std::sqrt(96.0) / root);
}

// Kolmogorov-Smirnov distance of N uniforms: sqrt(N) D < 1.95 with probability 0.999.
TEST(RandomStream, UniformNumbersAreUniform) {
  constexpr std::size_t kCount = 100000;
  RandomStream random(1, 77);
  std::vector<double> values(kCount);
  for (double& value : values) {
    value = random.uniform();
    ASSERT_GT(value, 0.0);
    ASSERT_LT(value, 1.0);
  }
  std::sort(values.begin(), values.end());
  double distance = 0.0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const double step = static_cast<double>(i) / kCount;
    distance = std::max({distance, std::abs(values[i] - step), std::abs(values[i] - step - 1e-5)});
  }
  EXPECT_LT(std::sqrt(static_cast<double>(kCount)) * distance, 1.95);
}

// χ² of 7 equally likely values over 70000 draws: 6 degrees of freedom, 22.5 at 99.9 %.
TEST(RandomStream, BoundedIntegersAreEquallyLikely) {
  RandomStream random(12);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) {
    ++counts.at(random.below(7));
  }
  double chi_square = 0.0;
  for (const int count : counts) {
    chi_square += std::pow(count - 10000.0, 2) / 10000.0;
  }
  EXPECT_LT(chi_square, 22.5);
  EXPECT_EQ(RandomStream(3).below(1), 0U);
}

// Correlation of 1e4 pairs from neighbouring streams: standard error 0.01.
TEST(RandomStream, StreamsAndChildrenAreUncorrelated) {
  const RandomStream parent(42, 1);
  std::vector<Eigen::VectorXd> draws;
  for (std::uint64_t i = 0; i < 4; ++i) {
    draws.push_back(RandomStream(42, i).normal_vector(10000));
    draws.push_back(parent.child(i).normal_vector(10000));
  }
  for (std::size_t i = 0; i < draws.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NEAR(draws[i].dot(draws[j]) / 1e4, 0.0, 0.045) << i << ' ' << j;
    }
  }
}

TEST(RandomStream, ChildrenDoNotDependOnThePosition) {
  RandomStream used(8, 2);
  for (int i = 0; i < 13; ++i) {
    used.bits();
  }
  EXPECT_EQ(used.child(5).normal_vector(8), RandomStream(8, 2).child(5).normal_vector(8));
}

}  // namespace random_test
}  // namespace alembert
