#include "alembert/estimate/watch/signal_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/estimate/watch/run_length.hpp"
#include "support/allocations.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace signal_watch_test {

using test::message_of;

constexpr double kStep = 0.01;  // s
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

WatchedSignal innovations(double every_values) {
  return {.name = "encoder", .sensor = 0, .false_alarms_every = every_values * kStep};
}

WatchedSignal force_above(double limit, double every_values) {
  return {.name = "push",
          .state = "force(push)",
          .above = limit,
          .false_alarms_every = every_values * kStep};
}

/// x_k = φ x_{k−1} + √(1 − φ²) w, of variance 1.
class Coloured {
 public:
  Coloured(double phi, RandomStream random)
      : phi_(phi), rest_(std::sqrt(1.0 - phi * phi)), random_(random), x_(random_.normal()) {}
  double next() {
    x_ = phi_ * x_ + rest_ * random_.normal();
    return x_;
  }

 private:
  double phi_, rest_;
  RandomStream random_;
  double x_;
};

struct Mean {
  double value = 0.0;
  double deviation = 0.0;  ///< of the mean
};

Mean mean_of(const std::vector<double>& values) {
  double sum = 0.0, squares = 0.0;
  for (const double v : values) sum += v;
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / (n - 1.0) / n)};
}

/// Values until the alarm of a watch that looks at an estimate of deviation 2 whose truth is at its
/// limit, or at innovations of deviation 2 that are sound (but for their colour and a shift).
Mean run_length(const WatchedSignal& signal, double phi, double shift, int runs, double first = 0) {
  std::vector<double> lengths;
  const RandomStream seed(1965);
  for (int run = 0; run < runs; ++run) {
    Coloured noise(phi, seed.child(static_cast<std::uint64_t>(run)));
    SignalWatch watch(signal, kStep);
    long k = 0;
    while (!watch.begun())
      (void)watch.take(kStep * static_cast<double>(++k), 2.0 * noise.next(), 2.0);
    const long before = k;
    while (!watch.alarm()) {
      ++k;
      (void)watch.take(kStep * static_cast<double>(k), first + 2.0 * (noise.next() + shift), 2.0);
    }
    lengths.push_back(static_cast<double>(k - before));
  }
  return mean_of(lengths);
}

// Four deviations of the mean of the runs everywhere below.
constexpr double kSure = 4.0;

// The limit is that of |z|, and only one side of it can be passed: twice the promise exactly.
TEST(ThresholdOfAState, IsTwiceAsSeldomAsPromisedForWhiteErrors) {
  const Mean length = run_length(force_above(50.0, 400.0), 0.0, 0.0, 600, 50.0);
  EXPECT_NEAR(length.value, 800.0, kSure * length.deviation);
}

// Both limits at once share the promise: each side is passed once in 1600 values.
TEST(ThresholdOfAState, SharesThePromiseBetweenTwoLimits) {
  WatchedSignal signal = force_above(50.0, 400.0);
  signal.below = -1e6;
  const Mean length = run_length(signal, 0.0, 0.0, 300, 50.0);
  EXPECT_NEAR(length.value, 1600.0, kSure * length.deviation);
}

// Errors of estimates are correlated in time: alarms are then more seldom, never more often.
TEST(ThresholdOfAState, KeepsItsPromiseForColouredErrors) {
  for (const double phi : {-0.8, 0.5, 0.9, 0.99}) {
    const Mean length = run_length(force_above(50.0, 400.0), phi, 0.0, 100, 50.0);
    EXPECT_GT(length.value, 400.0 - kSure * length.deviation) << phi;
  }
}

