#include <gtest/gtest.h>

#include <limits>

#include "estimate/observe/fit_noise_likelihood.hpp"

namespace alembert::estimate {
namespace noise_stretch_test {

/// A record of 6000 samples in which nothing has been read.
Eigen::MatrixXd empty_record() {
  return Eigen::MatrixXd::Constant(6000, 2, std::numeric_limits<double>::quiet_NaN());
}

TEST(NoiseStretch, BeginsWhereItIsTold) {
  Eigen::MatrixXd readings = empty_record();
  readings.col(0).setZero();
  const NoiseStretch all = noise_stretch(readings, {0}, 600);
  EXPECT_EQ(all.first, 600);
  EXPECT_EQ(all.end, 3100);
  const NoiseStretch rest = noise_stretch(readings, {0}, 5000);
  EXPECT_EQ(rest.first, 5000);
  EXPECT_EQ(rest.end, 6000);
  EXPECT_EQ(noise_stretch(readings, {}, 600).first, 600);
}

// 2500 samples that end with the last reading are the first that hold all of them.
TEST(NoiseStretch, MovesToTheReadings) {
  Eigen::MatrixXd readings = empty_record();
  readings.col(0).setZero();
  readings.col(1).segment(4000, 100).setZero();
  const NoiseStretch found = noise_stretch(readings, {0, 1}, 600);
  EXPECT_EQ(found.first, 1600);
  EXPECT_EQ(found.end, 4100);
  EXPECT_EQ(readings_within(readings, 1, found), 100);
  EXPECT_EQ(readings_within(readings, 0, found), 2500);
  EXPECT_EQ(readings_within(readings, 1, {600, 3100}), 0);
}

}  // namespace noise_stretch_test
}  // namespace alembert::estimate
