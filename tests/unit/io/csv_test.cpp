#include "alembert/io/csv.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <thread>

#include "alembert/core/error.hpp"
#include "support/allocations.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/memory_peak.hpp"

namespace alembert::io {
namespace csv_test {

using signal::Record;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> names(const Record& record) {
  std::vector<std::string> result;
  for (const signal::Channel& channel : record.channels()) {
    result.push_back(channel.name);
  }
  return result;
}

std::vector<std::string> units(const Record& record) {
  std::vector<std::string> result;
  for (const signal::Channel& channel : record.channels()) {
    result.push_back(channel.unit);
  }
  return result;
}

// Equal entry by entry, NaN equal to NaN.
testing::AssertionResult same(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    return testing::AssertionFailure() << "size " << actual.rows() << " x " << actual.cols();
  }
  for (Eigen::Index c = 0; c < actual.cols(); ++c) {
    for (Eigen::Index r = 0; r < actual.rows(); ++r) {
      const double a = actual(r, c);
      const double e = expected(r, c);
      if (a != e && !(std::isnan(a) && std::isnan(e))) {
        return testing::AssertionFailure()
               << fmt::format("entry ({}, {}): {:.17g}, expected {:.17g}", r, c, a, e);
      }
    }
  }
  return testing::AssertionSuccess();
}

std::string message_for(const std::string& text, const ReadOptions& options = {.step = 1.0},
                        const CsvOptions& csv = {}) {
  try {
    static_cast<void>(read_csv_text(text, options, csv, "run1.csv"));
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

const Eigen::MatrixXd kTwoByTwo = (Eigen::MatrixXd(2, 2) << 1.5, 2.5, -3.0, 4e3).finished();

// ---- Forms of a table ------------------------------------------------------------------------

TEST(ReadCsv, ReadsNamesUnitsTimeAndNumbers) {
  const Record record = read_csv_text("t [s],F1 [N],x (m)\n0,1.5,2.5\n0.25,-3,4e3\n");
  EXPECT_EQ(names(record), (std::vector<std::string>{"F1", "x"}));
  EXPECT_EQ(units(record), (std::vector<std::string>{"N", "m"}));
  ASSERT_TRUE(record.time().is_uniform());
  EXPECT_EQ(record.time().step(), 0.25);
  EXPECT_TRUE(same(record.samples(), kTwoByTwo));
}

// The same numbers in every separator and decimal mark.
TEST(ReadCsv, FindsSeparatorAndDecimalMark) {
  for (const std::string text : {
           "a,b\n1.5,2.5\n-3,4e3\n",
           "a, b\n1.5, 2.5\n-3, 4e3\n",
           "a;b\n1.5;2.5\n-3;4e3\n",
           "a;b\n1,5;2,5\n-3;4e3\n",
           "a\tb\n1.5\t2.5\n-3\t4e3\n",
           "a\tb\n1,5\t2,5\n-3\t4e3\n",
           "a b\n1.5 2.5\n-3 4e3\n",
           "a b\n1,5 2,5\n-3 4e3\n",
           "  a     b\n  1.5   2.5  \n -3\t4e3\n",
           "a, b\n1.5 2.5\n-3 4e3\n",
           "\"a\",\"b\"\n\"1.5\",\"2.5\"\n\"-3\",\"4e3\"\n",
           "\"a\",\"b\"\n\"1,5\",\"2,5\"\n\"-3\",\"4e3\"\n",
           "a;b\n 1.5 ;\t2.5\n-3 ; 4e3 \n",
       }) {
    const Record record = read_csv_text(text, {.step = 1.0});
    EXPECT_EQ(names(record), (std::vector<std::string>{"a", "b"})) << text;
    EXPECT_TRUE(same(record.samples(), kTwoByTwo)) << text;
  }
}

TEST(ReadCsv, OptionsOverrideWhatTheFileLooksLike) {
  // Two columns of whole numbers, or one with decimal commas.
  EXPECT_EQ(read_csv_text("1,5\n2,5\n", {.step = 1.0}).channel_count(), 2);
  const Record one = read_csv_text("1,5\n2,5\n", {.step = 1.0}, {.decimal_mark = ','});
  EXPECT_TRUE(same(one.samples(), Eigen::Vector2d(1.5, 2.5)));
  const Record named = read_csv_text("1,2\n3,4\n", {.step = 1.0}, {.header = CsvHeader::Present});
  EXPECT_EQ(names(named), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(named.size(), 1);
  const Record marked = read_csv_text("!note\n1,2\n", {.step = 1.0}, {.comment = "!"});
  EXPECT_EQ(marked.size(), 1);
  EXPECT_THAT(message_for("a\nb\n1\n", {.step = 1.0}, {.header = CsvHeader::Absent}),
              HasSubstr("run1.csv:1:1: cell 'a' is not a number"));
}

TEST(ReadCsv, ReadsASecondHeaderLineOfUnits) {
  const Record record = read_csv_text("time;F1;n\n[s];[N];-\n0;1;2\n2;3;4\n4;5;6\n");
  EXPECT_EQ(units(record), (std::vector<std::string>{"N", "-"}));
  EXPECT_EQ(record.time().step(), 2.0);
  EXPECT_EQ(record.size(), 3);
}

TEST(ReadCsv, UnitsInBracketsStayWithNamesBetweenBlanks) {
  const Record record = read_csv_text("t [s]  F1 [N]  n\n0 1 2\n1 3 4\n");
  EXPECT_EQ(names(record), (std::vector<std::string>{"F1", "n"}));
  EXPECT_EQ(units(record), (std::vector<std::string>{"N", ""}));
}

TEST(ReadCsv, AnIndexInBracketsIsNoUnit) {
  const Record record = read_csv_text("y(1),y[2],y (3),f(x),n [1]\n1,2,3,4,5\n", {.step = 1.0});
  EXPECT_EQ(names(record), (std::vector<std::string>{"y(1)", "y[2]", "y (3)", "f(x)", "n"}));
  EXPECT_EQ(units(record), (std::vector<std::string>{"", "", "", "", "1"}));
}

TEST(ReadCsv, NamesColumnsWithoutHeader) {
  const Record record = read_csv_text("1,2\n3,4\n", {.step = 0.5});
  EXPECT_EQ(names(record), (std::vector<std::string>{"c1", "c2"}));
  EXPECT_EQ(record.size(), 2);
}

TEST(ReadCsv, TakesNamesFromACommentJustAboveTheNumbers) {
  const Record record = read_csv_text("# made by savetxt\n# t F1\n0 1\n1 2\n");
  EXPECT_EQ(names(record), std::vector<std::string>{"F1"});
  const Record later = read_csv_text("# t F1\n0 1\n# x y\n1 2\n");
  EXPECT_EQ(names(later), std::vector<std::string>{"F1"});
  EXPECT_EQ(names(read_csv_text("# a long remark\n0 1\n1 2\n", {.step = 1.0})),
            (std::vector<std::string>{"c1", "c2"}));
}

TEST(ReadCsv, SkipsCommentsAndBlankLinesAnywhere) {
  const Record record = read_csv_text(
      "# first\n\n% second\na,b\n// third\n1,2\n\n# between\n  \n3,4\n# last", {.step = 1.0});
  EXPECT_TRUE(same(record.samples(), (Eigen::MatrixXd(2, 2) << 1, 2, 3, 4).finished()));
}

TEST(ReadCsv, ReadsAllLineEndsAndALastLineWithoutOne) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string text = "# note" + end + "a,b" + end + "1.5,2.5" + end + end + "-3,4e3";
    EXPECT_TRUE(same(read_csv_text(text, {.step = 1.0}).samples(), kTwoByTwo));
    EXPECT_TRUE(same(read_csv_text(text + end, {.step = 1.0}).samples(), kTwoByTwo));
  }
}

// The end mark of CP/M and DOS, alone in the last line, or filling it up.
TEST(ReadCsv, SkipsTheEndMarkOfOldSystems) {
  for (const std::string end : {"\x1A", "\x1A\n", "\x1A\x1A\x1A", "\r\n\x1A\r\n", " \x1A"}) {
    for (const std::string separator : {",", ";", "\t", " "}) {
      const std::string text =
          "t" + separator + "a\n0" + separator + "1\n1" + separator + "2\n" + end;
      const Record record = read_csv_text(text);
      ASSERT_EQ(record.size(), 2) << separator;
      EXPECT_EQ(record.samples()(1, 0), 2.0);
    }
  }
  EXPECT_THAT(message_for("t,a\n0,1\n1,\x1A\n", {}), HasSubstr("run1.csv:3"));
  EXPECT_THAT(message_for("\x1A", {}), HasSubstr("holds no data"));
  // Elsewhere it is a control byte like others: in a name, in a comment that holds the names.
  EXPECT_THAT(message_for("a\t\x1A\n3\t1\n", {}), HasSubstr("control byte 0x1a"));
  EXPECT_THAT(message_for("# a \x1A\n3 1\n", {}), HasSubstr("control byte 0x1a"));
  EXPECT_THAT(message_for("a,\f\n3,1\n", {}), HasSubstr("control byte 0x0c"));
}

TEST(ReadCsv, SkipsAByteOrderMark) {
  EXPECT_EQ(names(read_csv_text("\xEF\xBB\xBFt,a\n0,1\n1,2\n")), std::vector<std::string>{"a"});
  EXPECT_TRUE(same(read_csv_text("\xEF\xBB\xBF"
                                 "1,2\n",
                                 {.step = 1.0})
                       .samples(),
                   Eigen::RowVector2d(1, 2)));
}

TEST(ReadCsv, MarksMissingCells) {
  const Record record = read_csv_text("a,b,c\n1,,3\nNaN,nan,NA\n-,\"\",-nan\n,,\n", {.step = 1.0});
  Eigen::MatrixXd expected(4, 3);
  expected << 1, kNaN, 3, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN;
  EXPECT_TRUE(same(record.samples(), expected));
  EXPECT_EQ(record.missing(2), 3);
}

TEST(ReadCsv, ALineOfTabsIsARowOfMissingSamples) {
  const Record record = read_csv_text("a\tb\n\t\n1\t2\n\t\n", {.step = 1.0});
  EXPECT_EQ(record.size(), 3);
  EXPECT_EQ(record.missing(0), 2);
}

TEST(ReadCsv, DropsEmptyColumnsAtTheEnd) {
  EXPECT_EQ(read_csv_text("a,b,\n1,2,\n3,4,\n", {.step = 1.0}).channel_count(), 2);
  EXPECT_EQ(read_csv_text("a,b,,,\n1,2,,,\n3,4\n", {.step = 1.0}).channel_count(), 2);
  EXPECT_EQ(read_csv_text("a,b\n1,2,\n3,4,\n", {.step = 1.0}).channel_count(), 2);
  EXPECT_EQ(read_csv_text("1;2;\n3;4;\n", {.step = 1.0}).channel_count(), 2);
  // A last column that has a name, or somewhere a value, stays.
  EXPECT_EQ(read_csv_text("a,b\n1,\n3,\n", {.step = 1.0}).channel_count(), 2);
  EXPECT_EQ(read_csv_text("1,2,\n3,4,5\n", {.step = 1.0}).channel_count(), 3);
}

TEST(ReadCsv, ReadsQuotedNames) {
  const Record record =
      read_csv_text("\"F, left [N]\",\"say \"\"x\"\"\",  \"c\"  \n1,2,3\n", {.step = 1.0});
  EXPECT_EQ(names(record), (std::vector<std::string>{"F, left", "say \"x\"", "c"}));
  EXPECT_EQ(record.channels()[0].unit, "N");
}

TEST(ReadCsv, ReadsLatin1UnitsAsUtf8) {
  const Record record = read_csv_text(
      "T [\xB0"
      "C],v [\xC2\xB5m]\n1,2\n",
      {.step = 1.0});
  EXPECT_EQ(units(record), (std::vector<std::string>{"\xC2\xB0"
                                                     "C",
                                                     "\xC2\xB5m"}));
}

TEST(ReadCsv, ReadsThousandsOfColumns) {
  constexpr int kColumns = 5000;
  std::string text;
  for (int c = 0; c < kColumns; ++c) {
    text += fmt::format("{}channel number {} [m/s^2]", c > 0 ? "," : "", c);
  }
  for (int r = 0; r < 30; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      text += fmt::format("{}{}", c > 0 ? ',' : '\n', r * kColumns + c);
    }
  }
  const Record record = read_csv_text(text, {.step = 1.0, .channels = {"channel number 4999"}});
  EXPECT_EQ(record.samples()(29, 0), 30 * kColumns - 1);
  const Record all = read_csv_text(text, {.step = 1.0});
  EXPECT_EQ(all.channel_count(), kColumns);
  EXPECT_EQ(all.samples()(17, 123), 17 * kColumns + 123);
}

TEST(ReadCsv, ReadsTheCascadedTanksRecord) {
  ALEMBERT_REQUIRE_DATA(file, "cascaded_tanks/dataBenchmark.csv");
  const Record record = read_csv(file, {.step = 4.0});
  EXPECT_EQ(names(record), (std::vector<std::string>{"uEst", "uVal", "yEst", "yVal", "Ts"}));
  EXPECT_EQ(record.size(), 1024);
  EXPECT_EQ(record.samples()(0, 0), 3.2567);
  EXPECT_EQ(record.samples()(0, 4), 4.0);
  EXPECT_EQ(record.missing(4), 1023);
  EXPECT_EQ(record.missing(3), 0);
}

// ---- Numbers ---------------------------------------------------------------------------------

// Every number must be the double nearest to its text, as std::strtod finds it. Short and long
// numbers, integers, exponents; the rows have other lengths each, so that numbers stand at all
// distances from the ends of the blocks that the parser loads.
TEST(ReadCsv, RoundsEveryNumberCorrectly) {
  std::mt19937_64 engine(20240611);
  const auto below = [&engine](std::uint64_t bound) { return engine() % bound; };
  std::string text;
  std::vector<double> expected;
  for (int i = 0; i < 40000; ++i) {
    std::string number = below(2) == 0 ? "-" : "";
    const std::uint64_t digits = 1 + below(22);
    const std::uint64_t mark = below(digits + 1);
    for (std::uint64_t d = 0; d < digits; ++d) {
      number += d == mark ? "." : "";
      number += static_cast<char>('0' + below(10));
    }
    if (below(3) == 0) {
      const auto range = static_cast<int>(below(2) == 0 ? 25 : 280);
      number += fmt::format("{}{}", "eE"[below(2)],
                            static_cast<int>(below(2 * static_cast<std::uint64_t>(range))) - range);
    }
    expected.push_back(std::strtod(number.c_str(), nullptr));
    text += number + (i % 4 == 3 ? "\n" : ",");
  }
  const Record record = read_csv_text(text, {.step = 1.0});
  ASSERT_EQ(record.samples().size(), 40000);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value =
        record.samples()(static_cast<Eigen::Index>(i / 4), static_cast<Eigen::Index>(i % 4));
    ASSERT_EQ(value, expected[i]) << "number " << i;
    ASSERT_EQ(std::signbit(value), std::signbit(expected[i])) << "number " << i;
  }
}

