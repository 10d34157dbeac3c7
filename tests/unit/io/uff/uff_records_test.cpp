// Universal files as records: grouping, names, time axes, round trips, real files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "alembert/io/uff.hpp"
#include "support/allocations.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/memory_peak.hpp"
#include "support/records.hpp"
#include "unit/io/uff/uff_sample.hpp"

namespace alembert::io {
namespace uff_records_test {

using test::data_error_of;
using test::kEps;
using test::random_record;
using test::same_record;
using testing::HasSubstr;
using Sample = test::UffSample;

TEST(UffRecords, BinaryWriteThenReadGivesTheSameBits) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "r.uff";
  std::mt19937_64 engine(20240611);
  for (int trial = 0; trial < 60; ++trial) {
    signal::Records records;
    for (std::uint64_t r = 0; r <= engine() % 3; ++r) {
      records.push_back(random_record(engine, {.samples = 1 + static_cast<long>(engine() % 1000),
                                               .channels = 1 + engine() % 5,
                                               .uniform = engine() % 2 == 0,
                                               .odd_names = engine() % 2 == 0}));
    }
    write_uff(file, records, {.big_endian = trial % 2 == 0});
    const signal::Records back = read_uff(file);
    ASSERT_EQ(back.size(), records.size()) << trial;
    for (std::size_t r = 0; r < records.size(); ++r) {
      EXPECT_TRUE(same_record(back[r], records[r])) << "trial " << trial << ", record " << r;
    }
  }
}

TEST(UffRecords, TextWriteThenReadKeepsTwelveDigits) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "r.uff";
  std::mt19937_64 engine(11);
  for (int trial = 0; trial < 20; ++trial) {
    const signal::Record record =
        random_record(engine, {.samples = 1 + static_cast<long>(engine() % 1000),
                               .uniform = trial % 2 == 0,
                               .odd_names = true});
    write_uff(file, {record}, {.binary = false});
    const signal::Record back = read_uff(file).at(0);
    EXPECT_EQ(back.channels(), record.channels());
    EXPECT_EQ(back.title(), record.title());
    if (trial % 2 == 0) {
      EXPECT_EQ(back.time().step(), record.time().step());
      EXPECT_EQ(back.time().start(), record.time().start());
    }
    for (Eigen::Index k = 0; k < record.size(); ++k) {
      // Times below 1000 s in 12 columns: 8 digits behind the point.
      EXPECT_NEAR(back.time()[k], record.time()[k], 5.1e-9 * std::max(1.0, record.time()[k]));
      for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
        const double value = record.samples()(k, c);
        const double read = back.samples()(k, c);
        EXPECT_TRUE(std::isnan(value) ? std::isnan(read)
                                      : std::abs(read - value) <= 5e-12 * std::abs(value));
      }
    }
  }
}

TEST(UffRecords, GroupsByAxisAndNamesByResponse) {
  const test::TemporaryFolder folder;
  Sample first;
  Sample second;
  second.ids = "Point 1\nRun 7\nNONE\nNONE\nNONE\n";
  second.dof = "    1         3    2         0 NONE              13   1 NONE               0   0\n";
  Sample longer;
  longer.form = "         2         2         1  5.00000E-01  5.00000E-01  0.00000E+00\n";
  longer.abscissa = "        17    0    0    0 Time                 ms\n";
  const auto file = folder.write(
      "g.uff", first.text() + second.text() + first.text() + second.text() + longer.text());
  const signal::Records records = read_uff(file);
  ASSERT_EQ(records.size(), 3U);
  for (const std::size_t r : {0U, 1U}) {
    EXPECT_EQ(records[r].channels()[0], (signal::Channel{"wing 12:-Y", "m/s^2", "Point 1"}));
    EXPECT_EQ(records[r].channels()[1].name, "13:+X");
    EXPECT_EQ(records[r].title(), "Run 7");
    EXPECT_EQ(records[r].time().start(), 0.5);
  }
  EXPECT_EQ(records[2].channels()[0], (signal::Channel{"Point 1", "m/s^2", "Acceleration"}));
  EXPECT_NEAR(records[2].time().step(), 5e-4, kEps * 5e-4);
  EXPECT_EQ(read_uff(file, {.channels = {"13:+X"}}).size(), 2U);
  EXPECT_EQ(read_uff(file, {.channels = {"13:+X"}})[1].channel_count(), 1);
  EXPECT_EQ(read_uff(file, {.step = 2.0})[0].time().step(), 2.0);
  EXPECT_EQ(read_uff(file, {.dataset = "Run 7"}).size(), 3U);
  EXPECT_THAT(data_error_of([&] { (void)read_uff(file, {.channels = {"13:+Y"}}); }),
              HasSubstr("no channel '13:+Y'; did you mean '13:+X'?"));
  EXPECT_THAT(data_error_of([&] { (void)read_uff(file, {.dataset = "Run 8"}); }),
              HasSubstr("no record titled 'Run 8'"));
}

