#include <gtest/gtest.h>

#include <cmath>

#include "alembert/estimate/start_from_readings.hpp"

namespace alembert::estimate {
namespace merge_readings_test {

using Eigen::Index;

Eigen::VectorXd numbers(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Index>(values.size()));
}

TEST(MergeReadings, PutsRatesOntoTheUnionOfTheirTimes) {
  const MergedReadings merged =
      merge_readings({{numbers({0.0, 0.1, 0.2}), numbers({1.0, 2.0, 3.0})},
                      {numbers({0.05, 0.2000001, 0.35}), numbers({10.0, 20.0, 30.0})}});
  ASSERT_EQ(merged.time.size(), 5);
  EXPECT_EQ(merged.time(1), 0.05);
  EXPECT_EQ(merged.time(4), 0.35);
  EXPECT_TRUE(std::isnan(merged.values(0, 1)));
  EXPECT_EQ(merged.values(1, 1), 10.0);
  EXPECT_TRUE(std::isnan(merged.values(1, 0)));
  // 1e-7 s apart at a step of 0.1 s: one instant
  EXPECT_EQ(merged.values(3, 0), 3.0);
  EXPECT_EQ(merged.values(3, 1), 20.0);
}

TEST(MergeReadings, OneSeriesStaysAsItIs) {
  const Eigen::VectorXd time = numbers({1.0, 1.5, 4.0});
  const MergedReadings merged = merge_readings({{time, numbers({1.0, 2.0, 3.0})}});
  EXPECT_EQ(merged.time, time);
  EXPECT_EQ(merged.values.col(0), numbers({1.0, 2.0, 3.0}));
}

}  // namespace merge_readings_test
}  // namespace alembert::estimate
