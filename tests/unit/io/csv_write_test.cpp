#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/io/csv.hpp"
#include "support/data.hpp"

namespace alembert::io {
namespace csv_write_test {

using signal::Channel;
using signal::Record;
using signal::TimeAxis;
using test::TemporaryFolder;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

// The same record: names, units, texts, axis and every bit of the samples.
testing::AssertionResult same_record(const Record& actual, const Record& expected) {
  const auto fail = [](const std::string& what) {
    return testing::AssertionFailure() << what << " differs";
  };
  if (actual.title() != expected.title()) return fail("title " + actual.title());
  if (actual.channel_count() != expected.channel_count()) return fail("number of channels");
  if (actual.size() != expected.size()) return fail("number of samples");
  for (std::size_t c = 0; c < expected.channels().size(); ++c) {
    if (actual.channels()[c] != expected.channels()[c]) {
      return fail(fmt::format("channel {} '{}' ['{}']", c, actual.channels()[c].name,
                              actual.channels()[c].unit));
    }
  }
  if (actual.time().is_uniform() != expected.time().is_uniform()) return fail("kind of axis");
  if (expected.time().is_uniform() && actual.time().step() != expected.time().step()) {
    return fail("step");
  }
  for (Eigen::Index k = 0; k < expected.size(); ++k) {
    if (!same_bits(actual.time()[k], expected.time()[k])) return fail(fmt::format("time {}", k));
    for (Eigen::Index c = 0; c < expected.channel_count(); ++c) {
      if (!same_bits(actual.samples()(k, c), expected.samples()(k, c))) {
        return fail(fmt::format("sample ({}, {})", k, c));
      }
    }
  }
  return testing::AssertionSuccess();
}

TEST(WriteCsv, WritesATableThatOthersCanRead) {
  const Record record(TimeAxis::uniform(3, 0.1, 0.1), {{"F1", "N"}, {"n"}},
                      (Eigen::MatrixXd(3, 2) << 1.5, 2, kNaN, 3, -1e-7, 4).finished(), "Run 1");
  EXPECT_EQ(format_csv(record, CsvNotes::Exact),
            "# title = \"Run 1\"\n"
            "# step = 0.1 s, start = 0.1 s\n"
            "t [s],F1 [N],n\n"
            "0.1,1.5,2\n"
            "0.2,,3\n"
            "0.3,-1e-07,4\n");
}

// What reads a table without knowing of comments meets the names first.
TEST(WriteCsv, BeginsWithTheNamesUnlessNotesAreAskedFor) {
  const Record record(TimeAxis::uniform(2, 0.1, 0.1), {{"F1", "N", "left"}, {"n"}},
                      (Eigen::MatrixXd(2, 2) << 1.5, 2, kNaN, 3).finished(), "Run 1");
  EXPECT_EQ(format_csv(record), "t [s],F1 [N],n\n0.1,1.5,2\n0.2,,3\n");
}

// Steps that are decimals, or the reciprocals of decimals (rates), come back from the times alone.
TEST(WriteCsv, PlainTablesKeepTheStep) {
  for (const double step : {0.005, 1e-5, 512.0, 4.0, 1.0 / 3.0, 1.0 / 750.0, 1.0 / 44100.0,
                            1.0 / 51200.0, 1.0 / 102.4, 0.00060547}) {
    for (const double start : {0.0, -1.5, 0.25}) {
      const Record record(TimeAxis::uniform(3000, step, start), {{"a", "m/s^2"}},
                          Eigen::VectorXd::LinSpaced(3000, -1.0, 1.0 / 7.0));
      EXPECT_TRUE(same_record(read_csv_text(format_csv(record)), record)) << step << " " << start;
    }
  }
}

TEST(WriteCsv, KeepsARecordWithUniformTimes) {
  // 1/3 and 0.1 have no finite decimal or binary form; a start far from zero loses digits in
  // start + k step but not in the step.
  for (const double step : {0.005, 1.0 / 3.0, 1e-5, 512.0}) {
    for (const double start : {0.0, -0.1, 1e6 / 7.0, 1.7e9}) {
      const Record record(TimeAxis::uniform(50, step, start), {{"a", "m/s^2"}},
                          Eigen::VectorXd::LinSpaced(50, -1.0, 1.0 / 7.0));
      EXPECT_TRUE(same_record(read_csv_text(format_csv(record, CsvNotes::Exact)), record))
          << step << " " << start;
    }
  }
}

// Times that a step would explain within 1e-6 must come back as they are.
TEST(WriteCsv, KeepsARecordWithGivenTimes) {
  const Eigen::VectorXd even = Eigen::VectorXd::LinSpaced(20, 0.0, 1.9);
  Eigen::VectorXd uneven = even;
  uneven(7) += 1.0 / 30.0;
  for (const Eigen::VectorXd& times : {even, uneven, Eigen::VectorXd(even.head(1))}) {
    const Record record(TimeAxis::given(times), {{"a"}}, times.array().sin().matrix());
    EXPECT_TRUE(same_record(read_csv_text(format_csv(record, CsvNotes::Exact)), record))
        << times.size();
  }
}

TEST(WriteCsv, KeepsNamesUnitsAndTextsOfAnyKind) {
  const std::vector<Channel> channels{
      {"t", "s"},
      {"time", "s"},
      {"Time", "min"},
      {"time (2)"},
      {"F, left", "N"},
      {"say \"x\"", "\"", "a \"quoted\" text"},
      {"a;b"},
      {"y[1]"},
      {"y (2)", ""},
      {"F [N]"},
      {"F (N)", "kN"},
      {"F [N] []", "1"},
      {" blanks around ", " m "},
      {"line\nbreak\r\n", "m\t", "two\nlines \\ and a backslash \\n \\x41"},
      {"\xC3\xA9tage", "\xC2\xB5m"},
      {"latin \xE9", "\xB0"},
      {"#", "%"},
      {"// no comment"},
      {"[]"},
      {"()", "]"},
      {"\x01\x7F"},
      {"c1", "", "only a description"}};
  const auto width = static_cast<Eigen::Index>(channels.size());
  const Record record(TimeAxis::uniform(2, 0.5), channels, Eigen::MatrixXd::Constant(2, width, 2.5),
                      "a title\nwith = signs, \"quotes\" and # marks");
  const std::string text = format_csv(record, CsvNotes::Exact);
  EXPECT_TRUE(same_record(read_csv_text(text), record)) << text;
}

// Any bit pattern that is a number comes back; NaN of any kind is one missing sample.
TEST(WriteCsv, KeepsEveryBitOfTheSamples) {
  std::mt19937_64 engine(99);
  Eigen::MatrixXd samples(5000, 3);
  for (double& value : samples.reshaped()) {
    const std::uint64_t bits = engine();
    std::memcpy(&value, &bits, sizeof value);
  }
  samples.topRows(4) << 0.0, -0.0, HUGE_VAL, -HUGE_VAL, kNaN, 5e-324, 1.7976931348623157e308, 0.1,
      2.2250738585072014e-308, 1.0 / 3.0, -1e22, 123456789012345680.0;
  const Record record(TimeAxis::uniform(5000, 1.0), {{"a"}, {"b"}, {"c"}}, samples);
  EXPECT_TRUE(same_record(read_csv_text(format_csv(record, CsvNotes::Exact)), record));
}

// A last channel without any sample must not pass for an empty column.
TEST(WriteCsv, KeepsChannelsThatAreAllMissing) {
  const Record record(TimeAxis::uniform(3, 1.0), {{"a"}, {"b"}},
                      Eigen::MatrixXd::Constant(3, 2, kNaN));
  EXPECT_TRUE(same_record(read_csv_text(format_csv(record, CsvNotes::Exact)), record));
}

TEST(WriteCsv, WritesAFileAndLeavesNoOther) {
  const TemporaryFolder folder;
  const Record record(TimeAxis::uniform(100000, 1.0), {{"a"}},
                      Eigen::VectorXd::LinSpaced(100000, 0.0, 1.0));
  const std::filesystem::path file = folder.write("a.csv", "old");
  write_csv(file, record);
  EXPECT_TRUE(same_record(read_csv(file), record));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteCsv, NamesAFileThatCannotBeWritten) {
  const TemporaryFolder folder;
  const Record record(TimeAxis::uniform(1, 1.0), {{"a"}}, Eigen::VectorXd::Zero(1));
  try {
    write_csv(folder.path() / "none" / "a.csv", record);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("none/a.csv"));
  }
  EXPECT_THROW(write_csv("/dev/full", record), DataError);
  // The system does not even look for these: a name too long, a folder that is a link to itself.
  EXPECT_THROW(write_csv(folder.path() / (std::string(300, 'x') + ".csv"), record), DataError);
  std::filesystem::create_symlink("loop", folder.path() / "loop");
  EXPECT_THROW(write_csv(folder.path() / "loop" / "a.csv", record), DataError);
  EXPECT_THROW(write_csv(folder.path() / "loop", record), DataError);
}

TEST(WriteCsvMatrix, KeepsEveryBit) {
  const TemporaryFolder folder;
  const Eigen::MatrixXd matrix =
      (Eigen::MatrixXd(2, 3) << 0.1, -0.0, 3, 1e300, 5e-324, 6).finished();
  write_csv_matrix(folder.path() / "k.csv", matrix);
  EXPECT_EQ(test::read_text(folder.path() / "k.csv"), "0.1,-0,3\n1e+300,5e-324,6\n");
  const Eigen::MatrixXd back = read_csv_matrix(folder.path() / "k.csv");
  EXPECT_EQ(back, matrix);
  EXPECT_TRUE(std::signbit(back(0, 1)));
}

}  // namespace csv_write_test
}  // namespace alembert::io
