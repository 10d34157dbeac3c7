#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/estimate/observe.hpp"
#include "slider_crank_record.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace doubtful_sensor_test {

using test::message_of;
using test::slider_crank_mechanism;
using test::slider_crank_record;
using test::SliderCrankRecord;
using testing::HasSubstr;

std::shared_ptr<const model::planar::Mechanism> counting(double counts) {
  model::planar::MechanismDescription d = slider_crank_mechanism()->description();
  d.sensors[test::kEncoder].counts = counts;
  return std::make_shared<const model::planar::Mechanism>(d);
}

TEST(DoubtfulSensor, TakesSoundReadings) {
  const SliderCrankRecord record = slider_crank_record(0.3, 3);
  EXPECT_EQ(doubtful_sensor(*slider_crank_mechanism(), record.readings).sensor, -1);
}

// Counts without `counts`: thousands of radians.
TEST(DoubtfulSensor, RefusesCountsThatAreTakenForRadians) {
  SliderCrankRecord record = slider_crank_record(0.3, 3);
  record.readings.col(0) = (record.theta * 4096.0 / 6.283).array().floor();
  EXPECT_EQ(doubtful_sensor(*slider_crank_mechanism(), record.readings).sensor, 0);
  EXPECT_THAT(
      message_of([&] { (void)observe(slider_crank_mechanism(), record.time, record.readings); }),
      HasSubstr("readings of encoder must have fractions of a rad"));
  EXPECT_EQ(doubtful_sensor(*counting(4096.0), record.readings).sensor, -1);
}

// Radians with `counts`: hardly a count moves.
TEST(DoubtfulSensor, RefusesRadiansThatAreTakenForCounts) {
  const SliderCrankRecord record = slider_crank_record(0.3, 3);
  const DoubtfulSensor found = doubtful_sensor(*counting(4096.0), record.readings);
  EXPECT_EQ(found.sensor, 0);
  EXPECT_THAT(found.rule, HasSubstr("must be whole numbers with `counts`"));
}

// Whole numbers with a sigma of their rounding, and few of them, may be meant.
TEST(DoubtfulSensor, LeavesRoughSensorsAlone) {
  SliderCrankRecord record = slider_crank_record(0.3, 3);
  record.readings.col(0) = (record.theta * 100.0).array().floor();
  model::planar::MechanismDescription d = slider_crank_mechanism()->description();
  d.sensors[test::kEncoder].sigma = 0.3;
  EXPECT_EQ(doubtful_sensor(model::planar::Mechanism(d), record.readings).sensor, -1);
  EXPECT_EQ(doubtful_sensor(*slider_crank_mechanism(), record.readings.topRows(19)).sensor, -1);
  EXPECT_EQ(doubtful_sensor(*slider_crank_mechanism(), record.readings.topRows(20)).sensor, 0);
}

}  // namespace doubtful_sensor_test
}  // namespace alembert::estimate
