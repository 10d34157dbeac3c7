// What every reader refuses: what is no file, what takes too much memory, what no instrument gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <random>

#include "alembert/io/csv.hpp"
#include "alembert/io/hdf5.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/io/table.hpp"
#include "alembert/io/text_file.hpp"
#include "io/confined/read_confined.hpp"
#include "support/data.hpp"
#include "support/records.hpp"
#include "unit/io/hdf5_support.hpp"

namespace alembert::io {
namespace safe_reading_test {

using hdf5_test::ForeignFile;
using test::data_error_of;
using testing::HasSubstr;

// What small files get.
const TimeLimits kTime = time_limits(100);

class SafeReading : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_.path() / name;
  }
  [[nodiscard]] std::string error_of(const std::string& name,
                                     const ReadOptions& options = {}) const {
    return data_error_of([&] { (void)read_records(path(name), options); });
  }
  test::TemporaryFolder folder_;
};

// A reader that opened them plainly would wait for ever, or read without end.
TEST_F(SafeReading, PipesDevicesSocketsAndFoldersAreRefusedAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string ending : {".csv", ".txt", ".mat", ".h5", ".uff", ".mtx", ""}) {
    ASSERT_EQ(mkfifo(path("pipe" + ending).c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", path("zero" + ending));
    std::filesystem::create_directory(path("folder" + ending));
    EXPECT_THAT(error_of("pipe" + ending), HasSubstr("is a pipe, not a file"));
    EXPECT_THAT(error_of("zero" + ending), HasSubstr("is a device, not a file"));
    EXPECT_THAT(error_of("folder" + ending), HasSubstr("is a folder, not a file"));
    EXPECT_THAT(data_error_of([&] { (void)read_matrix(path("pipe" + ending)); }),
                HasSubstr("is a pipe"));
  }
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  path("socket.csv").string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_THAT(error_of("socket.csv"), HasSubstr("is a socket, not a file"));
  close(listener);
  EXPECT_THAT(data_error_of([&] { (void)read_text_file(path("pipe.csv")); }),
              HasSubstr("is a pipe"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(SafeReading, TheLimitOfMemoryIsNamed) {
  std::string text = "t,a\n";
  for (int k = 0; k < 1000; ++k) text += std::to_string(k) + ",1\n";
  folder_.write("r.csv", text);
  const ReadOptions small{.limits = {.memory = 10'000}};
  EXPECT_THAT(error_of("r.csv", small), HasSubstr("r.csv: a table of 1000 x 2 needs 0.016 MB"));
  const signal::Record record = read_csv(path("r.csv"));
  for (const std::string name : {"r.mat", "r.h5", "r.uff"}) {
    write_record(path(name), record);
    EXPECT_THAT(error_of(name, {.limits = {.memory = 7'000}}), HasSubstr("the limit is 0.007 MB"))
        << name;
    EXPECT_EQ(read_record(path(name)).size(), 1000) << name;
  }
  folder_.write("m.mtx", "%%MatrixMarket matrix coordinate real general\n900 900 1\n1 1 1\n");
  EXPECT_THAT(data_error_of([&] { (void)read_matrix(path("m.mtx"), "", {.memory = 1'000'000}); }),
              HasSubstr("m.mtx: a matrix of 900 x 900 needs 6.48 MB of memory, the limit is 1 MB"));
}

// Numbers of all formats; the third sample of five is odd.
TEST_F(SafeReading, NumbersThatNoInstrumentGivesAreNamed) {
  struct Case {
    std::vector<double> values;
    bool plausible;
  };
  const double tiny = 5e-324;
  const std::vector<Case> cases = {{{1, 2, 1e300, 3, 4}, false},
                                   {{1, 2, -7.8e307, 3, 4}, false},
                                   {{1, 2, tiny, 3, 4}, false},
                                   {{1, 2, 1e-250, 3, 4}, false},
                                   {{1e-9, 2e-9, 1e70, 1e-9, 1e-9}, false},
                                   {{1, 2, 1e-70, 3, 4}, false},
                                   // Rounding, decay and zeros are nothing odd.
                                   {{1, 2, 1e-17, 3, 4}, true},
                                   {{0, 0, 1e-30, 0, 5e12}, true},
                                   {{1, 1e-40, 1e-80, 1e-120, 1e-160}, true},
                                   {{1, 0, NAN, 0, 1e50}, true}};
  for (const Case& one : cases) {
    const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(one.values.data(), 5);
    const signal::Record record(signal::TimeAxis::uniform(5, 0.5), {{"a"}}, values);
    for (const std::string name : {"r.csv", "r.mat", "r.h5", "r.uff"}) {
      write_record(path(name), record);
      if (one.plausible) {
        EXPECT_EQ(read_record(path(name)).size(), 5) << name << " " << values.transpose();
      } else {
        EXPECT_THAT(error_of(name), HasSubstr("channel 'a': sample 3 is")) << name;
      }
    }
  }
  folder_.write("t.csv", "t,a\n0,1\n0.1,1\n0.2,1\n1e300,1\n");
  EXPECT_THAT(error_of("t.csv"), HasSubstr("t.csv: the times: sample 4 is 1e+300"));
}

TEST_F(SafeReading, NumbersOfOtherFilesAreRefusedUnlessAskedFor) {
  folder_.write("secret", std::string(24, 'x'));
  const hsize_t size = 3;
  {
    const hid_t file = H5Fcreate(path("e.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, path("secret").c_str(), 0, 24);
    H5Dclose(H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(file);
  }
  EXPECT_THAT(error_of("e.h5", {.step = 1.0}),
              HasSubstr("e.h5: 'x': its numbers are in another file; allow that"));
  EXPECT_EQ(read_records(path("e.h5"), {.step = 1.0, .limits = {.external = true}}).at(0).size(),
            3);
  {
    ForeignFile target(path("target.h5"));
    target.array<double>("y", {3}, H5T_NATIVE_DOUBLE, {1, 2, 3});
  }
  {
    const hid_t file = H5Fcreate(path("l.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external(path("target.h5").c_str(), "y", file, "y", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
  }
  EXPECT_THAT(error_of("l.h5", {.step = 1.0}), HasSubstr("l.h5: 'y': is a link to another file"));
  EXPECT_EQ(
      read_records(path("l.h5"), {.step = 1.0, .limits = {.external = true}}).at(0).samples()(2),
      3.0);
}

TEST_F(SafeReading, ChunksThatWereNeverWrittenAreNoZeros) {
  const hsize_t size = 100;
  const hsize_t chunk = 10;
  const hid_t file = H5Fcreate(path("c.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  const hid_t set = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const hsize_t start = 20;
  const hid_t memory = H5Screate_simple(1, &chunk, nullptr);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &chunk, nullptr);
  const std::vector<double> values(10, 1.0);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data());
  H5Sclose(memory);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(file);
  EXPECT_THAT(error_of("c.h5", {.step = 1.0}),
              HasSubstr("c.h5: 'x': 9 of 10 chunks were never written"));
}

TEST_F(SafeReading, GroupsDeepInsideEachOtherAreBounded) {
  const hid_t file = H5Fcreate(path("d.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  std::string group;
  for (int level = 0; level < 100; ++level) {
    group += "/g";
    H5Gclose(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  H5Fclose(file);
  EXPECT_THAT(error_of("d.h5"), HasSubstr("groups lie too deep inside each other"));
}

// A reader that breaks down takes its own process along, not this one.
TEST_F(SafeReading, ABreakdownOfAReaderIsAnErrorOfTheFile) {
  const auto message = [&](const auto& read) {
    return data_error_of(
        [&] { (void)read_confined<Eigen::MatrixXd>("f.h5", kTime, {.memory = 1'000'000}, read); });
  };
  EXPECT_THAT(message([]() -> Eigen::MatrixXd {
                std::raise(SIGSEGV);
                return {};
              }),
              HasSubstr("f.h5: brings its library down (signal 11)"));
  EXPECT_THAT(message([]() -> Eigen::MatrixXd { _exit(0); }), HasSubstr("f.h5: gives no numbers"));
  EXPECT_THAT(message([]() -> Eigen::MatrixXd { throw std::bad_alloc(); }),
              HasSubstr("f.h5: not enough memory to read it"));
  EXPECT_THAT(message([]() -> Eigen::MatrixXd {
                // More than is promised: the one who asked does not take it.
                return Eigen::MatrixXd::Zero(40'000'000, 1);
              }),
              HasSubstr("f.h5: "));
}

// A library that turns in circles is ended by the processor's time, one that waits for something,
// or never gets the processor, by the clock.
TEST_F(SafeReading, AReaderWithoutEndIsEndedByProcessorTimeAndByTheClock) {
  using namespace std::chrono_literals;
  const auto ended = [&](const TimeLimits& time, const auto& read) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string message = data_error_of(
        [&] { (void)read_confined<Eigen::MatrixXd>("f.h5", time, {.memory = 1'000'000}, read); });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
    return message;
  };
  EXPECT_THAT(ended({.processor = 1s, .clock = 100s},
                    []() -> Eigen::MatrixXd {
                      volatile bool more = true;
                      while (more) {
                      }
                      return {};
                    }),
              HasSubstr("f.h5: reading it was ended after 1 s or by the system"));
  EXPECT_THAT(ended({.processor = 100s, .clock = 1s},
                    []() -> Eigen::MatrixXd {
                      for (;;) pause();
                    }),
              HasSubstr("f.h5: reading it was ended after 1 s by the clock"));
  // A minute is what people wait for a file of a few kilobytes, on a machine that is busy too.
  EXPECT_LE(time_limits(10'000).clock, 30s);
  EXPECT_GE(time_limits(200'000'000).clock, time_limits(200'000'000).processor);
}

// Numbers come back bit for bit, NaN and -0 included.
TEST_F(SafeReading, NumbersCrossTheProcessesUnchanged) {
  Eigen::MatrixXd values(3, 2);
  values << -0.0, NAN, 5e-324, 1.0 / 3.0, -INFINITY, 1e308;
  const auto back = read_confined<Eigen::MatrixXd>("f", kTime, {}, [&] { return values; });
  ASSERT_EQ(back.rows(), 3);
  EXPECT_EQ(std::memcmp(back.data(), values.data(), 6 * sizeof(double)), 0);
  std::mt19937_64 engine(3);
  for (const bool uniform : {true, false}) {
    const signal::Records records = {
        test::random_record(engine, {.samples = 50, .uniform = uniform})};
    const auto read = read_confined<signal::Records>("f", kTime, {}, [&] { return records; });
    EXPECT_TRUE(test::same_record(read.at(0), records[0]));
  }
}

}  // namespace safe_reading_test
}  // namespace alembert::io
