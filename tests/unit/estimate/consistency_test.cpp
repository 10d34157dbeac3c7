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

// One in a hundred white records is above each limit; of 2000, 20 ± 4.5. The limits are those of
// normal distributions, which the sums of squares are only nearly: up to 40 are allowed.
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
  EXPECT_LE(large, 40);
  EXPECT_GE(slow, 7);
  EXPECT_LE(slow, 60);  // sums over 20 of 500 are few: the tail is longer still
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

TEST(JudgeSensor, RefusesWhatIsTooShort) {
  EXPECT_THROW((void)judge_sensor(white(1, 39)), InvalidInput);
  EXPECT_THROW((void)judge_sensor(white(1, 100), 1), InvalidInput);
  EXPECT_THROW((void)judge_sensor(white(1, 100), 20, 1.0), InvalidInput);
}

}  // namespace consistency_test
}  // namespace alembert::estimate
