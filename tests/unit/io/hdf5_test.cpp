#include "alembert/io/hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <tuple>

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

TEST_F(Hdf5, WriteThenReadGivesTheSameBits) {
  std::mt19937_64 engine(5);
  for (int trial = 0; trial < 40; ++trial) {
    signal::Records records;
    for (std::uint64_t r = 0; r <= engine() % 12; ++r) {
      records.push_back(random_record(engine, {.samples = 1 + static_cast<long>(engine() % 1000),
                                               .channels = 1 + engine() % 5,
                                               .uniform = engine() % 2 == 0,
                                               .odd_names = engine() % 2 == 0}));
    }
    write_hdf5(path("r.h5"), records, {.deflate = trial % 10});
    const signal::Records back = read_hdf5(path("r.h5"));
    ASSERT_EQ(back.size(), records.size()) << trial;
    for (std::size_t r = 0; r < records.size(); ++r) {
      EXPECT_TRUE(same_record(back[r], records[r])) << "trial " << trial << ", record " << r;
    }
  }
}

TEST_F(Hdf5, LayoutIsAsDocumented) {
  const signal::Record record(signal::TimeAxis::given(Eigen::Vector2d(0.0, 0.3)),
                              {{"a/b", "N", ""}, {"time", "m", "x"}}, Eigen::MatrixXd::Ones(2, 2));
  write_hdf5(path("r.h5"), {record});
  EXPECT_THAT(list_hdf5(path("r.h5")), ElementsAre(StoredArray{"record_1/a_b", {2}, "double"},
                                                   StoredArray{"record_1/time", {2}, "double"},
                                                   StoredArray{"record_1/time_2", {2}, "double"}));
}

TEST_F(Hdf5, OptionsChooseRecordChannelsAndTime) {
  std::mt19937_64 engine(6);
  const signal::TimeAxis axis = signal::TimeAxis::uniform(3, 0.5);
  const signal::Record first(axis, {{"a"}, {"b"}}, Eigen::MatrixXd{{1, 2}, {3, 4}, {5, 6}});
  const signal::Record second(axis, {{"b"}, {"c"}}, Eigen::MatrixXd{{1, 20}, {2, 40}, {3, 60}});
  write_hdf5(path("r.h5"), {first, second});
  EXPECT_EQ(read_hdf5(path("r.h5"), {.channels = {"b"}}).size(), 2U);
  const signal::Records picked = read_hdf5(path("r.h5"), {.channels = {"c", "b"}});
  ASSERT_EQ(picked.size(), 1U);
  EXPECT_EQ(picked[0].samples()(2, 0), 60.0);
  EXPECT_EQ(read_hdf5(path("r.h5"), {.dataset = "/record_2"}).at(0).channels()[1].name, "c");
  EXPECT_EQ(read_hdf5(path("r.h5"), {.step = 2.0}).at(1).time().step(), 2.0);
  const signal::Record timed = read_hdf5(path("r.h5"), {.time = "b", .dataset = "record_2"}).at(0);
  EXPECT_EQ(timed.time().step(), 1.0);
  EXPECT_EQ(timed.time().start(), 1.0);
  EXPECT_EQ(timed.channel_count(), 1);
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("r.h5"), {.channels = {"d"}}); }),
              HasSubstr("r.h5: no channel 'd'"));
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("r.h5"), {.dataset = "record_3"}); }),
              HasSubstr("no numeric data set or group 'record_3'; did you mean 'record_1'?"));
}

TEST_F(Hdf5, ForeignChannelsOfManyTypes) {
  ForeignFile(path("f.h5"))
      .array<double>("t", {3}, H5T_NATIVE_DOUBLE, {0.0, 0.1, 0.2})
      .array<std::int16_t>("i", {3}, H5T_NATIVE_INT16, {-1, 2, 3})
      .array<float>("single", {1, 3}, H5T_NATIVE_FLOAT, {0.5F, 1.5F, 2.5F})
      .array<double>("two", {3, 2}, H5T_NATIVE_DOUBLE, {1, 10, 2, 20, 3, 30})
      .array<double>("wide", {2, 3}, H5T_NATIVE_DOUBLE, {1, 2, 3, 10, 20, 30})
      .array<double>("cube", {1, 1, 3}, H5T_NATIVE_DOUBLE, {1, 2, 3})
      .text("i", "unit", "m")
      .text("single", "units", "N")
      .text("i", "description", "counts")
      .text("/", "title", "run 7");
  const signal::Record record = read_hdf5(path("f.h5")).at(0);
  EXPECT_EQ(record.title(), "run 7");
  EXPECT_TRUE(record.time().is_uniform());
  EXPECT_EQ(record.time().step(), 0.1);
  ASSERT_EQ(record.channel_count(), 6);
  EXPECT_EQ(record.channels()[0], (signal::Channel{"i", "m", "counts"}));
  EXPECT_EQ(record.channels()[1], (signal::Channel{"single", "N", ""}));
  EXPECT_EQ(record.channels()[2].name, "two_1");
  const Eigen::MatrixXd expected{
      {-1, 0.5, 1, 10, 1, 10}, {2, 1.5, 2, 20, 2, 20}, {3, 2.5, 3, 30, 3, 30}};
  EXPECT_EQ(record.samples(), expected);
}