TEST(ThresholdOfAState, LastsUntilTheEstimateIsBack) {
  WatchedSignal signal = force_above(50.0, 1000.0);
  signal.below = -20.0;
  SignalWatch watch(signal, kStep);
  const double z = watch.design().limit;
  EXPECT_DOUBLE_EQ(z, threshold_limit(2000.0));
  EXPECT_FALSE(watch.take(0.0, 50.0 + 1.99 * z, 2.0));
  EXPECT_TRUE(watch.take(0.1, 50.0 + 2.01 * z, 2.0));
  EXPECT_EQ(watch.since(), 0.1);
  EXPECT_EQ(watch.direction(), 1);
  EXPECT_TRUE(watch.take(0.2, 50.1, 2.0));
  EXPECT_TRUE(watch.take(0.3, kNaN, 2.0));
  EXPECT_FALSE(watch.take(0.4, 49.9, 2.0));
  EXPECT_TRUE(watch.take(0.5, -20.0 - 2.01 * z, 2.0));
  EXPECT_EQ(watch.direction(), -1);
  EXPECT_EQ(watch.alarms(), 2);
  EXPECT_EQ(watch.values(), 5);
}

// White innovations of the right size, both rules.
TEST(WatchOfInnovations, KeepsItsPromise) {
  for (const WatchRule rule : {WatchRule::Threshold, WatchRule::Cusum}) {
    WatchedSignal signal = innovations(500.0);
    signal.rule = rule;
    const Mean length = run_length(signal, 0.0, 0.0, 800);
    EXPECT_NEAR(length.value, 500.0, kSure * length.deviation) << name_of(rule);
  }
}

TEST(WatchOfInnovations, StatesItsDelay) {
  for (const WatchRule rule : {WatchRule::Threshold, WatchRule::Cusum}) {
    for (const double change : {0.5, 1.0, 2.5}) {
      WatchedSignal signal = innovations(1e5);
      signal.rule = rule;
      signal.change = change;
      const double stated = design_watch(signal, kStep).delay;
      if (stated > 20.0) continue;  // s: a threshold that hardly sees it, too long to simulate
      const Mean length = run_length(signal, 0.0, change, 500);
      EXPECT_NEAR(kStep * length.value, stated, kSure * kStep * length.deviation)
          << name_of(rule) << " " << change;
    }
  }
}

// The smaller change is seen much sooner by sums: that is what they are for.
TEST(WatchOfInnovations, SumsSeeSmallChangesSooner) {
  WatchedSignal signal = innovations(1e5);
  const double sums = design_watch(signal, kStep).delay;
  signal.rule = WatchRule::Threshold;
  EXPECT_LT(20.0 * sums, design_watch(signal, kStep).delay);
}

// Correlated innovations break the promise of sums, unless their colour is learnt before.
TEST(WatchOfInnovations, LearnsTheirColour) {
  WatchedSignal signal = innovations(1000.0);
  const Mean without = run_length(signal, 0.6, 0.0, 60);
  EXPECT_LT(without.value, 300.0);
  signal.learn = 3000.0 * kStep;
  const Mean with = run_length(signal, 0.6, 0.0, 60);
  EXPECT_GT(with.value, 1000.0 - kSure * with.deviation);
}

// Var(Σ of 50)/50 = 1 + 2 Σ_{l<50} (1 - l/50) φ^l = 3.81 for φ = 0.6; the upper 95 % limit for 100
// batches is √(100/77.9) = 1.13 above it, and the estimate scatters by 7 %.
TEST(WatchOfInnovations, CountsColouredOnesForLess) {
  WatchedSignal signal = innovations(1000.0);
  signal.learn = 5000.0 * kStep;
  Coloured noise(0.6, RandomStream(7));
  SignalWatch watch(signal, kStep);
  for (int k = 0; !watch.begun(); ++k) (void)watch.take(kStep * k, noise.next(), 1.0);
  EXPECT_NEAR(watch.design().scale, 1.13 * std::sqrt(3.81), 4.0 * 0.07 * 2.2);
  EXPECT_GT(watch.design().scale, 1.5);
}

