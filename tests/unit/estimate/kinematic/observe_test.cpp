#include "alembert/estimate/observe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slider_crank_record.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace observe_test {

using Eigen::Index;
using Eigen::VectorXd;
using test::message_of;
using test::slider_crank_mechanism;
using test::slider_crank_record;
using test::SliderCrankRecord;
using testing::HasSubstr;

// Start, noise, estimate and verdict from arrays alone.
TEST(Observe, DoesAllFromArrays) {
  const SliderCrankRecord record = slider_crank_record(1.0, 3);
  ObserveOptions options;
  options.smooth = true;
  const ObserveResult result =
      observe(slider_crank_mechanism(), record.time, record.readings, options);
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.first, 0);
  ASSERT_EQ(result.fitted.size(), 1U);
  EXPECT_EQ(result.fitted[0].name, "density of angle(crank)");
  EXPECT_EQ(result.fitted[0].value, result.options.output_noise.density[0]);
  ASSERT_EQ(result.states.size(), 3U);
  EXPECT_EQ(result.states[1].column, "angle_crank_velocity");
  EXPECT_EQ(result.states[1].unit, "rad/s");
  EXPECT_EQ(result.sensors[0].role, SensorRole::Output);
  EXPECT_EQ(result.sensors[0].readings, record.time.size());
  EXPECT_TRUE(result.consistency.judged);
  EXPECT_TRUE(result.consistency.good) << result.consistency.words;
  EXPECT_TRUE(result.observability.output_form);
  EXPECT_FALSE(result.observability_words.empty());
  EXPECT_EQ(result.estimate.smoothed_mean.rows(), record.time.size());
}

// What comes before the encoder has been read is left out.
TEST(Observe, BeginsWhereTheCoordinatesAreKnown) {
  const SliderCrankRecord record = slider_crank_record(0.5, 3);
  Eigen::MatrixXd readings = record.readings;
  readings.col(0).head(30).setConstant(std::nan(""));
  ObserveOptions options;
  options.fit_density = false;
  options.output_noise.density = {1e4};
  const ObserveResult result = observe(slider_crank_mechanism(), record.time, readings, options);
  EXPECT_EQ(result.first, 30);
  EXPECT_EQ(result.estimate.mean.rows(), record.time.size() - 30);
  EXPECT_EQ(result.sensors[1].readings, record.time.size() - 30);
}

TEST(Observe, SaysWhatIsWrong) {
  const SliderCrankRecord record = slider_crank_record(0.5, 3);
  const auto mechanism = slider_crank_mechanism();
  Eigen::MatrixXd readings = record.readings;
  EXPECT_THAT(message_of([&] { (void)observe(mechanism, record.time, readings.leftCols(1)); }),
              HasSubstr("observe: readings must"));
  EXPECT_THAT(
      message_of([&] { (void)observe(mechanism, record.time.head(1), readings.topRows(1)); }),
      HasSubstr("observe: samples must be at least 2, got 1"));
  ObserveOptions late;
  late.scored_from = 100.0;
  EXPECT_THAT(message_of([&] { (void)observe(mechanism, record.time, readings, late); }),
              HasSubstr("observe: scored_from must be in"));
  readings.col(0).setConstant(std::nan(""));
  EXPECT_EQ(message_of([&] { (void)observe(mechanism, record.time, readings); }),
            "observe: start.z must be given where no sensor reads a coordinate itself, got "
            "angle(crank)");
}

}  // namespace observe_test
}  // namespace alembert::estimate
