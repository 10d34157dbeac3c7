#include "estimate/watch/watch_spread.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/random.hpp"

// The promise of a watch, held against the innovations that it had.
namespace alembert::estimate::watch_spread_test {

constexpr double kStep = 0.01;  // s
constexpr double kPromised = 1000.0 * kStep;

WatchDesign design(WatchRule rule) {
  return design_watch({.name = "gyro", .sensor = 0, .rule = rule, .false_alarms_every = kPromised},
                      kStep);
}

/// x_k = φ x_{k−1} + √(1 − φ²) w of this size.
double seen_every(WatchRule rule, double phi, double size, std::uint64_t seed, int values = 20000) {
  WatchSpread spread(design(rule));
  RandomStream random(seed);
  double x = random.normal();
  for (int k = 0; k < values; ++k) {
    x = phi * x + std::sqrt(1.0 - phi * phi) * random.normal();
    spread.add(size * x);
  }
  return spread.false_alarms_every();
}

TEST(WatchSpread, LeavesThePromiseToWhiteInnovations) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_GT(seen_every(WatchRule::Cusum, 0.0, 1.0, seed), 0.9 * kPromised) << seed;
    EXPECT_GT(seen_every(WatchRule::Threshold, 0.0, 1.0, seed), 0.9 * kPromised) << seed;
  }
}

TEST(WatchSpread, SeesTheColourOfInnovations) {
  EXPECT_LT(seen_every(WatchRule::Cusum, 0.3, 1.0, 1), 0.5 * kPromised);
  EXPECT_DOUBLE_EQ(seen_every(WatchRule::Cusum, 0.3, 1.0, 1, 100), kPromised);  // too few sums
}

// White innovations 1.3 times too large: the time is that of a watch that takes them, and the least
// variance that the record leaves open is below theirs by at most a tenth.
TEST(WatchSpread, TellsTheTimeOfInnovationsThatAreTooLarge) {
  for (const WatchRule rule : {WatchRule::Cusum, WatchRule::Threshold}) {
    SignalWatch watch({.name = "gyro", .sensor = 0, .rule = rule, .false_alarms_every = kPromised},
                      kStep);
    RandomStream random(3);
    constexpr int kValues = 400000;
    for (int k = 1; k <= kValues; ++k) (void)watch.take(kStep * k, 1.3 * random.normal(), 1.0);
    const double every = kStep * kValues / static_cast<double>(watch.alarms());
    EXPECT_LT(every, 0.4 * kPromised);
    const double seen = seen_every(rule, 0.0, 1.3, 4, kValues);
    EXPECT_GT(seen, 0.8 * every);
    EXPECT_LT(seen, 1.5 * every);
  }
}

}  // namespace alembert::estimate::watch_spread_test