TEST(ReadCsv, ReadsOtherFormsOfNumbers) {
  const Record record = read_csv_text(
      "+1.5,1.5D+01,2d-1,.5,5.,-0,inf,-Infinity,1e-400,00012,1E5,123456789012345678901234567890\n",
      {.step = 1.0});
  Eigen::RowVectorXd expected(12);
  expected << 1.5, 15.0, 0.2, 0.5, 5.0, -0.0, HUGE_VAL, -HUGE_VAL, 0.0, 12.0, 1e5,
      123456789012345678901234567890.0;
  EXPECT_TRUE(same(record.samples(), expected));
  EXPECT_TRUE(std::signbit(record.samples()(0, 5)));
}

TEST(ReadCsv, RefusesWhatIsNoNumber) {
  for (const std::string cell :
       {"abc", "1.2.3", "1e", "1e+", "--1", "+-1", "0x10", "1 2", "1_000", ".", "e5", "1e5.5",
        "12:30", "1,5", "nanx", "\"1", "1\"", "#REF"}) {
    const std::string text = "a;b\n1.5;2\n1.5;" + cell + "\n";
    EXPECT_THAT(message_for(text), StartsWith("run1.csv:3:5: cell '")) << cell;
  }
}

// ---- Time axis -------------------------------------------------------------------------------

