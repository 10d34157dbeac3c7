#include "alembert/signal/filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/error.hpp"

namespace alembert::signal {
namespace filter_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kStep = 1e-3;

VectorXd wave(Index samples, double frequency, double phase = 0.3) {
  VectorXd values(samples);
  for (Index k = 0; k < samples; ++k) {
    values(k) =
        std::cos(2.0 * std::numbers::pi * frequency * kStep * static_cast<double>(k) + phase);
  }
  return values;
}

double warped(double frequency) { return std::tan(std::numbers::pi * frequency * kStep); }

// The formula of the header, from the definition of Butterworth's filter alone.
double gain(double frequency, const FilterOptions& options) {
  double value = 1.0;
  const double n = 2.0 * options.order;
  if (options.above > 0.0) {
    value /= 1.0 + std::pow(warped(options.above) / warped(frequency), n);
  }
  if (options.below > 0.0) {
    value /= 1.0 + std::pow(warped(frequency) / warped(options.below), n);
  }
  return value;
}

// In the middle of a long record nothing is left of its ends: each wave keeps its phase and has the
// gain of the formula.
TEST(FilterZeroPhase, HasTheGainOfButterworthTwiceAndNoPhase) {
  constexpr Index kSamples = 20000;
  for (const FilterOptions& options : {FilterOptions{.below = 60.0}, FilterOptions{.above = 5.0},
                                       FilterOptions{.above = 5.0, .below = 60.0, .order = 3},
                                       FilterOptions{.below = 60.0, .order = 1},
                                       FilterOptions{.above = 20.0, .below = 300.0, .order = 7}}) {
    for (const double frequency : {2.0, 5.0, 17.0, 60.0, 130.0, 300.0, 420.0}) {
      const VectorXd given = wave(kSamples, frequency);
      const VectorXd found = filter_zero_phase(given, kStep, options);
      const VectorXd error = found - gain(frequency, options) * given;
      // The filters forget their ends to 1e-4 in each direction; a third of the record is 6.7 s,
      // four memories of the slowest one, that of 5 Hz and order 4.
      EXPECT_LE(error.segment(kSamples / 3, kSamples / 3).cwiseAbs().maxCoeff(), 1e-8)
          << frequency << " Hz, order " << options.order;
    }
  }
}

TEST(FilterZeroPhase, ALineAndItsEndsPassALowPass) {
  const VectorXd line = VectorXd::LinSpaced(3000, -4.0, 9.0);
  const VectorXd found = filter_zero_phase(line, kStep, {.below = 30.0});
  // Point reflection continues a line as a line. Each run begins as for a constant, off by the
  // slope times the delay of 2.61/(2π 30 Hz), 14 samples, and forgets that to 1e-4.
  EXPECT_LE((found - line).cwiseAbs().maxCoeff(), 2.0 * 14.0 * 13.0 / 2999.0 * 1e-4);
}

TEST(FilterZeroPhase, TimeReversedAndScaledRecordsGiveTheSame) {
  const VectorXd given = wave(5000, 11.0) + wave(5000, 190.0, 1.0);
  const FilterOptions options{.above = 8.0, .below = 150.0};
  const VectorXd found = filter_zero_phase(given, kStep, options);
  const VectorXd turned = filter_zero_phase(given.reverse(), kStep, options).reverse();
  const VectorXd scaled = filter_zero_phase(1e6 * given, kStep, options) / 1e6;
  EXPECT_LE((turned - found).segment(1500, 2000).cwiseAbs().maxCoeff(), 1e-7);  // but for the ends
  EXPECT_LE((scaled - found).cwiseAbs().maxCoeff(), 1e-12);  // rounding of some thousand sums
}

TEST(FilterZeroPhase, MissingSamplesStayMissingAndHarmNothingFarAway) {
  MatrixXd samples(4000, 2);
  samples.col(0) = wave(4000, 7.0);
  samples.col(1).setConstant(kNaN);
  const VectorXd whole = filter_zero_phase(VectorXd(samples.col(0)), kStep, {.below = 50.0});
  samples.block(1000, 0, 5, 1).setConstant(kNaN);
  samples(0, 0) = kNaN;
  const Record found =
      filter_zero_phase({TimeAxis::uniform(4000, kStep), {{"a"}, {"b"}}, samples}, {.below = 50.0});
  EXPECT_EQ(found.missing(0), 6);
  EXPECT_EQ(found.missing(1), 4000);
  // 0.5 s away the filter of 50 Hz has forgotten what a line over 5 samples is off.
  EXPECT_LE((found.samples().col(0) - whole).segment(1500, 2000).cwiseAbs().maxCoeff(), 1e-7);
}

void expect_refused(const FilterOptions& options, const std::string& words) {
  try {
    (void)filter_zero_phase(wave(100, 10.0), kStep, options);
    FAIL() << words;
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

TEST(FilterZeroPhase, RefusesCornersThatAreNone) {
  expect_refused({}, "needs a corner");
  expect_refused({.below = 500.0}, "must be below half the rate, 500 Hz, got 500");
  expect_refused({.above = 60.0, .below = 50.0}, "must be less than below = 50, got 60");
  expect_refused({.below = -1.0}, "below");
  expect_refused({.below = 10.0, .order = 13}, "order");
  EXPECT_THROW((void)filter_zero_phase(
                   {TimeAxis::given(Eigen::Vector3d(0.0, 1.0, 2.5)), {{"a"}}, MatrixXd::Zero(3, 1)},
                   {.below = 0.1}),
               InvalidInput);
}

}  // namespace filter_test
}  // namespace alembert::signal