TEST_F(Hdf5, ForeignComplexAndEnumeration) {
  const hid_t complex = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(complex, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(complex, "i", 8, H5T_NATIVE_DOUBLE);
  const hid_t logical = H5Tcreate(H5T_ENUM, 1);
  for (std::int8_t value : {std::int8_t{0}, std::int8_t{1}}) {
    H5Tenum_insert(logical, value == 0 ? "FALSE" : "TRUE", &value);
  }
  ForeignFile(path("f.h5"))
      .array<double>("g/z", {2}, complex, {1, 2, 3, 4})
      .array<std::int8_t>("g/on", {2}, logical, {1, 0})
      .number("g", "fs", 4.0);
  H5Tclose(complex);
  H5Tclose(logical);
  const signal::Record record = read_hdf5(path("f.h5")).at(0);
  EXPECT_EQ(record.title(), "g");
  EXPECT_EQ(record.time().step(), 0.25);
  EXPECT_EQ(record.channels()[0].name, "on");
  EXPECT_EQ(record.channels()[1].name, "z.re");
  EXPECT_EQ(record.channels()[2].name, "z.im");
  EXPECT_EQ(record.samples(), (Eigen::MatrixXd{{1, 1, 2}, {0, 3, 4}}));
  EXPECT_EQ(read_hdf5(path("f.h5"), {.channels = {"z.im"}}).at(0).samples()(1, 0), 4.0);
  EXPECT_EQ(read_hdf5(path("f.h5"), {.channels = {"z"}}).at(0).channel_count(), 2);
}

TEST_F(Hdf5, ForeignProblemsAreNamed) {
  ForeignFile(path("f.h5"))
      .array<double>("a", {3}, H5T_NATIVE_DOUBLE, {1, 2, 3})
      .array<double>("b", {4}, H5T_NATIVE_DOUBLE, {1, 2, 3, 4})
      .array<double>("Ts", {1}, H5T_NATIVE_DOUBLE, {0.1})
      .number("/", "fs", 20.0);
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("f.h5")); }),
              HasSubstr("f.h5: 'b' is 4 x 1, but others have 3 samples: give the channels"));
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("f.h5"), {.channels = {"a"}}); }),
              HasSubstr("fs and Ts give different steps, 0.05 s and 0.1 s"));
  EXPECT_EQ(read_hdf5(path("f.h5"), {.step = 1.0, .channels = {"b"}}).at(0).size(), 4);
  ForeignFile(path("n.h5")).array<double>("a", {3}, H5T_NATIVE_DOUBLE, {3, 2, 1});
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("n.h5")); }), HasSubstr("no time found"));
  ForeignFile(path("n.h5"))
      .array<double>("time", {3}, H5T_NATIVE_DOUBLE, {0, 2, 1})
      .array<double>("a", {3}, H5T_NATIVE_DOUBLE, {3, 2, 1});
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("n.h5")); }),
              HasSubstr("time 'time' cannot be used"));
  ForeignFile(path("n.h5")).array<double>("fs", {1}, H5T_NATIVE_DOUBLE, {0.0});
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("n.h5")); }),
              HasSubstr("holds no channels"));
  ForeignFile(path("e.h5")).close();
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("e.h5")); }),
              HasSubstr("holds no numeric data sets"));
}

TEST_F(Hdf5, TimesAreConvertedToSeconds) {
  const std::vector<double> times = {10, 20, 30};
  for (const auto& [name, unit, step] : {std::tuple{"time", "", 10.0},
                                         {"time", "ms", 0.01},
                                         {"Time [ms]", "", 0.01},
                                         {"t(us)", "", 1e-5},
                                         {"t", "[min]", 600.0},
                                         {"t", "milliseconds", 0.01},
                                         {"t", "seconds since 2020-01-01 00:00", 10.0}}) {
    ForeignFile file(path("f.h5"));
    file.array<double>(name, {3}, H5T_NATIVE_DOUBLE, times)
        .array<double>("a", {3}, H5T_NATIVE_DOUBLE, {1, 2, 3});
    if (*unit != '\0') {
      file.text(name, "units", unit);
    }
    file.close();
    const signal::Record record = read_hdf5(path("f.h5")).at(0);
    ASSERT_TRUE(record.time().is_uniform()) << name << unit;
    EXPECT_EQ(record.time().step(), step) << name << unit;
    EXPECT_EQ(record.time().start(), step) << name << unit;
  }
  ForeignFile(path("f.h5"))
      .array<double>("t", {3}, H5T_NATIVE_DOUBLE, times)
      .array<double>("clock", {3}, H5T_NATIVE_DOUBLE, times)
      .array<double>("a", {3}, H5T_NATIVE_DOUBLE, {1, 2, 3})
      .text("t", "unit", "fortnight")
      .text("clock", "unit", "ms");
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5(path("f.h5")); }),
              HasSubstr("f.h5: the unit 'fortnight' of the time 't' is not known"));
  EXPECT_EQ(read_hdf5(path("f.h5"), {.time = "clock"}).at(0).time().step(), 0.01);
}