TEST(ReadCsv, StepGivesAUniformAxisFromZero) {
  const Record record = read_csv_text("t,a\n5,1\n6,2\n", {.step = 0.125});
  EXPECT_EQ(record.time().step(), 0.125);
  EXPECT_EQ(record.time().start(), 0.0);
  EXPECT_EQ(names(record), (std::vector<std::string>{"t", "a"}));
}

TEST(ReadCsv, NamedTimeChannelGivesTheAxis) {
  const std::string text = "a,clock [ms]\n1,10\n2,15\n3,20\n";
  const Record record = read_csv_text(text, {.time = "clock"});
  EXPECT_EQ(names(record), std::vector<std::string>{"a"});
  ASSERT_TRUE(record.time().is_uniform());
  EXPECT_EQ(record.time().step(), 0.005);
  EXPECT_EQ(record.time().start(), 0.01);
  // Asked for by name, the time is a channel too, in its own unit.
  const Record both = read_csv_text(text, {.time = "clock", .channels = {"clock", "a"}});
  EXPECT_TRUE(same(both.samples().col(0), Eigen::Vector3d(10, 15, 20)));
}

TEST(ReadCsv, RecognisesTimeByTheNameOfTheFirstColumn) {
  for (const std::string name : {"t", "T", "time", "Time [s]", "TIME (s)", "t [s]"}) {
    EXPECT_EQ(read_csv_text(name + ";a\n0;1\n1;2\n").channel_count(), 1) << name;
  }
  EXPECT_THAT(message_for("a,t\n1,0\n2,1\n", {}), HasSubstr("first column is 'a', not a time"));
  for (const std::string name : {"t(ms)", "Time[ms]", "Time [ms]", "time (milliseconds)"}) {
    EXPECT_EQ(read_csv_text(name + ";a\n0;1\n5;2\n").time().step(), 0.005) << name;
  }
  EXPECT_EQ(read_csv_text("t[0];a\n0;1\n5;2\n").time().step(), 5.0);
  EXPECT_THAT(message_for("t(fortnight),a\n0,1\n", {}),
              HasSubstr("run1.csv:2:1: the unit 'fortnight' of the time 't(fortnight)' is not"));
}

