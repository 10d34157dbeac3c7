#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <tuple>

#include "alembert/io/hdf5.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "support/records.hpp"
#include "unit/io/hdf5_support.hpp"

namespace alembert::io {
namespace hdf5_test {

using test::data_error_of;
using test::message_of;
using test::random_record;
using test::same_record;
using testing::ElementsAre;
using testing::HasSubstr;

// A file that claims to be of our own, to be broken on purpose; a channel a of three samples.
class ClaimedFile : public ForeignFile {
 public:
  explicit ClaimedFile(const std::filesystem::path& path, double records = 1.0,
                       double channels = 1.0, double column = 1.0)
      : ForeignFile(path) {
    array<double>("record_1/a", {3}, H5T_NATIVE_DOUBLE, {1, 2, 3});
    text("/", "format", "alembert records").number("/", "records", records);
    text("record_1/a", "name", "a").number("record_1/a", "column", column);
    number("record_1", "channels", channels);
  }
};

TEST_F(Hdf5, BrokenFilesOfOurOwnAreNamed) {
  const auto uniform = [](ForeignFile& file) {
    file.number("record_1", "samples", 3.0).number("record_1", "step", 0.5);
    file.number("record_1", "start", 0.0).close();
  };
  const auto message = [&] { return data_error_of([&] { (void)read_hdf5(path("f.h5")); }); };
  {
    ClaimedFile file(path("f.h5"));
    uniform(file);
  }
  EXPECT_EQ(read_hdf5(path("f.h5")).at(0).samples()(2, 0), 3.0);
  for (const double records : {std::nan(""), -1.0, 1.5}) {
    ClaimedFile file(path("f.h5"), records);
    uniform(file);
    EXPECT_THAT(message(), HasSubstr("f.h5: '/': attribute records is not a count"));
  }
  // Counting up to these would not end.
  for (const double records : {2.0, 1e18, 1e300, std::numeric_limits<double>::infinity()}) {
    ClaimedFile file(path("f.h5"), records);
    uniform(file);
    EXPECT_THAT(message(), HasSubstr("'record_2': is missing"));
  }
  for (const double column : {std::nan(""), 1e300}) {
    ClaimedFile file(path("f.h5"), 1.0, 1.0, column);
    uniform(file);
    EXPECT_THAT(message(), HasSubstr("has 0 of 1 channels"));
  }
  {
    ClaimedFile file(path("f.h5"), 1.0, 2.0);
    uniform(file);
  }
  EXPECT_THAT(message(), HasSubstr("has 1 of 2 channels"));
}

// Numbers of more dimensions than a matrix would be written far behind its buffer.
TEST_F(Hdf5, TimesOfOurOwnMustBeAMatrixOfNumbers) {
  const auto message = [&] { return data_error_of([&] { (void)read_hdf5(path("f.h5")); }); };
  {
    ClaimedFile file(path("f.h5"));
    file.array<double>("record_1/time", {3, 1, 20000}, H5T_NATIVE_DOUBLE,
                       std::vector<double>(60000, 1.0));
  }
  EXPECT_THAT(message(), HasSubstr("f.h5: 'record_1/time': must be numbers with one or two "
                                   "dimensions, is double with 3"));
  {
    const hid_t text = H5Tcopy(H5T_C_S1);
    ClaimedFile file(path("f.h5"));
    file.array<char>("record_1/time", {3}, text, {'a', 'b', 'c'});
    H5Tclose(text);
  }
  EXPECT_THAT(message(), HasSubstr("'record_1/time': must be numbers"));
  {
    ClaimedFile file(path("f.h5"));
    file.array<double>("record_1/time", {2, 3}, H5T_NATIVE_DOUBLE, {1, 2, 3, 4, 5, 6});
  }
  EXPECT_THAT(message(), HasSubstr("f.h5"));
}

TEST_F(Hdf5, OneChannelOfARecordOfOurOwn) {
  const Eigen::MatrixXd samples{{1, 2}, {3, 4}, {5, 6}};
  for (const signal::TimeAxis& axis :
       {signal::TimeAxis::uniform(3, 0.5), signal::TimeAxis::given(Eigen::Vector3d(0, 1, 5))}) {
    write_hdf5(path("r.h5"), {{axis, {{"a"}, {"b", "m"}}, samples, "run"}});
    const signal::Record record = read_hdf5(path("r.h5"), {.dataset = "record_1/b"}).at(0);
    EXPECT_TRUE(same_record(record, {axis, {{"b", "m"}}, samples.col(1), "run"}));
  }
}

TEST_F(Hdf5, AClaimedSizeThatTheFileCannotHoldIsRefused) {
  {
    const hid_t file = H5Fcreate(path("h.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t size = 1'000'000'000'000;
    const hsize_t chunk = 1000;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &chunk);
    H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(file);
  }
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5_matrix(path("h.h5")); }),
              HasSubstr("h.h5: 'x': a size of 1000000000000 x 1 is not believable"));
}

TEST_F(Hdf5, TruncatedAnywhereIsAnErrorThatNamesTheFile) {
  std::mt19937_64 engine(5);
  for (const int deflate : {0, 6}) {
    write_hdf5(path("r.h5"), {random_record(engine, {.samples = 300})}, {.deflate = deflate});
    const std::string whole = test::read_text(path("r.h5"));
    for (int part = 0; part < 40; ++part) {
      const std::size_t length = whole.size() * static_cast<std::size_t>(part) / 40;
      const auto cut = folder_.write("cut.h5", whole.substr(0, length));
      EXPECT_THAT(data_error_of([&] { (void)read_hdf5(cut); }),
                  HasSubstr("cut.h5: is not a readable HDF5 file"))
          << length;
    }
  }
}

TEST_F(Hdf5, RefusesWhatCannotBeWritten) {
  const signal::Record record(signal::TimeAxis::uniform(1, 1.0), {{"a"}},
                              Eigen::MatrixXd::Ones(1, 1));
  EXPECT_THAT(message_of([&] { write_hdf5(path("r.h5"), {record}, {.deflate = 10}); }),
              HasSubstr("write_hdf5: deflate"));
  EXPECT_THAT(message_of([&] { write_hdf5(path("r.h5"), {}); }), HasSubstr("got none"));
  const signal::Record zero(signal::TimeAxis::uniform(1, 1.0), {{std::string("a\0b", 3)}},
                            Eigen::MatrixXd::Ones(1, 1));
  EXPECT_THAT(message_of([&] { write_hdf5(path("r.h5"), {zero}); }),
              HasSubstr("name must not hold a zero byte"));
  EXPECT_THAT(message_of([&] { write_hdf5_matrix(path("r.h5"), Eigen::MatrixXd::Ones(1, 1), ""); }),
              HasSubstr("dataset must be the path"));
  EXPECT_THAT(data_error_of([&] { write_hdf5(folder_.path() / "no" / "r.h5", {record}); }),
              HasSubstr("no folder"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Hdf5, PrintsNothingAndKeepsTheCallersErrorHandler) {
  testing::internal::CaptureStderr();
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(folder_.write("x.h5", "no hdf5 at all")); }),
              HasSubstr("x.h5: is not a readable HDF5 file"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5E_auto2_t handler = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &handler, &data);
  EXPECT_NE(handler, nullptr);
}

}  // namespace hdf5_test
}  // namespace alembert::io