TEST_F(Hdf5, ScalarsThatGiveTheStepHaveUnitsToo) {
  const auto step_of = [&](const char* name, double value, const char* unit) {
    ForeignFile(path("f.h5"))
        .array<double>("a", {3}, H5T_NATIVE_DOUBLE, {1, 2, 3})
        .array<double>(name, {1}, H5T_NATIVE_DOUBLE, {value})
        .text(name, "unit", unit);
    return read_hdf5(path("f.h5")).at(0).time().step();
  };
  EXPECT_EQ(step_of("dt", 2.0, "ms"), 0.002);
  EXPECT_EQ(step_of("fs", 4.0, "Hz"), 0.25);
  EXPECT_EQ(step_of("fs", 4.0, "kHz"), 0.00025);
  EXPECT_THAT(data_error_of([&] { (void)step_of("Ts", 1.0, "V"); }), HasSubstr("unit 'V'"));
  EXPECT_THAT(data_error_of([&] { (void)step_of("fs", 1.0, "V"); }),
              HasSubstr("the unit 'V' of fs is no frequency"));
}

TEST_F(Hdf5, MatrixWriteThenRead) {
  std::mt19937_64 engine(9);
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 7}, {7, 1}, {3, 5}, {300, 400}}) {
    Eigen::MatrixXd matrix(rows, columns);
    for (double& value : matrix.reshaped()) {
      value = std::uniform_real_distribution<double>(-1.0, 1.0)(engine);
    }
    write_hdf5_matrix(path("m.h5"), matrix, "model/K", {.deflate = 5});
    EXPECT_EQ(read_hdf5_matrix(path("m.h5")), matrix);
    EXPECT_EQ(read_hdf5_matrix(path("m.h5"), "/model/K"), matrix);
  }
  EXPECT_THAT(list_hdf5(path("m.h5")), ElementsAre(StoredArray{"model/K", {300, 400}, "double"}));
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5_matrix(path("m.h5"), "model/M"); }),
              HasSubstr("no data set 'model/M'; did you mean 'model/K'?"));
  ForeignFile(path("two.h5"))
      .array<double>("M", {1}, H5T_NATIVE_DOUBLE, {1})
      .array<double>("K", {1, 1, 1}, H5T_NATIVE_DOUBLE, {1})
      .array<double>("D", {1}, H5T_NATIVE_DOUBLE, {1});
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5_matrix(path("two.h5")); }),
              HasSubstr("holds several data sets, give one: D, M"));
  EXPECT_THAT(data_error_of([&] { (void)read_hdf5_matrix(path("two.h5"), "K"); }),
              HasSubstr("'K': must be real with one or two dimensions, is double with 3"));
}

TEST_F(Hdf5, ThreadsTakeTurns) {
  std::mt19937_64 engine(5);
  const signal::Record record = random_record(engine, {.samples = 1000});
  write_hdf5(path("r.h5"), {record});
  std::vector<int> same(4, 0);
  std::vector<std::thread> threads;
  for (int& result : same) {
    threads.emplace_back([&] {
      for (int trial = 0; trial < 20; ++trial) {
        result += static_cast<bool>(same_record(read_hdf5(path("r.h5")).at(0), record)) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(same, ElementsAre(20, 20, 20, 20));
}

// Bouc-Wen benchmark, by its documentation 40960 samples at 750 Hz; mat_test compares the values.
TEST_F(Hdf5, ReadsTheBoucWenTrainingRecord) {
  ALEMBERT_REQUIRE_DATA(file, "bouc_wen/train.h5");
  const signal::Record record = read_hdf5(file).at(0);
  EXPECT_EQ(record.title(), "multisine");
  EXPECT_EQ(record.time().step(), 1.0 / 750.0);
  ASSERT_EQ(record.size(), 40960);
  EXPECT_EQ(record.channels()[0].name, "u");
  EXPECT_EQ(record.channels()[1].name, "y");
  const signal::Record chosen =
      read_hdf5(file, {.step = 0.5, .channels = {"y"}, .dataset = "multisine"}).at(0);
  EXPECT_EQ(chosen.channel_count(), 1);
  EXPECT_EQ(chosen.time().step(), 0.5);
}

}  // namespace hdf5_test
}  // namespace alembert::io
