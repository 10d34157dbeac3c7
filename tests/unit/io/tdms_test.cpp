#include "alembert/io/tdms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "support/data.hpp"
#include "support/records.hpp"

// Files put together after the published description of the format. Both orders of bytes and of
// samples are in tests/cli/formats_test.py.
namespace alembert::io {
namespace tdms_test {

using test::data_error_of;
using testing::HasSubstr;

std::string whole(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(value >> (8 * i) & 0xFFU);
  }
  return text;
}
std::string real(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return whole(bits, 8);
}
std::string words(const std::string& text) { return whole(text.size(), 4) + text; }

std::string segment(const std::string& metadata, const std::string& raw, unsigned contents = 0x0E) {
  return "TDSm" + whole(contents, 4) + whole(4713, 4) + whole(metadata.size() + raw.size(), 8) +
         whole(metadata.size(), 8) + metadata + raw;
}
// A channel with values of a type and a step.
std::string channel(const std::string& path, unsigned type, unsigned count, double step) {
  return words(path) + whole(20, 4) + whole(type, 4) + whole(1, 4) + whole(count, 8) + whole(1, 4) +
         words("wf_increment") + whole(10, 4) + real(step);
}

TEST(Tdms, ChannelsOfDifferentRatesAreRecords) {
  const std::string content =
      segment(whole(2, 4) + channel("/'g'/'fast'", 10, 2, 0.1) + channel("/'g'/'slow'", 3, 1, 0.2),
              real(1.5) + real(2.5) + whole(7, 4));
  const signal::Records records = parse_tdms(content, "a.tdms");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].samples(), (Eigen::MatrixXd(2, 1) << 1.5, 2.5).finished());
  EXPECT_EQ(records[0].title(), "g");
  EXPECT_EQ(records[1].samples()(0, 0), 7.0);
  EXPECT_EQ(records[1].time().step(), 0.2);
  EXPECT_EQ(parse_tdms(content, "a.tdms", {.channels = {"slow"}}).size(), 1U);
}

// 2⁶³/2⁶⁴ = 0.5 s after the first stamp, 3.8e9 s after 1904.
TEST(Tdms, TimeStampsAreSecondsSinceTheFirst) {
  const std::uint64_t seconds = 3800000000U;
  const std::string stamps =
      whole(0, 8) + whole(seconds, 8) + whole(std::uint64_t{1} << 63U, 8) + whole(seconds, 8);
  const std::string content =
      segment(whole(2, 4) + words("/'g'/'Time'") + whole(20, 4) + whole(0x44, 4) + whole(1, 4) +
                  whole(2, 8) + whole(0, 4) + words("/'g'/'y'") + whole(20, 4) + whole(10, 4) +
                  whole(1, 4) + whole(2, 8) + whole(0, 4),
              stamps + real(1.0) + real(2.0));
  const signal::Record record = parse_tdms(content, "a.tdms").at(0);
  EXPECT_EQ(record.time().step(), 0.5);
  EXPECT_EQ(record.channels()[0].name, "y");
}

TEST(Tdms, BrokenFilesAreNamed) {
  const auto error = [](const std::string& content) {
    return data_error_of([&] { (void)parse_tdms(content, "a.tdms"); });
  };
  const std::string one = whole(1, 4) + channel("/'g'/'y'", 10, 2, 0.1);
  EXPECT_THAT(error(""), HasSubstr("is empty"));
  EXPECT_THAT(error(std::string(40, 'x')), HasSubstr("does not begin with TDSm"));
  EXPECT_THAT(error(segment(one, real(1.0))), HasSubstr("longer than their segment"));
  EXPECT_THAT(error(segment(one, "").substr(0, 60)), HasSubstr("longer than the file"));
  EXPECT_THAT(error(segment(one, real(1.0) + real(2.0), 0x8E)), HasSubstr("DAQmx"));
  EXPECT_THAT(error(segment(whole(9, 4), "")), HasSubstr("ends early"));
  EXPECT_THAT(error(segment(whole(1, 4) + channel("/'g'/'y'", 77, 2, 0.1), "")),
              HasSubstr("type 0x4d"));
}

std::string byte_channel(const std::string& path, unsigned count) {
  return words(path) + whole(20, 4) + whole(5, 4) + whole(1, 4) + whole(count, 8) + whole(0, 4);
}

// A byte of each segment becomes a piece of its channel: some fifty times as much in memory.
TEST(Tdms, PiecesKeepTheLimitOfMemory) {
  std::string channels = whole(100, 4);
  for (int i = 0; i < 100; ++i) channels += byte_channel("/'g'/'" + std::to_string(i) + "'", 1);
  std::string content = segment(channels, std::string(100, '\1'));
  for (int i = 0; i < 200; ++i) content += segment("", std::string(100, '\2'), 0x08);
  EXPECT_EQ(parse_tdms(content, "a.tdms", {.step = 1.0, .limits = {.memory = 2U << 20U}})[0].size(),
            201);
  EXPECT_THAT(data_error_of([&] {
                (void)parse_tdms(content, "a.tdms", {.step = 1.0, .limits = {.memory = 500000}});
              }),
              HasSubstr("list of channels and segments"));
}

// Ten thousand channels without numbers, gone through in each of twenty thousand segments.
TEST(Tdms, ChannelsOfNothingInManySegmentsAreRefused) {
  std::string channels = whole(10001, 4);
  for (int i = 0; i < 10000; ++i) channels += byte_channel("/'g'/'" + std::to_string(i) + "'", 0);
  std::string content = segment(channels + byte_channel("/'g'/'u'", 1), "1");
  for (int i = 0; i < 20000; ++i) content += segment("", "2", 0x08);
  EXPECT_THAT(data_error_of([&] { (void)parse_tdms(content, "a.tdms", {.step = 1.0}); }),
              HasSubstr("too many segments"));
}

TEST(Tdms, ListsItsChannels) {
  const test::TemporaryFolder folder;
  const auto file = folder.write(
      "a.tdms", segment(whole(1, 4) + channel("/'g'/'y'", 10, 2, 0.1), real(1.0) + real(2.0)));
  const auto listed = list_tdms(file);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].name, "g/y");
  EXPECT_EQ(listed[0].size, std::vector<long long>{2});
}

}  // namespace tdms_test
}  // namespace alembert::io
