#include "alembert/signal/condition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"

namespace alembert::signal {
namespace condition_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ElementsAre;
using testing::HasSubstr;

double wave(double t, double frequency) {
  return std::sin(2.0 * std::numbers::pi * frequency * t + 0.4);
}

VectorXd wave(const VectorXd& times, double frequency) {
  return times.unaryExpr([&](double t) { return wave(t, frequency); });
}

Record record_of(TimeAxis time, double frequency) {
  MatrixXd samples = wave(time.times(), frequency);
  return {std::move(time), {{"y", "m"}}, std::move(samples)};
}

TEST(Condition, NothingAskedForChangesNothing) {
  const Record given = record_of(TimeAxis::uniform(50, 0.1, 3.0), 0.3);
  const Record found = condition(given, {}).record;
  EXPECT_EQ(found.samples(), given.samples());
  EXPECT_FALSE(ConditionOptions{}.any());
}

TEST(Condition, FromAndToKeepTheSamplesBetween) {
  const Record found =
      condition(record_of(TimeAxis::uniform(101, 0.1), 0.3), {.from = 2.0, .to = 7.05}).record;
  EXPECT_EQ(found.size(), 51);
  EXPECT_NEAR(found.time().start(), 2.0, 1e-12);  // rounding
  EXPECT_EQ(found.samples()(0, 0), wave(0.1 * 20, 0.3));
}

// A wave below the new band comes through, one above it does not alias.
TEST(Condition, EveryFewSamplesBehindALowPass) {
  const Record slow =
      condition(record_of(TimeAxis::uniform(20000, 1e-3), 12.0), {.every = 10}).record;
  EXPECT_EQ(slow.size(), 2000);
  EXPECT_NEAR(*slow.time().common_step(), 0.01, 1e-12);
  const VectorXd exact = wave(slow.time().times(), 12.0);
  // The filter of resample() reaches 68 new samples; behind that its error is 2e-5.
  EXPECT_LE((slow.samples().col(0) - exact).segment(100, 1800).cwiseAbs().maxCoeff(), 2e-5);
  const Record fast =
      condition(record_of(TimeAxis::uniform(20000, 1e-3), 88.0), {.every = 10}).record;
  EXPECT_LE(fast.samples().col(0).segment(100, 1800).cwiseAbs().maxCoeff(), 2e-5);
}

VectorXd jittered(Index samples, double step, double part) {
  RandomStream random(7);
  VectorXd times(samples);
  for (Index k = 0; k < samples; ++k) {
    times(k) = step * (static_cast<double>(k) + random.uniform(-part, part));
  }
  return times;
}

TEST(Condition, UnevenTimesWithinTheJitterAreTakenAsEvenAndSaid) {
  const VectorXd times = jittered(400, 0.01, 0.1);
  const Record given = record_of(TimeAxis::given(times), 2.0);
  const auto [found, notes] = condition(given, {.jitter = 0.15});
  EXPECT_EQ(found.samples(), given.samples());
  // The line through times that scatter uniformly within 0.1 of a step, 400 of them.
  EXPECT_NEAR(found.time().step(), 0.01, 1e-6);
  EXPECT_NEAR(largest_jitter(given.time()), 0.1, 0.015);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("times up to 0.1 of a step off an even grid of 0.0"));
  try {
    (void)condition(given, {.jitter = 0.05});
    FAIL() << "farther off than allowed";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than the jitter of 0.05 that is allowed"));
  }
}

TEST(Condition, UnevenTimesCanBeResampled) {
  const Record given = record_of(TimeAxis::given(jittered(2000, 0.01, 0.3)), 2.0);
  const Record found = condition(given, {.resample = 0.01}).record;
  const VectorXd exact = wave(found.time().times(), 2.0);
  // Cubic spline through steps up to 1.6 x 0.01 s: 5/384 h⁴ (2π 2)⁴ is 2e-5; and the filter's.
  EXPECT_LE((found.samples().col(0) - exact).segment(100, 1800).cwiseAbs().maxCoeff(), 1e-4);
}

// The filter sees the whole record: what is cut off afterwards takes the ends along.
TEST(Condition, FiltersBeforeItCuts) {
  const Record given = record_of(TimeAxis::uniform(8000, 1e-3), 3.0);
  const FilterOptions filter{.below = 40.0};
  const Record found = condition(given, {.filter = filter, .from = 2.0, .to = 5.0}).record;
  const Record whole = filter_zero_phase(given, filter);
  EXPECT_EQ(found.samples(), whole.samples().middleRows(2000, 3001));
}

TEST(Condition, RefusesWhatCannotBe) {
  const Record even = record_of(TimeAxis::uniform(100, 0.1), 0.3);
  const Record uneven = record_of(TimeAxis::given(jittered(100, 0.1, 0.3)), 0.3);
  const auto refused = [](const Record& record, const ConditionOptions& options) {
    try {
      (void)condition(record, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused(even, {.from = 20.0}), HasSubstr("has 0 samples between 20 s and inf s; it "
                                                       "lasts from 0 s to 9.9 s"));
  EXPECT_THAT(refused(uneven, {.every = 4}), HasSubstr("every needs even times"));
  EXPECT_THAT(refused(uneven, {.filter = {.below = 1.0}}), HasSubstr("filter needs even times"));
  EXPECT_THAT(refused(even, {.resample = 1e-7}), HasSubstr("a thousandth of the step, 0.0001 s"));
  EXPECT_THAT(refused(even, {.jitter = 0.6}), HasSubstr("jitter"));
  EXPECT_THAT(refused(even, {.every = 0}), HasSubstr("every"));
}

}  // namespace condition_test
}  // namespace alembert::signal
