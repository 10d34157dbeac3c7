#include "alembert/estimate/watch/observer_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/estimate/own_model/function_observer.hpp"
#include "alembert/estimate/watch/jump_response.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace observer_watch_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::matrices_near;
using test::message_of;

constexpr double kStep = 0.01;   // s
constexpr double kMass = 2.0;    // kg
constexpr double kSigma = 1e-3;  // m
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A mass that an unknown force pushes, whose position is read: x = (q, q', F).
MatrixXd transition(double h) {
  MatrixXd F = MatrixXd::Identity(3, 3);
  F(0, 1) = h;
  F(0, 2) = 0.5 * h * h / kMass;
  F(1, 2) = h / kMass;
  return F;
}

FunctionObserver pushed_mass(double gate = 1.0) {
  FunctionModel model;
  model.states = {"q", "q'", "force"};
  model.process = [](double h, const VectorXd& x, const VectorXd&) {
    return VectorXd(transition(h) * x);
  };
  model.output = [](const VectorXd& x, const VectorXd&) { return VectorXd(x.head(1)); };
  model.process_jacobian = [](double h, const VectorXd&, const VectorXd&) { return transition(h); };
  model.output_jacobian = [](const VectorXd&, const VectorXd&) {
    return MatrixXd(MatrixXd::Identity(1, 3));
  };
  ModelObserverOptions options;
  options.deviation = VectorXd::Constant(3, 1.0);
  options.process_noise = Eigen::Vector3d(1e-14, 1e-10, 0.02).asDiagonal();
  options.sigma = VectorXd::Constant(1, kSigma);
  options.gate.probability = gate;
  return {model, options};
}

/// Readings of the mass under a force that jumps at a sample.
struct Record {
  VectorXd time;
  MatrixXd readings;
};

Record pushed_record(Index samples, Index at, double force, std::uint64_t seed) {
  Record made{VectorXd::LinSpaced(samples, 0.0, kStep * static_cast<double>(samples - 1)),
              MatrixXd(samples, 1)};
  VectorXd x = VectorXd::Zero(3);
  RandomStream random(seed);
  for (Index k = 0; k < samples; ++k) {
    if (k > 0) x = VectorXd(transition(kStep) * x);
    if (k == at) x(2) = force;
    made.readings(k, 0) = x(0) + kSigma * random.normal();
  }
  return made;
}

const std::vector<WatchedSignal>& both_signals() {
  static const std::vector<WatchedSignal> signals = {
      {.name = "push", .state = "force", .above = 4.0, .change = 6.0, .false_alarms_every = 100.0},
      {.name = "sensor", .sensor = 0, .false_alarms_every = 100.0}};
  return signals;
}

// The filter is linear: what a jump adds to the estimate of the same noise is its response.
TEST(JumpResponse, IsWhatAJumpAddsToTheEstimate) {
  FunctionObserver with = pushed_mass();
  FunctionObserver without = pushed_mass();
  constexpr Index kAt = 2000;  // the covariance has long been steady
  const Record jump = pushed_record(2060, kAt, 1.0, 3);
  const Record rest = pushed_record(2060, kAt, 0.0, 3);
  VectorXd share;
  for (Index k = 0; k < 2060; ++k) {
    const double step = k == 0 ? 0.0 : kStep;
    const std::vector<double> a = {jump.readings(k, 0)}, b = {rest.readings(k, 0)};
    (void)with.step(step, a);
    (void)without.step(step, b);
    if (k == kAt) share = jump_response(with, kStep, a, 2, 59);
    if (k < kAt) continue;
    // Both estimates are of size 1 and hold 1e-12 of rounding from 2000 steps.
    EXPECT_NEAR(share(k - kAt), with.mean()(2) - without.mean()(2), 1e-9) << k - kAt;
  }
  EXPECT_GT(share(59), 0.8);
}

// The delay is the time after which half of the runs have raised the alarm, if each is looked at
// once, there: 100 jumps from the bound, 50 % within 4 √(0.25/100) = 20 %.
TEST(DetectionDelay, IsTheMedianOfSingleLooks) {
  const double excess = 6.0;
  FunctionObserver observer = pushed_mass();
  const Record settle = pushed_record(1000, 2000, 0.0, 11);
  for (Index k = 0; k < 1000; ++k) {
    const std::vector<double> row = {settle.readings(k, 0)};
    (void)observer.step(k == 0 ? 0.0 : kStep, row);
  }
  const double limit = design_watch(both_signals()[0], kStep).limit;
  const std::vector<double> row = {0.0};
  const double delay = detection_delay(observer, kStep, row, 2, excess, limit);
  ASSERT_TRUE(std::isfinite(delay));
  const auto steps = static_cast<Index>(std::lround(delay / kStep));
  int beyond = 0;
  constexpr int kRuns = 100;
  for (int run = 0; run < kRuns; ++run) {
    FunctionObserver one = pushed_mass();
    const Record record =
        pushed_record(1001 + steps, 1000, excess, 100 + static_cast<std::uint64_t>(run));
    for (Index k = 0; k <= 1000 + steps; ++k) {
      const std::vector<double> now = {record.readings(k, 0)};
      (void)one.step(k == 0 ? 0.0 : kStep, now);
    }
    // The bound is put at the force before the jump: the filter is linear.
    if (one.mean()(2) > limit * one.deviation(2)) ++beyond;
  }
  // The share at that step is at least what is wanted, by up to one step of its rise.
  EXPECT_GT(beyond, kRuns / 2 - 20);
  EXPECT_LT(beyond, kRuns / 2 + 20 + kRuns / 8);
}

TEST(DetectionDelay, IsInfiniteForWhatIsNotSeen) {
  FunctionObserver observer = pushed_mass();
  const std::vector<double> row = {0.0};
  EXPECT_TRUE(std::isinf(detection_delay(observer, kStep, row, 2, 1e-6, 4.0)));
}

TEST(WatchRecord, FindsAForceThatIsTooLarge) {
  FunctionObserver observer = pushed_mass();
  const Record record = pushed_record(1500, 1000, 12.0, 5);
  const ObserverEstimate estimate = observe_record(observer, record.time, record.readings);
  const std::vector<WatchReport> reports = watch_record(estimate, record.time, both_signals(), 100);
  ASSERT_EQ(reports.size(), 2U);
  const WatchReport& push = reports[0];
  ASSERT_EQ(push.alarms.size(), 1U);
  EXPECT_EQ(push.values, 1400);
  EXPECT_EQ(push.from, record.time(100));
  // The truth passes the bound at 10 s; the estimate does so within a second, and stays.
  EXPECT_GT(push.alarms[0].begin, 10.0);
  EXPECT_LT(push.alarms[0].begin, 11.0);
  EXPECT_TRUE(std::isnan(push.alarms[0].end));
  EXPECT_GT(push.alarms[0].value, 4.0 + push.design.limit * push.alarms[0].deviation * 0.999);
  EXPECT_NEAR(push.least_excess, push.design.limit * estimate.deviation(1400, 2), 1e-3);
  EXPECT_TRUE(std::isnan(push.statistic(99)));
  EXPECT_FALSE(std::isnan(push.statistic(100)));
  // The jump is no random walk: the innovations tell it too, and are sound again later.
  ASSERT_FALSE(reports[1].alarms.empty());
  EXPECT_GT(reports[1].alarms[0].begin, 10.0);
  EXPECT_LT(reports[1].alarms[0].begin, 11.0);
  EXPECT_FALSE(std::isnan(reports[1].alarms[0].end));
}

// The same row by row, for records without a gate and with one.
TEST(ObserverWatch, SaysTheSameAsTheRecord) {
  for (const double gate : {1.0, 0.99}) {
    Record record = pushed_record(1500, 1000, 12.0, 5);
    record.readings(500, 0) += 1.0;  // an outlier, and a gap
    record.readings(600, 0) = kNaN;
    FunctionObserver first = pushed_mass(gate);
    const ObserverEstimate estimate = observe_record(first, record.time, record.readings);
    const std::vector<WatchReport> reports = watch_record(estimate, record.time, both_signals());
    FunctionObserver observer = pushed_mass(gate);
    ObserverWatch watch(observer, both_signals(), {reports[0].design.step, reports[1].design.step});
    for (Index k = 0; k < record.time.size(); ++k) {
      const std::vector<double> row = {record.readings(k, 0)};
      const ObserverStep step =
          observer.step(k == 0 ? 0.0 : record.time(k) - record.time(k - 1), row);
      watch.take(observer, step, record.time(k));
      for (std::size_t i = 0; i < 2; ++i) {
        const double statistic = reports[i].statistic(k);
        if (std::isnan(statistic)) continue;
        // The deviation is a root taken of P_ii here, of all of P there; sums add 1500 values.
        EXPECT_NEAR(watch.signals()[i].statistic(), statistic, 1e-11) << k << " " << i;
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(watch.signals()[i].alarms(), static_cast<long>(reports[i].alarms.size()));
    }
  }
}

// One outlier behind a gate is no alarm of the sums; a sensor that fails is.
TEST(ObserverWatch, LooksAtWhatTheGateKeepsOut) {
  Record record = pushed_record(1500, 2000, 0.0, 8);
  record.readings(500, 0) += 1.0;
  for (Index k = 1000; k < 1500; ++k) record.readings(k, 0) += 0.5;
  FunctionObserver observer = pushed_mass(0.999);
  const ObserverEstimate estimate = observe_record(observer, record.time, record.readings);
  const auto reports = watch_record(estimate, record.time, {both_signals()[1]}, 100);
  ASSERT_FALSE(reports[0].alarms.empty());
  EXPECT_GE(reports[0].alarms[0].begin, record.time(1000));
  EXPECT_LT(reports[0].alarms[0].begin, record.time(1010));
}

// No jump: 8 records of 150 s, with a false alarm in 100 s by promise of each signal. The sums
// raise 12 within 4 √12; of the force, which is far from its bound, none.
TEST(WatchRecord, KeepsItsPromiseBehindAFilter) {
  long sums = 0, states = 0;
  for (std::uint64_t run = 0; run < 8; ++run) {
    FunctionObserver observer = pushed_mass();
    // The force walks as the filter expects.
    const Index samples = 15200;
    VectorXd time = VectorXd::LinSpaced(samples, 0.0, kStep * static_cast<double>(samples - 1));
    MatrixXd readings(samples, 1);
    VectorXd x = VectorXd::Zero(3);
    RandomStream random(500 + run);
    for (Index k = 0; k < samples; ++k) {
      if (k > 0) {
        x = VectorXd(transition(kStep) * x);
        x(0) += 1e-7 * random.normal();
        x(1) += 1e-5 * random.normal();
        x(2) += std::sqrt(0.02) * random.normal();
      }
      readings(k, 0) = x(0) + kSigma * random.normal();
    }
    const ObserverEstimate estimate = observe_record(observer, time, readings);
    std::vector<WatchedSignal> signals = both_signals();
    signals[0].above = 1e4;
    const auto reports = watch_record(estimate, time, signals, 200);
    states += static_cast<long>(reports[0].alarms.size());
    sums += static_cast<long>(reports[1].alarms.size());
  }
  EXPECT_NEAR(static_cast<double>(sums), 12.0, 4.0 * std::sqrt(12.0));
  EXPECT_EQ(states, 0);
}

TEST(ObserverWatch, NamesWhatIsWrong) {
  const FunctionObserver observer = pushed_mass();
  EXPECT_EQ(message_of([&] {
              (void)ObserverWatch(observer, {{.name = "a", .state = "f", .above = 1.0}});
            }),
            "ObserverWatch: watch 'a': state must be one of the estimated states: q, q', force, "
            "got f");
  EXPECT_EQ(message_of([&] { (void)ObserverWatch(observer, {{.name = "a", .sensor = 3}}); }),
            "ObserverWatch: watch 'a': sensor must be one that corrects the estimate, got 3");
  EXPECT_EQ(message_of([&] {
              (void)ObserverWatch(observer, {both_signals()[1], both_signals()[1]});
            }),
            "ObserverWatch: name must be different for each signal, got sensor");
}

}  // namespace observer_watch_test
}  // namespace alembert::estimate
