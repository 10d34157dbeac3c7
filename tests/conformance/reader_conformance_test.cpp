// What every pair of reader and writer of records must do. A new format is one more line in
// kFormats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "alembert/io/csv.hpp"
#include "alembert/io/hdf5.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/io/uff.hpp"
#include "support/data.hpp"
#include "support/records.hpp"

namespace alembert::io {
namespace reader_conformance_test {

using test::data_error_of;
using test::random_record;
using testing::HasSubstr;

struct Format {
  std::string name;
  std::string file;
  std::function<void(const std::filesystem::path&, const signal::Record&)> write;
  std::function<signal::Record(const std::filesystem::path&, const ReadOptions&)> read;
  // Relative rounding of a sample and absolute rounding of a time below 100 s; 0: the same bits.
  double sample_rounding = 0.0;
  double time_rounding = 0.0;
  // A text table that ends early is still a table, of fewer rows.
  bool knows_its_length = true;
};

void PrintTo(const Format& format, std::ostream* stream) { *stream << format.name; }

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"Csv", "r.csv", [](const auto& file, const auto& r) { write_csv(file, r, CsvNotes::Exact); },
       [](const auto& file, const auto& options) { return read_csv(file, options); }, 0.0, 0.0,
       false},
      {"MatV5", "r.mat", [](const auto& file, const auto& r) { write_mat(file, r); },
       [](const auto& file, const auto& options) { return read_mat(file, options).at(0); }},
      {"MatV73", "r.mat",
       [](const auto& file, const auto& r) { write_mat(file, r, MatVersion::V73); },
       [](const auto& file, const auto& options) { return read_mat(file, options).at(0); }},
      {"Hdf5", "r.h5", [](const auto& file, const auto& r) { write_hdf5(file, {r}); },
       [](const auto& file, const auto& options) { return read_hdf5(file, options).at(0); }},
      {"Hdf5Compressed", "r.h5",
       [](const auto& file, const auto& r) { write_hdf5(file, {r}, {.deflate = 6}); },
       [](const auto& file, const auto& options) { return read_hdf5(file, options).at(0); }},
      // 12 digits of a sample in 20 columns, 9 decimals of a time below 100 s in 13 columns.
      {"UffText", "r.uff",
       [](const auto& file, const auto& r) { write_uff(file, {r}, {.binary = false}); },
       [](const auto& file, const auto& options) { return read_uff(file, options).at(0); }, 5e-12,
       5.1e-10},
      {"UffBinary", "r.uff", [](const auto& file, const auto& r) { write_uff(file, {r}); },
       [](const auto& file, const auto& options) { return read_uff(file, options).at(0); }},
  };
  return kFormats;
}

class ReaderConformance : public testing::TestWithParam<Format> {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / GetParam().file; }
  [[nodiscard]] signal::Record read(const ReadOptions& options = {}) const {
    return GetParam().read(file(), options);
  }
  void write(const signal::Record& record) const { GetParam().write(file(), record); }

  [[nodiscard]] testing::AssertionResult same(const signal::Record& actual,
                                              const signal::Record& expected) const {
    const Format& format = GetParam();
    if (format.sample_rounding == 0.0) {
      return test::same_record(actual, expected);
    }
    if (actual.channels() != expected.channels() || actual.title() != expected.title() ||
        actual.size() != expected.size()) {
      return testing::AssertionFailure() << "channels, title or size differ";
    }
    for (Eigen::Index k = 0; k < expected.size(); ++k) {
      if (!(std::abs(actual.time()[k] - expected.time()[k]) <= format.time_rounding)) {
        return testing::AssertionFailure() << "time " << k << ": " << actual.time()[k];
      }
      for (Eigen::Index c = 0; c < expected.channel_count(); ++c) {
        const double is = actual.samples()(k, c);
        const double wanted = expected.samples()(k, c);
        const bool near = std::abs(is - wanted) <= format.sample_rounding * std::abs(wanted);
        if (std::isnan(wanted) ? !std::isnan(is) : !near) {
          return testing::AssertionFailure() << "sample " << k << ", " << c << ": " << is;
        }
      }
    }
    return testing::AssertionSuccess();
  }

  test::TemporaryFolder folder_;
};

TEST_P(ReaderConformance, WriteThenReadGivesTheSameRecord) {
  std::mt19937_64 engine(2024);
  for (int trial = 0; trial < 12; ++trial) {
    const signal::Record record =
        random_record(engine, {.samples = 1 + static_cast<long>(engine() % 180),
                               .channels = 1 + engine() % 5,
                               .uniform = trial % 2 == 0,
                               .odd_names = trial % 4 > 1});
    write(record);
    EXPECT_TRUE(same(read(), record)) << "trial " << trial;
  }
}

TEST_P(ReaderConformance, ManyChannelsKeepTheirOrder) {
  std::vector<signal::Channel> channels;
  Eigen::MatrixXd samples(3, 70);
  for (int c = 0; c < 70; ++c) {
    channels.push_back({"c" + std::to_string(c), "N", ""});
    samples.col(c).setConstant(c);
  }
  const signal::Record record(signal::TimeAxis::uniform(3, 0.5), channels, samples, "many");
  write(record);
  EXPECT_TRUE(same(read(), record));
  const signal::Record two = read({.channels = {"c69", "c2"}});
  ASSERT_EQ(two.channel_count(), 2);
  EXPECT_EQ(two.samples()(0, 0), 69.0);
  EXPECT_EQ(two.samples()(0, 1), 2.0);
}

