#include "alembert/signal/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"

namespace alembert::signal {
namespace statistics_test {

using test::kEps;

TEST(Statistics, SmallExampleByHand) {
  const ChannelStatistics s = statistics(Eigen::Vector4d(1.0, -3.0, 2.0, 4.0));
  EXPECT_EQ(s.count, 4);
  EXPECT_EQ(s.missing, 0);
  EXPECT_DOUBLE_EQ(s.mean, 1.0);
  EXPECT_DOUBLE_EQ(s.rms, std::sqrt(7.5));
  EXPECT_DOUBLE_EQ(s.standard_deviation, std::sqrt(26.0 / 3.0));
  EXPECT_EQ(s.smallest, -3.0);
  EXPECT_EQ(s.largest, 4.0);
  EXPECT_DOUBLE_EQ(s.crest_factor, 4.0 / std::sqrt(7.5));
}

// A sine over whole periods: rms A/√2, crest factor √2.
TEST(Statistics, Sine) {
  Eigen::VectorXd x(1000);
  for (Eigen::Index k = 0; k < 1000; ++k) {
    x(k) = 3.0 * std::sin(2.0 * std::numbers::pi * static_cast<double>(k % 200) / 200.0);
  }
  const ChannelStatistics s = statistics(x);
  EXPECT_NEAR(s.mean, 0.0, 100 * kEps);
  EXPECT_NEAR(s.rms, 3.0 / std::numbers::sqrt2, 100 * kEps);
  EXPECT_NEAR(s.crest_factor, std::numbers::sqrt2, 100 * kEps);
}

// Property: NaN anywhere change nothing but `missing`.
TEST(Statistics, MissingSamplesAreLeftOut) {
  RandomStream random(3);
  const Eigen::VectorXd x = random.normal_vector(500);
  Eigen::VectorXd holes = Eigen::VectorXd::Constant(1500, std::nan(""));
  for (Eigen::Index k = 0; k < 500; ++k) holes(3 * k + k % 3) = x(k);
  const ChannelStatistics whole = statistics(x);
  const ChannelStatistics thin = statistics(holes);
  EXPECT_EQ(thin.count, 500);
  EXPECT_EQ(thin.missing, 1000);
  // Only the order of summation differs.
  EXPECT_NEAR(thin.mean, whole.mean, 50 * kEps);
  EXPECT_NEAR(thin.rms, whole.rms, 50 * kEps);
  EXPECT_NEAR(thin.standard_deviation, whole.standard_deviation, 50 * kEps);
  EXPECT_EQ(thin.smallest, whole.smallest);
  EXPECT_EQ(thin.largest, whole.largest);
}

// The textbook formula √(mean(x²) - mean²) has no digit left here.
TEST(Statistics, SmallSpreadOnALargeMean) {
  Eigen::VectorXd x(1000);
  for (Eigen::Index k = 0; k < 1000; ++k) x(k) = 1e9 + (k % 2 == 0 ? 0.5 : -0.5);
  EXPECT_NEAR(statistics(x).standard_deviation, 0.5 * std::sqrt(1000.0 / 999.0), 1e-9);
  // Rounding of the mean, 1e9 eps, enters squared.
}

TEST(Statistics, LongSumsKeepTheirDigits) {
  // 0.1 added a million times in a row drifts by 1e-11 relative; pairs stay at a few eps.
  const ChannelStatistics s = statistics(Eigen::VectorXd::Constant(1000000, 0.1));
  EXPECT_NEAR(s.mean, 0.1, 30 * kEps * 0.1);
}

TEST(Statistics, DegenerateChannels) {
  const ChannelStatistics none = statistics(Eigen::VectorXd());
  EXPECT_EQ(none.count, 0);
  EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.rms) && std::isnan(none.smallest));
  const ChannelStatistics missing = statistics(Eigen::VectorXd::Constant(3, std::nan("")));
  EXPECT_EQ(missing.missing, 3);
  EXPECT_TRUE(std::isnan(missing.largest));
  const ChannelStatistics one = statistics(Eigen::VectorXd::Constant(1, -2.0));
  EXPECT_EQ(one.standard_deviation, 0.0);
  EXPECT_EQ(one.crest_factor, 1.0);
  EXPECT_TRUE(std::isnan(statistics(Eigen::VectorXd::Zero(5)).crest_factor));
}

TEST(Statistics, ColumnsOneByOne) {
  Eigen::MatrixXd samples(3, 2);
  samples << 1, 10, 2, 20, 3, 60;
  const std::vector<ChannelStatistics> both = column_statistics(samples);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_DOUBLE_EQ(both[0].mean, 2.0);
  EXPECT_DOUBLE_EQ(both[1].mean, 30.0);
}

}  // namespace statistics_test
}  // namespace alembert::signal