// Times printed with 6 decimals are within 5e-7 s of k step, which 1e-6 of a step of 1 s covers.
TEST(ReadCsv, RoundedTimesGiveTheStepMeant) {
  for (const double step : {1.0, 2.5, 1.7}) {
    std::string text = "t,a\n";
    for (int k = 0; k < 2000; ++k) {
      text += fmt::format("{:.6f},{}\n", 3.1 + step * k, k);
    }
    const Record record = read_csv_text(text);
    ASSERT_TRUE(record.time().is_uniform()) << step;
    EXPECT_EQ(record.time().step(), step);
    EXPECT_EQ(record.time().start(), 3.1);
  }
}

// A step that no short decimal meets keeps its digits: 2000 steps of 1/3 s, times exact in double.
TEST(ReadCsv, UnevenDecimalStepsKeepTheirDigits) {
  std::string text = "t,a\n";
  for (int k = 0; k < 2000; ++k) {
    text += fmt::format("{},{}\n", k / 3.0, k);
  }
  const Record record = read_csv_text(text);
  ASSERT_TRUE(record.time().is_uniform());
  // Rounding: k/3 and its difference to k step are exact to an ulp of the last time, 667 s.
  EXPECT_NEAR(record.time().step(), 1.0 / 3.0, 4 * test::kEps * 667.0 / 1999.0);
}

