#include "alembert/io/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "alembert/core/error.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"

namespace alembert::io {
namespace table_test {

namespace fs = std::filesystem;
using signal::Record;
using signal::TimeAxis;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

Record small_record() {
  return {TimeAxis::uniform(4, 0.25, 1.0),
          {{"F", "N"}, {"x", "m"}},
          (Eigen::MatrixXd(4, 2) << 1, 0.1, 2, 0.2, 3, 0.3, 4, 0.4).finished()};
}

std::string message_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Table, EveryFormatGivesTheRecordBack) {
  const TemporaryFolder folder;
  const Record record = small_record();
  for (const std::string ending :
       {"csv", "txt", "dat", "tsv", "mat", "h5", "hdf5", "uff", "unv", "CSV", "Mat"}) {
    const fs::path file = folder.path() / ("record." + ending);
    write_record(file, record);
    const Record back = read_record(file);
    EXPECT_EQ(back.samples(), record.samples()) << ending;
    EXPECT_EQ(back.time().step(), 0.25) << ending;
    EXPECT_EQ(back.time().start(), 1.0) << ending;
    EXPECT_EQ(back.channels()[0].name, "F") << ending;
    EXPECT_EQ(back.channels()[1].unit, "m") << ending;
    EXPECT_EQ(read_record(file, {.channels = {"x"}}).channel_count(), 1) << ending;
  }
}

TEST(Table, EveryFormatGivesTheMatrixBack) {
  const TemporaryFolder folder;
  const Eigen::MatrixXd matrix = (Eigen::MatrixXd(2, 3) << 1, 2, 3, 0.1, -5, 1e-9).finished();
  for (const std::string ending : {"csv", "dat", "mat", "h5", "mtx"}) {
    const fs::path file = folder.path() / ("k." + ending);
    write_matrix(file, matrix);
    EXPECT_EQ(read_matrix(file), matrix) << ending;
  }
}

TEST(Table, KnowsFormatsByTheirContent) {
  const TemporaryFolder folder;
  const Record record = small_record();
  for (const std::string ending : {"csv", "mat", "h5", "uff"}) {
    write_record(folder.path() / ("a." + ending), record);
    for (const std::string other : {"a.dat", "a.txt", "a.measurement", "a"}) {
      fs::rename(folder.path() / ("a." + ending), folder.path() / other);
      EXPECT_EQ(read_record(folder.path() / other).samples(), record.samples())
          << ending << " as " << other;
      fs::rename(folder.path() / other, folder.path() / ("a." + ending));
    }
  }
  write_matrix(folder.path() / "k.mtx", record.samples());
  fs::rename(folder.path() / "k.mtx", folder.path() / "k.txt");
  EXPECT_EQ(read_matrix(folder.path() / "k.txt"), record.samples());
}

TEST(Table, AMatrixIsARecordWithAStep) {
  const TemporaryFolder folder;
  write_matrix(folder.path() / "k.mtx", small_record().samples());
  const Record record = read_record(folder.path() / "k.mtx", {.step = 0.5});
  EXPECT_EQ(record.samples(), small_record().samples());
  EXPECT_EQ(record.channels()[1].name, "c2");
  EXPECT_THAT(message_of([&] { static_cast<void>(read_record(folder.path() / "k.mtx")); }),
              AllOf(HasSubstr("k.mtx"), HasSubstr("give the step")));
}

TEST(Table, NamesFilesThatAreNotThere) {
  EXPECT_THAT(message_of([] { static_cast<void>(read_records("nowhere/a.csv")); }),
              AllOf(HasSubstr("nowhere/a.csv"), HasSubstr("does not exist")));
  EXPECT_THAT(message_of([] { static_cast<void>(read_matrix("nowhere/a.mtx")); }),
              HasSubstr("does not exist"));
}

TEST(Table, ListsTheKnownEndings) {
  const TemporaryFolder folder;
  const fs::path words = folder.write("study.toml", "title = \"a\"\n[data]\nfile = \"b\"\n");
  const auto is_helpful = AllOf(HasSubstr("'.toml'"), HasSubstr(".csv"), HasSubstr(".hdf5"));
  EXPECT_THAT(message_of([&] { static_cast<void>(read_record(words)); }), is_helpful);
  EXPECT_THAT(message_of([&] { write_record(words, small_record()); }), is_helpful);
  EXPECT_THAT(message_of([&] { write_matrix(folder.path() / "k", Eigen::MatrixXd::Ones(2, 2)); }),
              HasSubstr("no ending"));
}

TEST(Table, RefusesWhatAFormatCannotHold) {
  const TemporaryFolder folder;
  const fs::path mtx = folder.path() / "a.mtx";
  const fs::path uff = folder.path() / "a.uff";
  EXPECT_THAT(message_of([&] { write_record(mtx, small_record()); }), HasSubstr("names and times"));
  EXPECT_THAT(message_of([&] { write_matrix(uff, Eigen::MatrixXd::Ones(2, 2)); }),
              HasSubstr("cannot hold a matrix"));
  write_record(uff, small_record());
  EXPECT_THAT(message_of([&] { static_cast<void>(read_matrix(uff)); }), HasSubstr("no matrix"));
  const fs::path csv = folder.write("a.csv", "1,2\n");
  EXPECT_THAT(message_of([&] { static_cast<void>(read_matrix(csv, "K")); }),
              HasSubstr("no data set 'K'"));
  EXPECT_THAT(
      message_of([&] { static_cast<void>(read_record(csv, {.step = 1.0, .dataset = "K"})); }),
      HasSubstr("no data set 'K'"));
}

}  // namespace table_test
}  // namespace alembert::io
