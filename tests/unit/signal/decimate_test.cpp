#include "alembert/signal/decimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/random.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace decimate_test {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Random walk with random runs of NaN; the share of missing samples varies with the seed.
Eigen::VectorXd random_curve(Eigen::Index n, std::uint64_t seed) {
  RandomStream random(seed);
  Eigen::VectorXd y = random.normal_vector(n);
  for (Eigen::Index k = 1; k < n; ++k) y(k) += y(k - 1);
  for (std::uint64_t hole = 0; hole < seed % 4; ++hole) {
    const Eigen::Index begin = random.below(static_cast<std::uint32_t>(n));
    const Eigen::Index length = random.below(static_cast<std::uint32_t>(n / 8)) + 1;
    y.segment(begin, std::min(length, n - begin)).setConstant(kMissing);
  }
  return y;
}

Eigen::VectorXd finite_part(const Eigen::VectorXd& y) {
  std::vector<double> finite;
  std::copy_if(y.begin(), y.end(), std::back_inserter(finite), [](double v) { return v == v; });
  return Eigen::Map<Eigen::VectorXd>(finite.data(), static_cast<Eigen::Index>(finite.size()));
}

TEST(DecimateMinMax, KeepsFirstSmallestLargestLastInOrder) {
  Eigen::VectorXd y(12);
  y << 1, 5, 0, 2, 3, 4,  // first 0, largest 1, smallest 2, last 5
      7, 7, 9, 8, 6, 7;
  EXPECT_THAT(decimate_indices(y, 2), ElementsAre(0, 1, 2, 5, 6, 8, 10, 11));
}

TEST(DecimateMinMax, ShortCurvesStayWhole) {
  for (Eigen::Index n = 0; n <= 20; ++n) {
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 0.0, 1.0);
    const Decimated thin = decimate_min_max(x, 2.0 * x, 5);
    EXPECT_EQ(thin.x, x);
    EXPECT_EQ(thin.y, 2.0 * x);
  }
}

TEST(DecimateMinMax, PropertiesOfRandomCurves) {
  RandomStream random(11);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Eigen::Index n = 50 + random.below(5000);
    const Eigen::Index buckets = 1 + random.below(100);
    const Eigen::VectorXd y = random_curve(n, seed);
    const std::vector<Eigen::Index> kept = decimate_indices(y, buckets);
    ASSERT_LE(static_cast<Eigen::Index>(kept.size()), std::max(4 * buckets, Eigen::Index{0}));
    ASSERT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    ASSERT_EQ(std::adjacent_find(kept.begin(), kept.end()), kept.end());
    const Eigen::VectorXd finite = finite_part(y);
    if (finite.size() == 0) continue;
    const Eigen::VectorXd thin = finite_part(y(kept));
    EXPECT_EQ(thin.minCoeff(), finite.minCoeff()) << seed;
    EXPECT_EQ(thin.maxCoeff(), finite.maxCoeff()) << seed;
    if (!std::isnan(y(n - 1))) {
      EXPECT_EQ(kept.back(), n - 1) << seed;
    }
    if (seed % 4 == 0) {
      EXPECT_EQ(kept.front(), 0) << seed;
    }
  }
}

TEST(DecimateMinMax, NeverLosesASpike) {
  const Eigen::Index n = 997;
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 0.0, 1.0);
  for (Eigen::Index k = 0; k < n; ++k) {
    for (const double spike : {1.0, -1.0}) {
      Eigen::VectorXd y = 1e-3 * (50.0 * x.array()).sin();
      y((k + 1) % n) = kMissing;  // a missing neighbour must not push the spike out
      y(k) = spike;
      const Decimated thin = decimate_min_max(x, y, 7);
      Eigen::Index place = 0;
      (spike * finite_part(thin.y)).maxCoeff(&place);
      ASSERT_EQ(spike * finite_part(thin.y)(place), 1.0) << k;
      ASSERT_TRUE((thin.x.array() == x(k)).any()) << k;
    }
  }
}

// A gap longer than two buckets contains a bucket of NaN alone; shorter ones are kept too when
// they are the only ones of their bucket.
TEST(DecimateMinMax, GapsBreakTheLine) {
  const Eigen::Index n = 1000;
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 0.0, static_cast<double>(n - 1));
  for (const Eigen::Index length : {1, 3, 49, 50, 120, 333}) {
    for (Eigen::Index begin = 1; begin + length < n; begin += 7) {
      Eigen::VectorXd y = (0.01 * x).array().sin();
      y.segment(begin, length).setConstant(kMissing);
      const Decimated thin = decimate_min_max(x, y, 20);
      Eigen::Index breaks = 0;
      for (Eigen::Index k = 0; k < thin.x.size(); ++k) {
        if (std::isnan(thin.y(k))) {
          ++breaks;
          EXPECT_GE(thin.x(k), static_cast<double>(begin));
          EXPECT_LT(thin.x(k), static_cast<double>(begin + length));
        }
      }
      EXPECT_GE(breaks, 1) << "gap of " << length << " at " << begin;
    }
  }
}

TEST(DecimateMinMax, AllMissingLeavesOnePointPerBucket) {
  const Eigen::VectorXd y = Eigen::VectorXd::Constant(100, kMissing);
  EXPECT_EQ(decimate_indices(y, 4).size(), 4u);
}

TEST(DecimateMinMax, MillionSamplesToAThousandBuckets) {
  const Eigen::VectorXd y = random_curve(1000000, 4);
  const std::vector<Eigen::Index> kept = decimate_indices(y, 1000);
  EXPECT_LE(kept.size(), 4000u);
  EXPECT_GE(kept.size(), 2000u);  // a random walk has its extremes apart
}

TEST(DecimateMinMax, BadInputIsNamed) {
  const Eigen::VectorXd x(3);
  EXPECT_THAT(message_of([&] { (void)decimate_min_max(x, Eigen::VectorXd(2), 1); }),
              HasSubstr("decimate_min_max: y"));
  EXPECT_THAT(message_of([&] { (void)decimate_min_max(x, x, 0); }),
              HasSubstr("decimate_min_max: buckets"));
  EXPECT_THAT(message_of([&] { (void)decimate_indices(x, -1); }),
              HasSubstr("decimate_indices: buckets"));
}

}  // namespace decimate_test
}  // namespace alembert::signal