// The sum rises by 3 - 0.5 with each value, and began to after the last at which it was zero.
TEST(WatchOfInnovations, TellsWhenTheChangeBegan) {
  SignalWatch watch(innovations(1000.0), kStep);
  const double h = watch.design().limit;
  ASSERT_GT(h, 2.5);
  ASSERT_LT(h, 7.5);
  for (int k = 0; k < 10; ++k) EXPECT_FALSE(watch.take(0.1 * k, 0.0, 1.0));
  int k = 10;
  while (!watch.take(0.1 * k, -3.0, 1.0)) ++k;
  EXPECT_EQ(k, 9 + static_cast<int>(std::ceil(h / 2.5)));
  EXPECT_DOUBLE_EQ(watch.since(), 0.1 * k);
  EXPECT_DOUBLE_EQ(watch.onset(), 0.1 * 9);
  EXPECT_EQ(watch.direction(), -1);
  // It stays at its limit while the change lasts, and is at zero h/0.5 values after its end.
  for (int j = 0; j < 100; ++j) EXPECT_TRUE(watch.take(0.1 * ++k, -3.0, 1.0));
  int rest = 0;
  while (watch.take(0.1 * ++k, 0.0, 1.0)) ++rest;
  EXPECT_EQ(rest + 1, static_cast<int>(std::ceil(h / 0.5)));
  EXPECT_EQ(watch.alarms(), 1);
}

TEST(SignalWatch, FindsItsStep) {
  SignalWatch watch(innovations(1000.0));
  for (int k = 0; k < 20; ++k) {
    EXPECT_FALSE(watch.begun());
    (void)watch.take(kStep * k, 0.1, 1.0);
  }
  ASSERT_TRUE(watch.begun());
  EXPECT_NEAR(watch.design().step, kStep, 1e-15);
  EXPECT_NEAR(watch.design().run_length, 1000.0, 1e-9);
}

TEST(SignalWatch, AllocatesNothing) {
  if (!test::counts_allocations()) GTEST_SKIP();
  SignalWatch sums(innovations(1000.0), kStep);
  SignalWatch limit(force_above(1.0, 1000.0), kStep);
  const std::size_t before = test::allocation_count();
  for (int k = 0; k < 1000; ++k) {
    (void)sums.take(kStep * k, 0.01 * k, 1.0);
    (void)limit.take(kStep * k, 0.01 * k, 1.0);
  }
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_TRUE(sums.alarm());
  EXPECT_TRUE(limit.alarm());
}

TEST(SignalWatch, NamesWhatIsWrong) {
  const auto message = [](const WatchedSignal& signal, double step = kStep) {
    return message_of([&] { (void)design_watch(signal, step); });
  };
  EXPECT_EQ(message({.name = "a"}),
            "design_watch: watch 'a': state or sensor must be given, and not both, got neither");
  EXPECT_EQ(message({.name = "a", .state = "x"}),
            "design_watch: watch 'a': above or below must be given for a state, got neither");
  WatchedSignal signal = force_above(1.0, 1000.0);
  signal.below = 2.0;
  EXPECT_EQ(message(signal),
            "design_watch: watch 'push': below must be less than above, got 2 and 1");
  signal = force_above(1.0, 1000.0);
  signal.rule = WatchRule::Cusum;
  EXPECT_EQ(message(signal),
            "design_watch: watch 'push': rule must be threshold for a state: its errors are "
            "correlated, and the filter has summed them already, got cusum");
  signal = innovations(1000.0);
  signal.above = 2.0;
  EXPECT_EQ(message(signal),
            "design_watch: watch 'encoder': above or below must not be given for innovations, "
            "which should be zero, got 2");
  EXPECT_EQ(message(innovations(2.0)),
            "design_watch: watch 'encoder': false_alarms_every must be from 10 to 1e12 times the "
            "step of 0.01 s, got 0.02 s");
}

}  // namespace signal_watch_test
}  // namespace alembert::estimate
