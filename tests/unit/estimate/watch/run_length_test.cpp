#include "alembert/estimate/watch/run_length.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/core/random.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace run_length_test {

using test::message_of;

struct Published {
  double shift, length;
};

// Lucas and Crosier 1982, table 1: two-sided, k = 0.5, h = 4, printed to three digits.
TEST(CusumRunLength, IsThatOfLucasAndCrosier) {
  constexpr std::array<Published, 11> table = {{{0.0, 168.0},
                                                {0.25, 74.2},
                                                {0.5, 26.6},
                                                {0.75, 13.3},
                                                {1.0, 8.38},
                                                {1.5, 4.75},
                                                {2.0, 3.34},
                                                {2.5, 2.62},
                                                {3.0, 2.19},
                                                {4.0, 1.71},
                                                {5.0, 1.31}}};
  for (const Published& one : table) {
    // Half a unit of the third digit.
    const double digit = std::pow(10.0, std::floor(std::log10(one.length)) - 2.0);
    EXPECT_NEAR(two_sided_cusum_run_length(0.5, 4.0, one.shift), one.length, 0.5001 * digit)
        << one.shift;
  }
}

// Vance 1986, table 1: one-sided, k = 0, h = 10, printed to two decimals. Its first row, 2071.51 at
// -0.25, is left out: finer nodes give 2071.57.
TEST(CusumRunLength, IsThatOfVance) {
  constexpr std::array<Published, 7> table = {{{-0.125, 400.28},
                                               {0.0, 124.66},
                                               {0.125, 59.30},
                                               {0.25, 36.71},
                                               {0.5, 20.37},
                                               {0.75, 14.06},
                                               {1.0, 10.75}}};
  for (const Published& one : table) {
    EXPECT_NEAR(cusum_run_length(0.0, 10.0, one.shift), one.length, 0.0051) << one.shift;
  }
}

// The manual of SAS/QC, by 24 nodes: its digits end at the seventh.
TEST(CusumRunLength, IsThatOfAnotherProgram) {
  EXPECT_NEAR(cusum_run_length(0.25, 8.0, 2.5), 4.1500836225, 2e-7);
  EXPECT_NEAR(cusum_run_length(0.25, 8.0, 2.5, 0.1), 4.1061588131, 2e-7);
}

// Reflected Brownian motion with the overshoot of a random walk [Siegmund1985]: for b = h + 1.166
// the length is (exp(2kb) - 2kb - 1)/(2k²). What is left out is of second order in k.
TEST(CusumRunLength, IsThatOfBrownianMotionForSmallSteps) {
  for (const double h : {20.0, 60.0, 150.0}) {
    const double k = 0.05;
    const double b = 2.0 * k * (h + 1.166);
    const double length = (std::exp(b) - b - 1.0) / (2.0 * k * k);
    EXPECT_NEAR(cusum_run_length(k, h) / length, 1.0, k * k) << h;
  }
}

// A limit that the first value must pass: L = 1/P(x > k + h), whatever stands before, as h → 0.
TEST(CusumRunLength, OfANarrowLimitIsThatOfSingleValues) {
  const double h = 1e-7;
  const double p = 0.5 * std::erfc(2.0 / std::sqrt(2.0));
  // The slope of ln L by h is about 2.4 there, and S in [0, h] changes it by as much.
  EXPECT_NEAR(cusum_run_length(2.0, h), 1.0 / p, 1e-6 / p);
}

TEST(CusumRunLength, IsInfiniteWhereNothingPasses) {
  EXPECT_TRUE(std::isinf(cusum_run_length(2.0, 20.0, -2.0)));
}

// Lucas and Crosier print 168 for h = 4: half a unit of it is 0.003 in ln L, whose slope is 1.
TEST(CusumLimit, IsThatOfThePublishedTable) { EXPECT_NEAR(cusum_limit(0.5, 168.0), 4.0, 0.0035); }

TEST(CusumLimit, IsTheInverseOfTheRunLength) {
  for (const double k : {0.05, 0.3, 1.0, 3.0}) {
    for (const double length : {1e3, 1e6, 1e9}) {
      // The search stops at 1e-10 of ln L; at 1e9 values rounding leaves 1e-16 times that.
      EXPECT_NEAR(two_sided_cusum_run_length(k, cusum_limit(k, length)) / length, 1.0, 1e-6)
          << k << " " << length;
    }
  }
}

// The promise itself: 2000 runs of both sums on white noise. The length of a run is nearly
// exponential, so that the mean of 2000 is known to 1/√2000 = 2.2 %; four times that.
TEST(CusumLimit, KeepsItsPromiseOnWhiteNoise) {
  const double k = 0.5, wanted = 300.0;
  const double h = cusum_limit(k, wanted);
  RandomStream random(41);
  double sum = 0.0;
  constexpr int kRuns = 2000;
  for (int run = 0; run < kRuns; ++run) {
    double up = 0.0, down = 0.0;
    for (int n = 1;; ++n) {
      const double x = random.normal();
      up = std::max(0.0, up + x - k);
      down = std::max(0.0, down - x - k);
      if (up <= h && down <= h) continue;
      sum += n;
      break;
    }
  }
  EXPECT_NEAR(sum / kRuns / wanted, 1.0, 4.0 / std::sqrt(static_cast<double>(kRuns)));
}

// Tabulated points of the normal distribution: 2.5758 at 1 %, 4.8916 at 1e-6.
TEST(ThresholdLimit, IsTheQuantile) {
  EXPECT_NEAR(threshold_limit(100.0), 2.5758, 5e-5);
  EXPECT_NEAR(threshold_limit(1e6), 4.8916, 5e-5);
}

TEST(RunLength, NamesWhatIsWrong) {
  EXPECT_EQ(message_of([] { (void)cusum_run_length(-1.0, 4.0); }),
            "cusum_run_length: reference must not be negative, got -1");
  EXPECT_EQ(message_of([] { (void)cusum_run_length(0.5, 0.0); }),
            "cusum_run_length: limit must be positive, got 0");
  EXPECT_EQ(message_of([] { (void)cusum_limit(0.0, 100.0); }),
            "cusum_limit: reference must be in [0.05, 5], got 0");
  EXPECT_EQ(message_of([] { (void)threshold_limit(1.0); }),
            "threshold_limit: run_length must be in [10, 1000000000000000], got 1");
}

}  // namespace run_length_test
}  // namespace alembert::estimate
