#include "study/result/record_columns.hpp"

#include <gtest/gtest.h>

namespace alembert::study {
namespace record_columns_test {

TEST(RecordColumns, StandInTheRecordAsTheyWereAdded) {
  RecordColumns columns;
  columns.add("a", "m", Eigen::Vector3d(1.0, 2.0, 3.0));
  columns.add("a_std", "m", Eigen::Vector3d(0.1, 0.2, 0.3));
  const signal::Record record = columns.record(signal::TimeAxis::uniform(3, 0.5, 10.0), "both");
  ASSERT_EQ(record.channel_count(), 2);
  EXPECT_EQ(record.channels()[1].unit, "m");
  EXPECT_EQ(record.values("a_std")(2), 0.3);
  EXPECT_EQ(record.time()[2], 11.0);
}

}  // namespace record_columns_test
}  // namespace alembert::study