std::string table_of(const std::vector<double>& times, int decimals) {
  std::string text = "t,a\n";
  for (const double time : times) {
    text += fmt::format("{:.{}f},1\n", time, decimals);
  }
  return text;
}

std::vector<double> grid(int samples, double rate, double start) {
  std::vector<double> times;
  for (int k = 0; k < samples; ++k) {
    times.push_back(start + k / rate);
  }
  return times;
}

// Loggers write few decimals: 6 of them are off by up to 2.6e-2 of a step at 51.2 kHz. The step is
// 1/rate to the last bit, because the rate (or 0.0125 s, where every second time is half way
// between two decimals) has few digits.
TEST(ReadCsv, TimesRoundedToDecimalsAreUniform) {
  struct Case {
    double rate;
    int decimals;
    double start;
  };
  for (const Case& each : {Case{2560.0, 6, 0.0}, Case{3000.0, 6, 0.0}, Case{10240.0, 6, -0.5},
                           Case{51200.0, 6, 0.0}, Case{3000.0, 6, 12.345678}, Case{2999.87, 6, 0.0},
                           Case{80.0, 3, 0.0}, Case{30.0, 3, 100.0}}) {
    for (const int samples : {200, 20000}) {
      const Record record =
          read_csv_text(table_of(grid(samples, each.rate, each.start), each.decimals));
      ASSERT_TRUE(record.time().is_uniform()) << each.rate << ", " << samples;
      const double unit = std::pow(10.0, -each.decimals);
      // The ends say no more about the step than this; the long records hit it exactly.
      const double unknown = samples == 200 ? unit / 199.0 : 2 * test::kEps / each.rate;
      EXPECT_NEAR(record.time().step(), 1.0 / each.rate, unknown) << each.rate << ", " << samples;
      EXPECT_NEAR(record.time().start(), each.start, 0.51 * unit);
    }
  }
}

// A clock that no number of few digits meets: 6 decimals over 6.7 s fix the step to 1e-6/19999 s.
TEST(ReadCsv, RoundedTimesOfAnOddClockGiveItsStep) {
  const double rate = 2999.8721356847;
  const Record record = read_csv_text(table_of(grid(20000, rate, 0.1234567), 6));
  ASSERT_TRUE(record.time().is_uniform());
  EXPECT_NEAR(record.time().step(), 1.0 / rate, 1e-6 / 19999.0);
}

TEST(ReadCsv, TimesThatRoundingDoesNotExplainAreKept) {
  const auto is_uniform = [](const std::vector<double>& times, int decimals) {
    return read_csv_text(table_of(times, decimals)).time().is_uniform();
  };
  std::vector<double> moved = grid(2000, 3000.0, 0.0);
  EXPECT_TRUE(is_uniform(moved, 6));
  moved[1000] += 2e-6;
  EXPECT_FALSE(is_uniform(moved, 6));
  std::vector<double> slower = grid(2000, 3000.0, 0.0);
  for (std::size_t k = 0; k < slower.size(); ++k) {
    slower[k] += 1e-12 * static_cast<double>(k * k);  // 4 digits at the end, slowly
  }
  EXPECT_FALSE(is_uniform(slower, 6));
  std::mt19937_64 engine(3);
  std::vector<double> jitter = grid(100, 3000.0, 0.0);
  for (double& time : jitter) {
    time += std::uniform_real_distribution<double>(-3e-6, 3e-6)(engine);
  }
  EXPECT_FALSE(is_uniform(jitter, 6));
  // Decimals of more than an eighth of a step hide much unevenness, and so do a few samples.
  EXPECT_FALSE(is_uniform(grid(100, 127.0, 0.0), 3));
  EXPECT_TRUE(is_uniform(grid(100, 123.0, 0.0), 3));
  EXPECT_FALSE(is_uniform(grid(15, 3000.0, 0.0), 6));
  EXPECT_TRUE(is_uniform(grid(16, 3000.0, 0.0), 6));
}

