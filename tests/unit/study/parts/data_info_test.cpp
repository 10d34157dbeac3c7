#include "alembert/study/data_info.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace alembert::study {
namespace data_info_test {

constexpr double kTurn = 2.0 * std::numbers::pi;

signal::Record two_sines(Eigen::Index samples, double step) {
  Eigen::MatrixXd values(samples, 2);
  for (Eigen::Index k = 0; k < samples; ++k) {
    const double t = step * static_cast<double>(k);
    values(k, 0) = 2.0 * std::sin(kTurn * 12.3 * t) + 0.5 * std::cos(kTurn * 40.0 * t);
    values(k, 1) = 7.0;
  }
  std::vector<signal::Channel> channels = {{.name = "a", .unit = "m"}, {.name = "b"}};
  return signal::Record(signal::TimeAxis::uniform(samples, step), channels, values);
}

TEST(Describe, FindsTheSinesThatAreThere) {
  const RecordInfo info = describe(two_sines(4000, 0.005));
  ASSERT_EQ(info.channels.size(), 2U);
  ASSERT_GE(info.channels[0].peaks.size(), 2U);
  // signal::BetweenSamples between lines of 0.2 Hz with a Hann window errs by less than a tenth of
  // a line.
  EXPECT_NEAR(info.channels[0].peaks[0].frequency_hz, 12.3, 0.02);
  EXPECT_NEAR(info.channels[0].peaks[1].frequency_hz, 40.0, 0.02);
  // A sine between two lines of a Hann window loses at most 15 % before interpolation.
  EXPECT_NEAR(info.channels[0].peaks[0].amplitude, 2.0, 0.1);
  EXPECT_EQ(info.step, 0.005);
  EXPECT_DOUBLE_EQ(info.end, 3999 * 0.005);
}

TEST(Describe, BandsShowWhereThePowerIs) {
  const RecordInfo info = describe(two_sines(4000, 0.005), 10);
  const std::vector<double>& bands = info.channels[0].bands_db;
  ASSERT_EQ(bands.size(), 10U);
  EXPECT_EQ(bands[1], 0.0);  // 12.3 Hz of 10 to 20 Hz is the strongest.
  // The sine of 40 Hz is 12 dB below; it falls on the edge of two bands, which halves its power.
  EXPECT_NEAR(std::max(bands[3], bands[4]), -12.0, 4.0);
}

TEST(Describe, AConstantChannelHasNoSpectrum) {
  const RecordInfo info = describe(two_sines(4000, 0.005));
  EXPECT_TRUE(info.channels[1].peaks.empty());
  EXPECT_TRUE(info.channels[1].bands_db.empty());
  EXPECT_EQ(info.channels[1].figures.rms, 7.0);
}

TEST(Describe, CountsMissingSamplesAndGaps) {
  Eigen::VectorXd times = Eigen::VectorXd::LinSpaced(6, 0.0, 5.0);
  times.tail(3).array() += 4.0;
  Eigen::MatrixXd values = Eigen::MatrixXd::Ones(6, 1);
  values(2, 0) = std::numeric_limits<double>::quiet_NaN();
  const signal::TimeAxis axis = signal::TimeAxis::given(std::move(times));
  const std::vector<signal::Channel> channels = {{.name = "a"}};
  const signal::Record record(axis, channels, values);
  const RecordInfo info = describe(record);
  EXPECT_EQ(info.step, std::nullopt);
  EXPECT_EQ(info.median_step, 1.0);
  ASSERT_EQ(info.gaps.size(), 1U);
  EXPECT_EQ(info.gaps[0].begin, 2.0);
  EXPECT_EQ(info.channels[0].figures.missing, 1);
}

TEST(Describe, ShortAndEmptyRecordsDoNotFail) {
  for (const Eigen::Index samples : {0, 1, 2, 15, 16, 17}) {
    const RecordInfo info = describe(two_sines(samples, 0.01));
    EXPECT_EQ(info.samples, samples);
  }
}

}  // namespace data_info_test
}  // namespace alembert::study
