#include "alembert/estimate/consistency.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"

namespace alembert::estimate {
namespace consistency_test {

std::vector<double> white(std::uint64_t seed, int count, double deviation = 1.0) {
  RandomStream random(seed);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = deviation * random.normal();
  return values;
}

TEST(JudgeSensor, SumsByHand) {
  const std::vector<double> values = {1.0, 2.0, -1.0, 3.0};
  const SensorReport report = judge_sensor(values, 2);
  EXPECT_DOUBLE_EQ(report.size, std::sqrt(15.0 / 4.0));
  // (1 + 2)² + (2 - 1)² + (-1 + 3)² = 14, three sums of two
  EXPECT_DOUBLE_EQ(report.slow, std::sqrt(14.0 / 6.0));
}

// One in a hundred white records is above each limit; of 2000, 20 ± 4.5, so that three deviations
// are 7 to 33. With the tail of a normal distribution 26 and 34 would be expected.
TEST(JudgeSensor, LimitsHoldForWhiteInnovations) {
  constexpr int kRecords = 2000;
  int large = 0;
  int slow = 0;
  for (int k = 0; k < kRecords; ++k) {
    const SensorReport report = judge_sensor(white(static_cast<std::uint64_t>(k) + 1, 500));
    large += report.size > report.size_limit ? 1 : 0;
    slow += report.slow > report.slow_limit ? 1 : 0;
  }
  EXPECT_GE(large, 7);
  EXPECT_LE(large, 33);
  EXPECT_GE(slow, 7);
  EXPECT_LE(slow, 33);
}

// A constant c adds c² to the mean square but 20 c² to that of sums over 20.
TEST(JudgeSensor, SeesAnOffsetInSumsFirst) {
  std::vector<double> values = white(3, 4000);
  for (double& value : values) value += 0.3;
  const SensorReport report = judge_sensor(values);
  // Standard errors: 1/√(2 N) = 0.011 and about √(L/(3 N)) slow = 0.07.
  EXPECT_NEAR(report.size, std::sqrt(1.09), 0.035);
  EXPECT_NEAR(report.slow, std::sqrt(1.0 + 20.0 * 0.09), 0.2);
}

// 1, 2, -1, 3: ρ_1 = (2 - 2 - 3)/3 over 15/4, ρ_2 = (-1 + 6)/2 over 15/4.
TEST(JudgeSensor, CorrelationsByHand) {
  const std::vector<double> values = {1.0, 2.0, -1.0, 3.0};
  const SensorReport report = judge_sensor(values, 2);
  EXPECT_DOUBLE_EQ(report.previous, -1.0 / 3.75);
  EXPECT_DOUBLE_EQ(report.strongest, 2.5 / 3.75);
  EXPECT_EQ(report.strongest_lag, 2);
  // Two blocks of two: 3 and 2.
  EXPECT_DOUBLE_EQ(report.drift, std::sqrt((9.0 + 4.0) / 4.0));
}

// ρ_l of a sine of period 16 is cos(2π l/16): -1 at lag 8, up to the ends of the record.
TEST(JudgeSensor, ASineIsKnownFromHalfAPeriodBefore) {
  std::vector<double> values(1600);
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = std::sqrt(2.0) * std::sin(2.0 * 3.14159265358979 * static_cast<double>(k) / 16.0);
  }
  const SensorReport report = judge_sensor(values);
  EXPECT_NEAR(report.size, 1.0, 1e-9);
  EXPECT_NEAR(std::abs(report.strongest), 1.0, 0.01);
  EXPECT_EQ(report.strongest_lag % 8, 0);
}

// One in a hundred white records is above each limit, as for size and slow.
TEST(JudgeSensor, LimitsOfCorrelationAndDriftHold) {
  int regular = 0;
  int drifting = 0;
  for (std::uint64_t k = 1; k <= 2000; ++k) {
    const SensorReport report = judge_sensor(white(k, 1000));
    regular += std::abs(report.strongest) > report.correlation_limit ? 1 : 0;
    drifting += report.drift > report.drift_limit ? 1 : 0;
  }
  EXPECT_GE(regular, 5);
  EXPECT_LE(regular, 40);
  EXPECT_GE(drifting, 7);
  EXPECT_LE(drifting, 33);
}

// A constant c adds B c² to the mean square of blocks of B: 64 blocks of 20 become 32 of 40, and so
// on, so that 20,000 values make 32 to 63 blocks of 320 or 640.
TEST(JudgeSensor, SeesASmallOffsetInLongBlocks) {
  std::vector<double> values = white(5, 20000);
  for (double& value : values) value += 0.1;
  const SensorReport report = judge_sensor(values);
  EXPECT_GT(report.drift, std::sqrt(1.0 + 320.0 * 0.01) * 0.8);  // ± 10 % by 32 blocks at least
  EXPECT_LT(report.drift, std::sqrt(1.0 + 640.0 * 0.01) * 1.3);
  EXPECT_LT(report.slow, 1.2);
}

TEST(JudgeSensor, RefusesWhatIsTooShort) {
  EXPECT_THROW((void)judge_sensor(white(1, 39)), InvalidInput);
  EXPECT_THROW((void)judge_sensor(white(1, 100), 1), InvalidInput);
  EXPECT_THROW((void)judge_sensor(white(1, 100), 20, 1.0), InvalidInput);
}

}  // namespace consistency_test
}  // namespace alembert::estimate