TEST_P(ReaderConformance, OptionsOverrideTheTimeOfTheFile) {
  const Eigen::MatrixXd samples{{1.0, 7.0}, {2.0, 8.0}, {4.0, 9.0}};
  write({signal::TimeAxis::uniform(3, 0.25, 2.0), {{"a"}, {"b"}}, samples});
  EXPECT_EQ(read().time().start(), 2.0);
  EXPECT_EQ(read({.step = 0.125}).time().step(), 0.125);
  const signal::Record timed = read({.time = "a"});
  EXPECT_EQ(timed.time()[2], 4.0);
  EXPECT_FALSE(timed.find("a"));
  EXPECT_EQ(timed.values("b")(2), 9.0);
}

TEST_P(ReaderConformance, AChannelThatIsTheTimeCountsInItsUnit) {
  const Eigen::MatrixXd samples{{1.0, 7.0}, {2.0, 8.0}, {4.0, 9.0}};
  write({signal::TimeAxis::uniform(3, 0.25, 2.0), {{"a", "ms"}, {"b", "N"}}, samples});
  const signal::Record timed = read({.time = "a"});
  EXPECT_EQ(timed.time()[0], 0.001);
  EXPECT_EQ(timed.time()[2], 0.004);
  const std::string message = data_error_of([&] { (void)read({.time = "b"}); });
  EXPECT_THAT(message, HasSubstr(GetParam().file));
  EXPECT_THAT(message, HasSubstr("the unit 'N' of the time 'b' is not known"));
}

TEST_P(ReaderConformance, UnknownChannelIsNamedWithTheNearest) {
  write({signal::TimeAxis::uniform(2, 1.0), {{"acceleration"}}, Eigen::MatrixXd::Ones(2, 1)});
  const std::string message = data_error_of([&] { (void)read({.channels = {"aceleration"}}); });
  EXPECT_THAT(message, HasSubstr(GetParam().file));
  EXPECT_THAT(message, HasSubstr("'aceleration'"));
  EXPECT_THAT(message, HasSubstr("'acceleration'"));
}

TEST_P(ReaderConformance, MissingFileFolderAndEmptyFileAreNamed) {
  EXPECT_THAT(data_error_of([&] { (void)read(); }), HasSubstr(GetParam().file));
  folder_.write(GetParam().file, "");
  EXPECT_THAT(data_error_of([&] { (void)read(); }), HasSubstr(GetParam().file));
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  EXPECT_THAT(data_error_of([&] { (void)read(); }), HasSubstr(GetParam().file));
}

TEST_P(ReaderConformance, TruncatedFileIsAnErrorThatNamesIt) {
  std::mt19937_64 engine(31);
  write(random_record(engine, {.samples = 60, .channels = 2}));
  const std::string whole = test::read_text(file());
  for (std::size_t part = 0; part < 50; ++part) {
    folder_.write(GetParam().file, whole.substr(0, whole.size() * part / 50));
    const std::string message = data_error_of([&] { EXPECT_LT(read().size(), 60); });
    if (GetParam().knows_its_length || message != "no DataError") {
      EXPECT_THAT(message, HasSubstr(GetParam().file)) << part;
    }
  }
}

TEST_P(ReaderConformance, AnythingElseIsAnErrorThatNamesTheFile) {
  std::mt19937_64 engine(32);
  for (int trial = 0; trial < 20; ++trial) {
    std::string bytes(1 + engine() % 2000, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(engine());
    }
    folder_.write(GetParam().file, bytes);
    EXPECT_THAT(data_error_of([&] { (void)read(); }), HasSubstr(GetParam().file)) << trial;
  }
}

TEST_P(ReaderConformance, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::mt19937_64 engine(33);
  write(random_record(engine, {}));
  (void)read();
  folder_.write(GetParam().file, test::read_text(file()).substr(0, 700));
  (void)data_error_of([&] { (void)read(); });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_P(ReaderConformance, WritingReplacesTheFileAndLeavesNothingBeside) {
  std::mt19937_64 engine(34);
  write(random_record(engine, {.samples = 500}));
  const signal::Record record = random_record(engine, {.samples = 20});
  write(record);
  EXPECT_TRUE(same(read(), record));
  const auto entries = std::filesystem::directory_iterator(folder_.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST_P(ReaderConformance, WritingToAnImpossiblePlaceIsNamed) {
  const signal::Record record(signal::TimeAxis::uniform(1, 1.0), {{"a"}},
                              Eigen::MatrixXd::Ones(1, 1));
  const auto nowhere = folder_.path() / "no" / GetParam().file;
  EXPECT_THAT(data_error_of([&] { GetParam().write(nowhere, record); }),
              HasSubstr(GetParam().file));
  EXPECT_THAT(data_error_of([&] { GetParam().write(folder_.path(), record); }),
              HasSubstr(folder_.path().filename().string()));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

INSTANTIATE_TEST_SUITE_P(Formats, ReaderConformance, testing::ValuesIn(formats()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace reader_conformance_test
}  // namespace alembert::io