TEST(ReadCsv, UnevenTimesAreKeptOneByOne) {
  const Record record = read_csv_text("t,a\n0,1\n1,2\n2.00001,3\n");
  ASSERT_FALSE(record.time().is_uniform());
  EXPECT_TRUE(same(record.time().times(), Eigen::Vector3d(0, 1, 2.00001)));
}

TEST(ReadCsv, StepInACommentGivesTheAxis) {
  const Record record = read_csv_text("# step = 0.005 s, start = -1 s\na,b\n1,2\n3,4\n");
  EXPECT_EQ(record.time().step(), 0.005);
  EXPECT_EQ(record.time().start(), -1.0);
  EXPECT_EQ(record.channel_count(), 2);
  EXPECT_EQ(read_csv_text("% step = 2e-3\na\n1\n").time().step(), 0.002);
  // Remarks that only look similar mean nothing.
  for (const std::string remark : {"step = fast", "step = 1 of 3", "steps = 1", "step = -1 s"}) {
    EXPECT_THAT(message_for("# " + remark + "\na\n1\n", {}), HasSubstr("give the step")) << remark;
  }
}

TEST(ReadCsv, TimesMustAgreeWithTheStepInAComment) {
  EXPECT_EQ(read_csv_text("# step = 0.5 s\nt,a\n0,1\n0.5,2\n1,3\n").time().step(), 0.5);
  EXPECT_THAT(message_for("# step = 0.5 s\nt,a\n0,1\n0.5,2\n1.5,3\n", {}),
              AllOf(StartsWith("run1.csv:5:1: time 1.5 s"), HasSubstr("line 1")));
}

TEST(ReadCsv, TimesMustIncrease) {
  EXPECT_THAT(message_for("t,a\n0,1\n# pause\n2,2\n2,3\n", {}),
              StartsWith("run1.csv:5:1: time 2 s does not come after 2 s"));
  EXPECT_THAT(message_for("a,t\n0,1\n1,\n", {.time = "t"}),
              StartsWith("run1.csv:3:3: the cell is missing (column 't')"));
  EXPECT_THAT(message_for("t,a\n0,1\ninf,1\n", {}), HasSubstr("run1.csv:3:1: the time 't' is not"));
  EXPECT_THAT(message_for("t [week],a\n0,1\n1,1\n", {}), HasSubstr("unit 'week'"));
}

// The line must be right far into a file of many blocks, too.
TEST(ReadCsv, NamesTheLineInALongFile) {
  std::string text = "t,a\n";
  for (int k = 0; k < 200000; ++k) {
    text += fmt::format("{},{}\n", k == 170000 ? 7 : k, k);
  }
  EXPECT_THAT(message_for(text, {}), StartsWith("run1.csv:170002:1: time 7 s"));
}

// ---- Channels asked for ----------------------------------------------------------------------

