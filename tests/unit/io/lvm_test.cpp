#include "alembert/io/lvm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "alembert/io/table.hpp"
#include "support/data.hpp"
#include "support/records.hpp"

namespace alembert::io {
namespace lvm_test {

using test::data_error_of;
using testing::HasSubstr;

const std::string kHead =
    "LabVIEW Measurement\t\nSeparator\tTab\nDecimal_Separator\t.\nX_Columns\tMulti\n"
    "***End_of_Header***\t\n\n";

// Two channels, each beside its own times.
std::string two_channels(const std::string& second_time) {
  return kHead + "Channels\t2\nY_Unit_Label\tN\t\tg\nX0\t0\t\t0\nDelta_X\t0.1\t\t0.1\n" +
         "***End_of_Header***\nX_Value\tF\tX_Value\ta\tComment\n0.0\t1\t0.0\t2\n0.1\t3\t" +
         second_time + "\t4\n";
}

TEST(Lvm, ChannelsThatShareTheirTimesAreOneRecord) {
  const signal::Records records = parse_lvm(two_channels("0.1"), "a.lvm");
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].channels()[0].name, "F");
  EXPECT_EQ(records[0].channels()[0].unit, "N");
  EXPECT_EQ(records[0].samples(), (Eigen::MatrixXd(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(records[0].time().step(), 0.1);
}

TEST(Lvm, ChannelsWithTimesOfTheirOwnAreRecords) {
  const signal::Records records = parse_lvm(two_channels("0.2"), "a.lvm");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].time().step(), 0.1);
  EXPECT_EQ(records[1].time().step(), 0.2);
}

TEST(Lvm, BrokenFilesNameTheLine) {
  EXPECT_THAT(data_error_of([] { (void)parse_lvm("t,a\n0,1\n", "a.lvm"); }),
              HasSubstr("a.lvm:1: is no measurement file of LabVIEW"));
  EXPECT_THAT(data_error_of([] { (void)parse_lvm("LabVIEW Measurement\nSeparator\tTab\n", "a"); }),
              HasSubstr("does not end"));
  EXPECT_THAT(data_error_of([] { (void)parse_lvm(kHead, "a"); }), HasSubstr("no rows of numbers"));
  EXPECT_THAT(data_error_of([] { (void)parse_lvm(two_channels("0.1x"), "a.lvm"); }),
              HasSubstr("a.lvm:14: '0.1x' is no number"));
}

// A file that was cut off would be a shorter record without a word.
TEST(Lvm, FewerRowsThanTheHeadAnnouncesAreRefused) {
  const auto file = [](const std::string& samples) {
    return kHead + "Channels\t1\nSamples\t" + samples +
           "\nDelta_X\t0.1\n***End_of_Header***\nX_Value\ty\n0.0\t1\n0.1\t2\n";
  };
  EXPECT_THAT(data_error_of([&] { (void)parse_lvm(file("3"), "a.lvm"); }),
              HasSubstr("a.lvm:13: ends early: its head announces 3 samples, there are 2"));
  EXPECT_EQ(parse_lvm(file("2"), "a.lvm").at(0).size(), 2);
  EXPECT_EQ(parse_lvm(file("1"), "a.lvm").at(0).size(), 2);
}

// Its head rounds the step to 0.000605 s; the times, written with six decimals, give the true
// one, which the description of the record states with five digits.
TEST(Lvm, MeasuredCantileverHasTheStepOfItsTimes) {
  ALEMBERT_REQUIRE_DATA(file, "cantilever_impulse/timeseries_data.lvm");
  const signal::Record record = read_record(file);
  EXPECT_EQ(record.size(), 81920);
  ASSERT_EQ(record.channel_count(), 1);
  EXPECT_EQ(record.channels()[0].name, "Acceleration");
  EXPECT_EQ(record.channels()[0].unit, "g");
  ASSERT_TRUE(record.time().is_uniform());
  EXPECT_NEAR(record.time().step(), 0.00060547, 0.5e-8);
}

}  // namespace lvm_test
}  // namespace alembert::io
