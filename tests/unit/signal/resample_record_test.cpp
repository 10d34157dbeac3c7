#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "alembert/signal/resample.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace resample_record_test {

using alembert::signal::Record;
using alembert::signal::resample;
using alembert::signal::ResampleMethod;
using alembert::signal::TimeAxis;
using alembert::test::kEps;
using alembert::test::matrices_near;
using alembert::test::message_of;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Record two_waves(const TimeAxis& time) {
  const VectorXd t = time.times();
  MatrixXd samples(t.size(), 2);
  samples.col(0) = (2.0 * kPi * 1.5 * t.array()).sin();
  samples.col(1) = (2.0 * kPi * 0.8 * t.array()).cos() + 0.1 * t.array();
  return {time, {{.name = "a", .unit = "m"}, {.name = "b", .unit = "N"}}, samples, "waves"};
}

// Difference from the waves where both are known.
double wave_error(const Record& record, double margin) {
  const Record expected = two_waves(record.time());
  double worst = 0.0;
  for (Index k = 0; k < record.size(); ++k) {
    const double t = record.time()[k];
    const bool inner =
        t > record.time().start() + margin && t < record.time()[record.size() - 1] - margin;
    for (Index c = 0; inner && c < 2; ++c) {
      if (!std::isnan(record.samples()(k, c))) {
        worst = std::max(worst, std::abs(record.samples()(k, c) - expected.samples()(k, c)));
      }
    }
  }
  return worst;
}

TEST(Resample, KeepsChannelsStartAndLength) {
  const Record record = two_waves(TimeAxis::uniform(1001, 0.02, 5.0));
  for (const ResampleMethod method :
       {ResampleMethod::BandLimited, ResampleMethod::CubicSpline, ResampleMethod::QuinticSpline}) {
    const Record other = resample(record, 0.05, {.method = method});
    EXPECT_EQ(other.channels(), record.channels());
    EXPECT_EQ(other.title(), "waves");
    EXPECT_EQ(other.size(), 401);
    EXPECT_EQ(other.time().start(), 5.0);
    EXPECT_EQ(other.time().step(), 0.05);
    EXPECT_FALSE(other.has_missing());
  }
}

TEST(Resample, MethodsReachTheirAccuracy) {
  const Record record = two_waves(TimeAxis::uniform(2001, 0.02, 0.0));
  // 68 samples of the slower grid and 2δ.
  EXPECT_LT(wave_error(resample(record, 0.05), 69 * 0.05), 2.2e-5);
  // ω h = 0.19: cubic (ωh)⁴/384 · 5 at most, quintic (ωh)⁶ / 1000 at most; order 1 at the ends.
  const double wh = 2.0 * kPi * 1.5 * 0.02;
  EXPECT_LT(wave_error(resample(record, 0.013, {.method = ResampleMethod::CubicSpline}), 1.0),
            5.0 / 384.0 * std::pow(wh, 4));
  EXPECT_LT(wave_error(resample(record, 0.013, {.method = ResampleMethod::QuinticSpline}), 1.0),
            std::pow(wh, 6) / 1000.0);
}

TEST(Resample, PeriodicIsExact) {
  // 20 s hold 30 and 16 periods.
  const TimeAxis time = TimeAxis::uniform(400, 0.05, 0.0);
  const VectorXd t = time.times();
  const auto wave = [](const VectorXd& at) -> VectorXd {
    return (2.0 * kPi * 1.5 * at.array()).sin();
  };
  const Record record(time, {{.name = "a"}}, wave(t));
  const Record other = resample(record, 0.032, {.method = ResampleMethod::Periodic});
  EXPECT_EQ(other.size(), 625);
  EXPECT_TRUE(matrices_near(other.samples(), wave(other.time().times()), {.abs = 2000 * kEps}));
  EXPECT_THAT(
      message_of([&] { (void)resample(record, 0.03, {.method = ResampleMethod::Periodic}); }),
      HasSubstr("step must divide the period of 20 s, got 0.03"));
}

TEST(Resample, UnevenTimesBecomeEven) {
  std::mt19937_64 engine(9);
  std::uniform_real_distribution<double> length(0.016, 0.024);
  VectorXd times(1500);
  times[0] = 1.0;
  for (Index k = 1; k < times.size(); ++k) {
    times[k] = times[k - 1] + length(engine);
  }
  const Record record = two_waves(TimeAxis::given(times));
  const double wh = 2.0 * kPi * 1.5 * 0.024;
  const double cubic = 5.0 / 384.0 * std::pow(wh, 4);
  EXPECT_LT(wave_error(resample(record, 0.01, {.method = ResampleMethod::CubicSpline}), 1.0),
            cubic);
  // Cubic spline to the even grid, then the filter with 2δ.
  EXPECT_LT(wave_error(resample(record, 0.05), 69 * 0.05), 2.0 * cubic + 2.2e-5);
  EXPECT_THAT(
      message_of([&] { (void)resample(record, 0.05, {.method = ResampleMethod::Periodic}); }),
      HasSubstr("a periodic record must have a common step"));
}

// Times from a text file with six decimals are even for all purposes.
TEST(Resample, RoundedTimesCountAsEven) {
  VectorXd times(1000);
  for (Index k = 0; k < times.size(); ++k) {
    times[k] = std::round(static_cast<double>(k) / 48.0 * 1e6) / 1e6;
  }
  const Record record = two_waves(TimeAxis::given(times));
  EXPECT_LT(wave_error(resample(record, 1.0 / 24.0), 69.0 / 24.0), 3e-5);
}