TEST(ReadCsv, ReadsOnlyTheChannelsAskedForInTheirOrder) {
  const std::string text = "t,a,remark,b\n0,1,\"good, very\",2\n1,3,bad,4\n";
  const Record record = read_csv_text(text, {.channels = {"b", "a"}});
  EXPECT_EQ(names(record), (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(same(record.samples(), (Eigen::MatrixXd(2, 2) << 2, 1, 4, 3).finished()));
  EXPECT_THAT(message_for(text, {}), StartsWith("run1.csv:2:5: cell 'good, very' is not a number"));
}

TEST(ReadCsv, NamesTheNearestChannelForOneThatIsMissing) {
  EXPECT_THAT(message_for("# note\nforce,torque\n1,2\n", {.step = 1.0, .channels = {"farce"}}),
              AllOf(StartsWith("run1.csv:2: "), HasSubstr("'farce'"), HasSubstr("'force'")));
  EXPECT_THAT(message_for("a,b\n1,2\n", {.time = "clock"}),
              AllOf(HasSubstr("'clock'"), HasSubstr("'a', 'b'")));
}

TEST(ReadCsv, RefusesRepeatedNames) {
  const std::string text = "a,b,a\n1,2,3\n";
  EXPECT_THAT(message_for(text), HasSubstr("channel 'a' stands twice, in columns 1 and 3"));
  EXPECT_EQ(read_csv_text(text, {.step = 1.0, .channels = {"b"}}).channel_count(), 1);
  EXPECT_THROW(static_cast<void>(read_csv_text(text, {.step = 1.0, .channels = {"b", "b"}})),
               InvalidInput);
}

// ---- Broken files ----------------------------------------------------------------------------

TEST(ReadCsv, NamesPlaceAndColumnOfABadCell) {
  EXPECT_EQ(message_for("F1,F2\n1,2\n3,abc\n"),
            "run1.csv:3:3: cell 'abc' is not a number (column 'F2')");
  EXPECT_EQ(message_for("F1,F2\n1,2\n3,1e999\n"),
            "run1.csv:3:3: cell '1e999' is beyond the range of a double (column 'F2')");
  EXPECT_THAT(message_for("a;b\n1.5;2\n1,5;3\n"),
              HasSubstr("the decimal mark of this file is '.'"));
  EXPECT_THAT(message_for(std::string("a,b\n1,2\n3,x\x01\xFF") + std::string(100, 'y') + "\n"),
              AllOf(HasSubstr("is not a text table")));
  EXPECT_THAT(message_for("a,b\n1,2\n3,\xFF" + std::string(100, 'y') + "\n"),
              AllOf(HasSubstr("'\\xffyyy"), HasSubstr("...'")));
}

TEST(ReadCsv, NamesALineWithTheWrongNumberOfCells) {
  EXPECT_EQ(message_for("a,b,c\n1,2,3\n4,5\n"),
            "run1.csv:3:4: 2 cells in this line, expected 3 (named in line 1)");
  EXPECT_EQ(message_for("a,b\n1,2\n4,5,6\n"),
            "run1.csv:3:5: 3 cells in this line, expected 2 (named in line 1)");
  EXPECT_EQ(message_for("1 2\n4\n"),
            "run1.csv:2:2: 1 cell in this line, expected 2 (as in the lines before)");
  EXPECT_EQ(message_for("1 2\n1 2\n4 5 6\n", {.step = 1.0}, {.separator = ' '}).substr(0, 14),
            "run1.csv:1:4: ");
  EXPECT_THAT(message_for("a,b,\n1,2,\n4,5,6\n"), StartsWith("run1.csv:3:5: 3 cells"));
  EXPECT_THAT(message_for("a,b\n1,2,,\n"), StartsWith("run1.csv:2:5: 4 cells"));
}

TEST(ReadCsv, RefusesFilesWithoutNumbers) {
  EXPECT_EQ(message_for(""), "run1.csv: is empty");
  EXPECT_EQ(message_for("\n\n# only words\n"), "run1.csv: holds no data, only comments or blanks");
  EXPECT_EQ(message_for("a,b\n"), "run1.csv:1: has a header but no rows of numbers");
  EXPECT_EQ(message_for("a,b\nm,N\n"), "run1.csv:2: has a header but no rows of numbers");
  EXPECT_THAT(message_for("t\n0\n1\n", {}), HasSubstr("no channel besides the time"));
}

TEST(ReadCsv, RefusesOtherKindsOfFiles) {
  EXPECT_THAT(message_for(std::string("a,b\n1,\0\n", 8)),
              HasSubstr("run1.csv: byte 6: is not a text table: it holds the control byte 0x00"));
  EXPECT_THAT(message_for(std::string("\xFF\xFE"
                                      "a\0\n\0",
                                      6)),
              HasSubstr("UTF-16"));
  EXPECT_THAT(message_for(std::string("\xFE\xFF\0a\0\n", 6)), HasSubstr("UTF-16"));
  EXPECT_THAT(message_for("a,\"b\n1,2\n"),
              StartsWith("run1.csv:1:3: a quoted name has no closing"));
}

TEST(ReadCsv, RefusesFilesThatCannotBeOpened) {
  const TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& file) {
    try {
      static_cast<void>(read_csv(file));
    } catch (const DataError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(folder.path() / "none.csv"), HasSubstr("none.csv: cannot be opened"));
  EXPECT_THAT(message(folder.path()), HasSubstr("is a folder"));
}

TEST(ReadCsv, RefusesOptionsThatAreNotAllowed) {
  EXPECT_THROW(static_cast<void>(read_csv_text("1", {.step = 0.0})), InvalidInput);
  EXPECT_THROW(static_cast<void>(read_csv_text("1", {.step = 1.0}, {.separator = 'x'})),
               InvalidInput);
  EXPECT_THROW(static_cast<void>(read_csv_text("1", {.step = 1.0}, {.decimal_mark = ';'})),
               InvalidInput);
  EXPECT_THROW(static_cast<void>(read_csv_text("1", {.step = 1.0}, {.threads = -1})), InvalidInput);
}

// ---- Large files and pipes -------------------------------------------------------------------

// Lines of random length with comments between them, over many blocks.
std::string random_table(int rows) {
  std::mt19937_64 engine(7);
  std::string text = "a,b,c\n";
  for (int k = 0; k < rows; ++k) {
    if (engine() % 50 == 0) {
      text += "# " + std::string(engine() % 300, '-') + "\n";
    }
    const double value = static_cast<double>(engine()) / 1e15;
    text += fmt::format("{},{:.{}f},{}\n", k, value, engine() % 15, engine() % 7 == 0 ? "" : "5");
  }
  return text;
}

TEST(ReadCsv, IsTheSameForAnyNumberOfThreadsAndFromAFile) {
  const TemporaryFolder folder;
  const std::string text = random_table(100000);
  const std::filesystem::path file = folder.write("big.csv", text);
  const Record one = read_csv_text(text, {.step = 1.0}, {.threads = 1});
  ASSERT_EQ(one.size(), 100000);
  EXPECT_EQ(one.samples()(99999, 0), 99999);
  EXPECT_TRUE(same(read_csv(file, {.step = 1.0}, {.threads = 1}).samples(), one.samples()));
  EXPECT_TRUE(same(read_csv(file, {.step = 1.0}, {.threads = 5}).samples(), one.samples()));
}

TEST(ReadCsv, ReportsTheFirstErrorForAnyNumberOfThreads) {
  std::string text = random_table(100000);
  for (const std::size_t place :
       {std::size_t{700000}, std::size_t{1200000}, std::size_t{2000000}}) {
    text.replace(text.find("\n", place), 1, "\noops\n");
  }
  const std::string expected = message_for(text, {.step = 1.0}, {.threads = 1});
  EXPECT_THAT(expected, HasSubstr("cell 'oops'"));
  for (const int threads : {2, 3, 8}) {
    EXPECT_EQ(message_for(text, {.step = 1.0}, {.threads = threads}), expected);
  }
}

// 75 MB of text hold 24 MB of numbers: the text must not be held, nor the numbers twice. The bound
// is 1.5 times the numbers, of which 12 MB are for blocks, threads and the allocator.
TEST(ReadCsv, StaysWithinTheMemoryOfItsNumbers) {
  if (!test::counts_allocations()) {
    GTEST_SKIP() << "a sanitizer's allocator needs memory of its own";
  }
  std::string line;
  for (int c = 0; c < 10; ++c) {
    line += fmt::format("{}{:.18e}", c > 0 ? "," : "", std::sqrt(2.0 + c));
  }
  std::string block;
  for (int k = 0; k < 1000; ++k) {
    block += line + "\n";
  }
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "large.csv";
  {
    std::ofstream stream(file);
    for (int i = 0; i < 300; ++i) {
      stream << block;
    }
  }
  const test::MemoryPeak peak;
  const Record record = read_csv(file, {.step = 1.0}, {.threads = 2});
  const long long growth = peak.growth();
  const long long numbers = 8 * record.samples().size();
  ASSERT_EQ(numbers, 24000000);
  EXPECT_LE(growth, numbers + numbers / 2);
}

TEST(ReadCsv, ReadsLinesLongerThanABlock) {
  std::string text;
  constexpr int kColumns = 100000;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      text += fmt::format("{}{}", c > 0 ? "," : "", r + c);
    }
    text += "\n";
  }
  const Record record = read_csv_text(text, {.step = 1.0});
  ASSERT_EQ(record.channel_count(), kColumns);
  ASSERT_EQ(record.size(), 3);
  EXPECT_EQ(record.samples()(2, kColumns - 1), kColumns + 1);
}

TEST(ReadCsv, ReadsFromAPipe) {
  const TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = random_table(30000);
  std::jthread writer([&] { std::ofstream(pipe) << text; });
  const Record record = read_csv(pipe, {.step = 1.0});
  EXPECT_TRUE(same(record.samples(), read_csv_text(text, {.step = 1.0}).samples()));
}

TEST(ReadCsvMatrix, ReadsNumbersOnly) {
  const TemporaryFolder folder;
  EXPECT_TRUE(same(read_csv_matrix(folder.write("a.csv", "1.5;2.5\n-3;4e3\n")), kTwoByTwo));
  EXPECT_TRUE(same(read_csv_matrix(folder.write("a.csv", "% K\n1.5 2.5\n -3 4e3")), kTwoByTwo));
  EXPECT_THROW(static_cast<void>(read_csv_matrix(folder.write("b.csv", "a,b\n1,2\n"))), DataError);
  EXPECT_THROW(static_cast<void>(read_csv_matrix(folder.write("c.csv", "1,2\n3,\n"))), DataError);
}

}  // namespace csv_test
}  // namespace alembert::io
