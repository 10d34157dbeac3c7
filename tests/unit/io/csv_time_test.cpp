#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "unit/io/csv_support.hpp"

namespace alembert::io {
namespace csv_test {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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

// A count of milliseconds taken for seconds makes a frequency a thousandth of what it is, and
// nothing else shows it.
TEST(ReadCsv, AUnitAloneIsATimeInThatUnit) {
  for (const auto& [name, step] : std::vector<std::pair<std::string, double>>{{"ms", 0.002},
                                                                              {"MS", 0.002},
                                                                              {"millis", 0.002},
                                                                              {"us", 2e-6},
                                                                              {"micros", 2e-6},
                                                                              {"seconds", 2.0}}) {
    EXPECT_EQ(read_csv_text(name + ",a\n4,1\n6,2\n8,3\n").time().step(), step) << name;
    EXPECT_EQ(read_csv_text("a," + name + "\n1,4\n2,6\n3,8\n", {.time = name}).time().step(), step)
        << name;
  }
  // Chosen by the user, a count may have any name before its unit.
  EXPECT_EQ(read_csv_text("tick_us,a\n4,1\n6,2\n8,3\n", {.time = "tick_us"}).time().step(), 2e-6);
  // Letters that are quantities too are none.
  EXPECT_THAT(message_for("s,a\n4,1\n6,2\n", {}), HasSubstr("first column is 's', not a time"));
  EXPECT_EQ(read_csv_text("x_min,a\n4,1\n6,2\n8,3\n", {.time = "x_min"}).time().step(), 2.0);
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
              AllOf(StartsWith("run1.csv:5:1: time 2 s does not come after 2 s"),
                    HasSubstr("rows share them, give the step")));
  EXPECT_THAT(message_for("t,a\n65533,1\n65535,2\n1,3\n", {}), HasSubstr("a counter begins anew"));
  EXPECT_THAT(message_for("a,t\n0,1\n1,\n", {.time = "t"}),
              StartsWith("run1.csv:3:3: the cell is missing (column 't')"));
  EXPECT_THAT(message_for("t,a\n0,1\ninf,1\n", {}), HasSubstr("run1.csv:3:1: the time 't' is not"));
  EXPECT_THAT(message_for("t [week],a\n0,1\n1,1\n", {}), HasSubstr("unit 'week'"));
}

// Names that loggers give the time, each with the step that 0, 2, 4 stands for.
TEST(ReadCsv, RecognisesTheTimeOfLoggers) {
  for (const auto& [name, step] :
       std::vector<std::pair<std::string, double>>{{"Zeit [s]", 2.0},
                                                   {"time_s", 2.0},
                                                   {"t_ms", 0.002},
                                                   {"Timestamp", 2.0},
                                                   {"TIME_us", 2e-6},
                                                   {"Temps (ms)", 0.002}}) {
    const Record record = read_csv_text(name + ",a\n0,1\n2,2\n4,3\n");
    EXPECT_EQ(record.time().step(), step) << name;
    EXPECT_EQ(names(record), std::vector<std::string>{"a"}) << name;
  }
  for (const std::string name : {"torque_s", "t_max", "time_zone"}) {
    EXPECT_THAT(message_for(name + ",a\n0,1\n2,2\n", {}), HasSubstr("not a time")) << name;
  }
}

// 1.7e12 ms since 1970 are the year 2023; taken for seconds they would be the year 55000.
TEST(ReadCsv, CountsSince1970NeedTheirUnit) {
  const std::string rows = "1700000000000,1\n1700000000002,2\n1700000000004,3\n";
  EXPECT_THAT(message_for("Timestamp,a\n" + rows, {}), HasSubstr("has no unit"));
  EXPECT_EQ(read_csv_text("Timestamp [ms],a\n" + rows).time().median_step(), 0.002);
}

TEST(ReadCsv, LinesBeforeTheHeaderArePassedOver) {
  const std::string table = "t [s];a [g];b\n0;1;2\n1;3;4\n2;5;6\n";
  const std::string preamble = "Logger X200\nSerial;1234\nOperator: nobody\n\nRate;100;Hz;fast\n";
  const Record record = read_csv_text(preamble + table);
  EXPECT_EQ(names(record), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(record.channels()[0].unit, "g");
  EXPECT_EQ(record.size(), 3);
  // Longer than the sample of lines that is looked at first; a line of units.
  std::string many;
  for (int k = 0; k < 60; ++k) {
    many += fmt::format("setting {} = on\n", k);
  }
  const Record units = read_csv_text(many + "t;a;b\ns;g;N\n0;1;2\n1;3;4\n");
  EXPECT_EQ(units.channels()[1].unit, "N");
  EXPECT_EQ(units.size(), 2);
}

// Times that were counted in single precision, far from zero, as they are printed: in nine digits,
// in the fewest, or with all digits of the double that holds them.
TEST(ReadCsv, TimesInSinglePrecisionAreEven) {
  for (const char* form : {"{:.9g},{}\n", "{},{}\n"}) {
    std::string single = "t,a\n";
    std::string held = single;
    std::string uneven = single;
    for (int k = 0; k < 4000; ++k) {
      const auto t = static_cast<float>(k) * 0.002F + 50.0F;
      single += fmt::format(fmt::runtime(form), t, k);
      held += fmt::format("{},{}\n", static_cast<double>(t), k);
      uneven += fmt::format(fmt::runtime(form), k == 2000 ? t + 1e-4F : t, k);
    }
    for (const std::string& text : {single, held}) {
      const Record record = read_csv_text(text);
      ASSERT_TRUE(record.time().is_uniform()) << form;
      EXPECT_EQ(record.time().step(), 0.002) << form;
    }
    EXPECT_FALSE(read_csv_text(uneven).time().is_uniform()) << form;
  }
}

// Dates and times of day count from the first sample; all forms say the same.
TEST(ReadCsv, ReadsTimesOfTheCalendar) {
  for (const std::string text :
       {"Timestamp,a\n2024-05-03T12:00:00.000,1\n2024-05-03T12:00:00.250,2\n"
        "2024-05-03T12:00:00.500,4\n",
        "when,a\n2024-02-28T23:59:59.75Z,1\n2024-02-29T01:00:00+01:00,2\n"
        "2024-02-28T19:00:00.25-0500,4\n",
        "Datum;a\n31.12.2024 23:59:59,75;1\n01.01.2025 00:00:00,00;2\n"
        "01.01.2025 00:00:00,25;4\n",
        "Date,Time,a\n2024/05/03,12:00:00.000,1\n2024/05/03,12:00:00.250,2\n"
        "2024/05/03,12:00:00.500,4\n",
        "Date Time a\n2024-05-03 23:59:59.75 1\n2024-05-04 00:00:00 2\n"
        "2024-05-04 00:00:00.25 4\n",
        "clock,a\n23:59:59.750,1\n00:00:00.000,2\n00:00:00.250,4\n",
        "2024-05-03 12:00:00.000;1\n2024-05-03 12:00:00.250;2\n2024-05-03 12:00:00.500;4\n"}) {
    const Record record = read_csv_text(text);
    ASSERT_EQ(record.channel_count(), 1) << text;
    ASSERT_TRUE(record.time().is_uniform()) << text;
    EXPECT_EQ(record.time().start(), 0.0) << text;
    EXPECT_EQ(record.time().step(), 0.25) << text;
    EXPECT_TRUE(same(record.samples().col(0), Eigen::Vector3d(1, 2, 4))) << text;
  }
}

// Microseconds at a rate of 10 kHz, over a minute.
TEST(ReadCsv, TimesOfTheCalendarKeepTheirDigits) {
  std::string text = "t,a\n";
  for (int k = 0; k < 12000; ++k) {
    const int micro = 100 * k;
    const int second = 59 + micro / 1000000;
    text += fmt::format("2024-12-{}T{}:{:02}.{:06},{}\n", 31, second < 60 ? "22:59" : "23:00",
                        second % 60, micro % 1000000, k);
  }
  const Record record = read_csv_text(text);
  ASSERT_TRUE(record.time().is_uniform());
  EXPECT_EQ(record.time().step(), 1e-4);
}

TEST(ReadCsv, BrokenTimesOfTheCalendarAreNamed) {
  const std::string head = "t,a\n2024-05-03T12:00:00,1\n";
  EXPECT_THAT(message_for(head + "2024-13-03T12:00:00,1\n", {}), HasSubstr("run1.csv:3:1"));
  EXPECT_THAT(message_for(head + "2024-05-03T12:61:00,1\n", {}), HasSubstr("run1.csv:3:1"));
  EXPECT_THAT(message_for(head + "2024-05-03,1\n", {}), HasSubstr("run1.csv:3:1"));
  EXPECT_THAT(message_for(head + "2024-05-03T11:59:59,1\n", {}), HasSubstr("does not come after"));
  // Of these nobody knows the month.
  EXPECT_THAT(message_for("t,a\n03/05/2024 12:00:00,1\n03/05/2024 12:00:01,2\n", {}),
              HasSubstr("run1.csv:"));
  // In other columns they are no numbers.
  EXPECT_THAT(message_for("t,a,b\n0,1,2\n1,12:00:00,3\n", {}), HasSubstr("'12:00:00'"));
}

// A header that does not fit its rows stays an error, whatever stands above it.
TEST(ReadCsv, HeaderThatDoesNotFitIsNoPreamble) {
  EXPECT_THAT(message_for("t,a\n0,1,2\n1,3,4\n", {}), HasSubstr("run1.csv:2"));
  EXPECT_THAT(message_for("Logger\nt,a\n0,1,2\n1,3,4\n", {}), HasSubstr("run1.csv:"));
}

// The line must be right far into a file of many blocks, too.
TEST(ReadCsv, NamesTheLineInALongFile) {
  std::string text = "t,a\n";
  for (int k = 0; k < 200000; ++k) {
    text += fmt::format("{},{}\n", k == 170000 ? 7 : k, k);
  }
  EXPECT_THAT(message_for(text, {}), StartsWith("run1.csv:170002:1: time 7 s"));
}

}  // namespace csv_test
}  // namespace alembert::io
