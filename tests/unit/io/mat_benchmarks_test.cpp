#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "alembert/io/hdf5.hpp"
#include "alembert/io/mat.hpp"
#include "support/data.hpp"
#include "support/records.hpp"

// MATLAB files of public benchmarks and of equipment.
namespace alembert::io {
namespace mat_benchmarks_test {

using test::data_error_of;
using testing::HasSubstr;

// The converted copy holds the same numbers as the HDF5 original, read by independent code.
TEST(MatBenchmarks, BoucWenTrainingRecordEqualsItsHdf5Original) {
  ALEMBERT_REQUIRE_DATA(copy, "bouc_wen/train_converted.mat");
  ALEMBERT_REQUIRE_DATA(original, "bouc_wen/train.h5");
  const signal::Record record = read_mat(copy).at(0);
  const signal::Record expected = read_hdf5(original).at(0);
  ASSERT_EQ(record.size(), 40960);
  EXPECT_EQ(record.time().step(), 1.0 / 750.0);
  EXPECT_EQ(record.channels(), expected.channels());
  EXPECT_EQ(record.samples(), expected.samples());
}

TEST(MatBenchmarks, BoucWenValidationRecordsHaveTheirDocumentedLengths) {
  for (const auto& [name, samples] :
       {std::pair{"uval_multisine", 8192}, {"yval_multisine", 8192}, {"uval_sinesweep", 153000}}) {
    ALEMBERT_REQUIRE_DATA(file, std::string("bouc_wen/") + name + ".mat");
    const signal::Record record = read_mat(file, {.step = 1.0 / 750.0}).at(0);
    EXPECT_EQ(record.size(), samples);
    ASSERT_EQ(record.channel_count(), 1);
    EXPECT_EQ(record.channels()[0].name, name);
  }
}

// Equipment's export: time and signals in single precision beside spectra of other lengths. Its
// time is a running sum in single precision, 6 % of a step off an even grid in the middle: not
// uniform.
TEST(MatBenchmarks, VibrationTestingCase) {
  ALEMBERT_REQUIRE_DATA(file, "vibrationtesting/case1.mat");
  EXPECT_THAT(data_error_of([&] { (void)read_mat(file); }), HasSubstr("give the channels to read"));
  const std::vector<std::string> channels = {"Time_chan_1", "Time_chan_2"};
  const signal::Record record = read_mat(file, {.time = "Time_domain", .channels = channels}).at(0);
  ASSERT_EQ(record.size(), 4096);
  EXPECT_FALSE(record.time().is_uniform());
  EXPECT_NEAR(record.time().median_step(), 1.0 / 1280.0, 1e-3 / 1280.0);
  EXPECT_TRUE(
      read_mat(file, {.step = 1.0 / 1280.0, .channels = channels}).at(0).time().is_uniform());
  const signal::Record frf =
      read_mat(file, {.time = "Freq_domain", .channels = {"Hf_chan_2"}}).at(0);
  EXPECT_EQ(frf.size(), 1601);
  EXPECT_EQ(frf.channels()[1].name, "Hf_chan_2.im");
}

}  // namespace mat_benchmarks_test
}  // namespace alembert::io