TEST(UffRecords, TheTimeAxisMustBeUsable) {
  const test::TemporaryFolder folder;
  Sample standing;
  standing.form = "         2         2         1  5.00000E-01  0.00000E+00  0.00000E+00\n";
  const auto zero = folder.write("z.uff", standing.text());
  EXPECT_THAT(data_error_of([&] { (void)read_uff(zero); }),
              HasSubstr("z.uff:2: abscissa must give a positive step"));
  EXPECT_EQ(read_uff(zero, {.step = 0.1})[0].time().step(), 0.1);
  Sample fortnights;
  fortnights.abscissa = "        17    0    0    0 Time                 fortnight\n";
  EXPECT_THAT(data_error_of([&] { (void)read_uff(folder.write("f.uff", fortnights.text())); }),
              HasSubstr("unit 'fortnight' of the time axis is not known"));
  Sample spectrum;
  spectrum.dof[4] = '4';
  EXPECT_THAT(data_error_of([&] { (void)read_uff(folder.write("s.uff", spectrum.text())); }),
              HasSubstr("only functions of type 4"));
}

TEST(UffRecords, TruncatedAnywhereIsAnErrorThatNamesTheFile) {
  const test::TemporaryFolder folder;
  std::mt19937_64 engine(5);
  for (const bool binary : {true, false}) {
    const auto file = folder.path() / "whole.uff";
    signal::Records records;
    records.push_back(random_record(engine, {.samples = 40, .channels = 2}));
    records.push_back(random_record(engine, {.samples = 10, .channels = 1}));
    write_uff(file, records, {.binary = binary});
    const std::string whole = test::read_text(file);
    std::set<std::size_t> lengths;
    for (std::size_t length = 0; length + 1 < whole.size(); length += 97) {
      lengths.insert(length);
    }
    // Behind each dataset: well-formed, but not all that was written.
    for (std::size_t at = 0; (at = whole.find("    -1\n    58", at + 1)) != std::string::npos;) {
      lengths.insert({at - 1, at, at + 6, at + 7});
    }
    for (const std::size_t length : lengths) {
      const auto cut = folder.write("cut.uff", whole.substr(0, length));
      EXPECT_THAT(data_error_of([&] { (void)read_uff(cut); }), HasSubstr("cut.uff"))
          << "binary " << binary << ", " << length << " of " << whole.size();
    }
  }
}

TEST(UffRecords, ErrorsBehindBinaryDataAreBytes) {
  const test::TemporaryFolder folder;
  std::mt19937_64 engine(5);
  const auto file = folder.path() / "whole.uff";
  write_uff(file, {random_record(engine, {.samples = 10, .channels = 1})});
  const std::string text = test::read_text(file);
  EXPECT_THAT(data_error_of([&] { (void)parse_uff(text + "garbage\n", "b.uff"); }),
              HasSubstr(fmt::format("b.uff: byte {}: not a universal file", text.size())));
  EXPECT_THAT(
      data_error_of([&] { (void)parse_uff(text.substr(0, text.size() - 20), "b.uff"); }),
      testing::MatchesRegex("b.uff: byte [0-9]+: the 10 points of dataset 58b need 80 bytes.*"));
}

// The equipment's two files hold the same measurement, text rounded to 6 digits.
// 24 MB of numbers in ten functions: the file, the functions and the record must not be held at the
// same time. The bound leaves room for one function beside the record and for the allocator.
TEST(UffRecords, StaysWithinTheMemoryOfItsNumbers) {
  if (!test::counts_allocations()) {
    GTEST_SKIP() << "a sanitizer's allocator needs memory of its own";
  }
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "r.uff";
  std::vector<signal::Channel> channels;
  for (int c = 0; c < 10; ++c) {
    channels.push_back({"c" + std::to_string(c)});
  }
  Eigen::MatrixXd samples(300000, 10);
  for (Eigen::Index k = 0; k < samples.size(); ++k) {
    samples(k) = static_cast<double>(k);
  }
  write_uff(file, {{signal::TimeAxis::uniform(300000, 1e-3), channels, samples}});
  const test::MemoryPeak peak;
  const signal::Records records = read_uff(file);
  const long long growth = peak.growth();
  EXPECT_EQ(records.at(0).samples(), samples);
  EXPECT_LE(growth, 24000000 + 12000000);
}

TEST(UffSamples, EquipmentTextAndBinaryAgree) {
  ALEMBERT_REQUIRE_DATA(text_file, "pyuff/Sample_UFF58_ascii.uff");
  ALEMBERT_REQUIRE_DATA(binary_file, "pyuff/Sample_UFF58b_bin.uff");
  const signal::Record text = read_uff(text_file).at(0);
  const signal::Record binary = read_uff(binary_file).at(0);
  ASSERT_EQ(text.size(), 79292);
  ASSERT_EQ(binary.size(), 79292);
  EXPECT_EQ(text.channels()[0], (signal::Channel{"Mic 01.0Scalar", "Pa", "Pressure"}));
  EXPECT_EQ(binary.channels(), text.channels());
  EXPECT_EQ(text.time().step(), 1.52588e-05);
  EXPECT_EQ(text.samples()(0, 0), -1.47553e-02);
  const Eigen::ArrayXd error = (text.samples() - binary.samples()).col(0).array().abs();
  const Eigen::ArrayXd bound = 5.1e-6 * binary.samples().col(0).array().abs();
  EXPECT_TRUE((error <= bound).all());
}

TEST(UffSamples, FileWithoutFunctionsSaysWhatItHolds) {
  ALEMBERT_REQUIRE_DATA(file, "pyuff/TestLab 161 164 18 15 82.uff");
  EXPECT_TRUE(read_uff_functions(file).empty());
  EXPECT_THAT(data_error_of([&] { (void)read_uff(file); }),
              HasSubstr("holds no functions (dataset 58), only datasets 15, 18, 82, 151, 164"));
}

}  // namespace uff_records_test
}  // namespace alembert::io