class MissingSamples : public testing::TestWithParam<ResampleMethod> {};
INSTANTIATE_TEST_SUITE_P(Methods, MissingSamples,
                         testing::Values(ResampleMethod::BandLimited, ResampleMethod::CubicSpline,
                                         ResampleMethod::QuinticSpline));

TEST_P(MissingSamples, ShortGapsAreFilledLongOnesStay) {
  const TimeAxis time = TimeAxis::uniform(1000, 0.02, 0.0);
  const Record whole = two_waves(time);
  MatrixXd samples = whole.samples();
  samples(300, 0) = samples(301, 0) = kNaN;            // neighbours 0.06 s apart: filled
  samples.col(0).segment(500, 100).setConstant(kNaN);  // 9.98 to 12 s
  samples.col(0).head(10).setConstant(kNaN);           // up to 0.2 s
  samples.col(1).tail(50).setConstant(kNaN);           // from 18.98 s on
  const Record record(time, whole.channels(), samples);
  const Record other = resample(record, 0.05, {.method = GetParam()});
  for (Index k = 0; k < other.size(); ++k) {
    const double t = other.time()[k];
    const bool gone = t < 0.2 - 1e-9 || (t > 9.98 + 1e-9 && t < 12.0 - 1e-9);
    EXPECT_EQ(std::isnan(other.samples()(k, 0)), gone) << t;
    EXPECT_EQ(std::isnan(other.samples()(k, 1)), t > 18.98 + 1e-9) << t;
  }
  // Two samples interpolated by cubic spline over 0.06 s: (ω 0.06)⁴/384 · 5, spread by the filter.
  const Record far = other.slice(90, 60);
  const double wh = 2.0 * kPi * 1.5 * 0.06;
  EXPECT_LT(wave_error(far, 0.0), 5.0 / 384.0 * std::pow(wh, 4) + 2.2e-5);
  // A longer gap that the user allows is filled.
  EXPECT_EQ(resample(record, 0.05, {.method = GetParam(), .longest_gap = 3.0}).missing(0), 4);
}

// A gap across the ends of a period is a gap like any other.
TEST(Resample, PeriodicGapsReachAcrossTheEnds) {
  const TimeAxis time = TimeAxis::uniform(200, 0.05, 0.0);
  VectorXd values = (2.0 * kPi * 0.3 * time.times().array()).sin();
  const VectorXd truth = values;
  values[0] = values[199] = kNaN;
  const Record record(time, {{.name = "a"}}, values);
  const Record same = resample(record, 0.05, {.method = ResampleMethod::Periodic});
  EXPECT_EQ(same.missing(0), 0);
  // Cubic spline over neighbours 0.15 s apart, spread by the transform.
  const double bound = 5.0 / 384.0 * std::pow(2.0 * kPi * 0.3 * 0.15, 4);
  EXPECT_TRUE(matrices_near(same.samples(), truth, {.abs = bound}));
  values.tail(10).setConstant(kNaN);
  const Record wide(time, {{.name = "a"}}, values);
  EXPECT_EQ(resample(wide, 0.05, {.method = ResampleMethod::Periodic}).missing(0), 11);
}

TEST(Resample, ChannelsWithoutSamplesStayMissing) {
  MatrixXd samples(50, 2);
  samples.col(0).setConstant(kNaN);
  samples.col(1).setOnes();
  const Record record(TimeAxis::uniform(50, 0.1), {{.name = "a"}, {.name = "b"}}, samples);
  const Record other = resample(record, 0.05);
  EXPECT_EQ(other.missing(0), other.size());
  EXPECT_TRUE(matrices_near(other.samples().col(1), VectorXd::Ones(99), {.abs = 200 * kEps}));
}

TEST(Resample, NameTheCulprit) {
  const Record record = two_waves(TimeAxis::uniform(50, 0.1));
  EXPECT_THAT(message_of([&] { (void)resample(record, 0.0); }), HasSubstr("resample: step"));
  EXPECT_THAT(message_of([&] { (void)resample(record, 1e-12); }), HasSubstr("samples"));
  EXPECT_THAT(
      message_of([&] { (void)resample(record, 1e-12, {.method = ResampleMethod::CubicSpline}); }),
      HasSubstr("step must give at most 1e+09 samples, got 1e-12"));
  EXPECT_THAT(message_of([&] { (void)resample(record.slice(0, 1), 0.1); }),
              HasSubstr("number of samples"));
  EXPECT_THAT(message_of([&] { (void)resample(record, 0.05, {.longest_gap = -1.0}); }),
              HasSubstr("longest_gap"));
  EXPECT_THAT(message_of([&] { (void)resample(record, 0.05, {.band = {.pass = 1.0}}); }),
              HasSubstr("pass"));
  EXPECT_THAT(message_of([&] { (void)resample(record, 0.05, {.band = {.attenuation_db = 10.0}}); }),
              HasSubstr("attenuation_db"));
  MatrixXd samples = record.samples();
  samples(4, 1) = std::numeric_limits<double>::infinity();
  const Record infinite(record.time(), record.channels(), samples);
  EXPECT_THAT(message_of([&] { (void)resample(infinite, 0.05); }),
              HasSubstr("got inf at sample 5 of channel 2"));
}

}  // namespace resample_record_test
