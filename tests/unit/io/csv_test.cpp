#include "alembert/io/csv.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "unit/io/csv_support.hpp"

namespace alembert::io {
namespace csv_test {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

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
           "a b\n1,5 2,5\n-3,0 4000,0\n",  // as many numbers between commas, but no clean row
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

// What spreadsheets, databases and loggers leave in the place of a number; before, "N/A" in one
// cell of a record ended its reading.
TEST(ReadCsv, KnowsTheMissingMarksOfOtherPrograms) {
  for (const char* mark : {"N/A", "#N/A", "n.a.", "null", "NULL", "None", "--", "---", "#NV",
                           "#DIV/0!", "1.#QNAN", "-1.#IND", "-nan(ind)"}) {
    const Record record = read_csv_text(std::string("t,a\n0,1\n1,") + mark + "\n2,3\n3,4\n");
    ASSERT_EQ(record.size(), 4) << mark;
    EXPECT_TRUE(std::isnan(record.samples()(1, 0))) << mark;
    EXPECT_EQ(record.samples()(2, 0), 3.0) << mark;
  }
  // Out of the range of the instrument is no missing sample.
  EXPECT_THAT(message_for("t,a\n0,1\n1,OVER\n2,3\n", {}), HasSubstr("'OVER' is not a number"));
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
  EXPECT_THAT(message(folder.path() / "none.csv"), HasSubstr("none.csv: the file does not exist"));
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

TEST(ReadCsvMatrix, ReadsNumbersOnly) {
  const TemporaryFolder folder;
  EXPECT_TRUE(same(read_csv_matrix(folder.write("a.csv", "1.5;2.5\n-3;4e3\n")), kTwoByTwo));
  EXPECT_TRUE(same(read_csv_matrix(folder.write("a.csv", "% K\n1.5 2.5\n -3 4e3")), kTwoByTwo));
  EXPECT_THROW(static_cast<void>(read_csv_matrix(folder.write("b.csv", "a,b\n1,2\n"))), DataError);
  EXPECT_THROW(static_cast<void>(read_csv_matrix(folder.write("c.csv", "1,2\n3,\n"))), DataError);
}

}  // namespace csv_test
}  // namespace alembert::io
