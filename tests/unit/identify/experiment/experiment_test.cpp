#include "alembert/identify/experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/message_of.hpp"

namespace alembert::identify {
namespace experiment_test {

using test::message_of;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Experiment plain(Eigen::Index samples, Eigen::Index inputs, Eigen::Index outputs) {
  return {Eigen::MatrixXd::Ones(samples, inputs), Eigen::MatrixXd::Ones(samples, outputs), 0.01};
}

std::string complaint(const Experiments& data) {
  return message_of([&] { check_experiments("refine", data); });
}

TEST(CheckExperiments, AcceptsSeveralRecordsOfDifferentLength) {
  EXPECT_EQ(complaint({plain(5, 2, 3), plain(9, 2, 3)}), "no InvalidInput");
}

TEST(CheckExperiments, NamesTheFunctionAndTheExperiment) {
  EXPECT_THAT(complaint({}), HasSubstr("refine: there must be at least one experiment"));
  Experiments data{plain(5, 2, 3), plain(5, 2, 3)};
  data[1].step = 0.02;
  EXPECT_THAT(complaint(data), HasSubstr("refine: experiment 2 must have the step of the first"));
  data[1] = plain(5, 2, 3);
  data[1].step = 0.0;
  EXPECT_THAT(complaint(data), HasSubstr("experiment 2 must have a positive step"));
  EXPECT_THAT(complaint({plain(5, 2, 3), plain(5, 1, 3)}), HasSubstr("got 1 and 3"));
  data[1] = plain(5, 2, 3);
  data[1].output.conservativeResize(4, 3);
  EXPECT_THAT(complaint(data), HasSubstr("as many output as input samples, got 4 and 5"));
}

TEST(CheckExperiments, RefusesBrokenSamples) {
  Experiments data{plain(5, 2, 3)};
  data[0].input(3, 1) = kNaN;
  EXPECT_THAT(complaint(data), HasSubstr("input without missing samples"));
  data[0] = plain(5, 2, 3);
  data[0].output.setConstant(kNaN);
  EXPECT_THAT(complaint(data), HasSubstr("at least one measured output sample"));
  data[0] = plain(5, 2, 3);
  data[0].output(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint(data), HasSubstr("infinite output sample"));
}

TEST(Experiments, CountsMissingSamples) {
  Experiments data{plain(5, 2, 3), plain(4, 2, 3)};
  EXPECT_FALSE(has_missing(data));
  EXPECT_EQ(measured_samples(data), 27);
  data[1].output(2, 0) = kNaN;
  data[1].output(3, 0) = kNaN;
  EXPECT_TRUE(has_missing(data));
  EXPECT_EQ(measured_samples(data), 25);
}

}  // namespace experiment_test
}  // namespace alembert::identify
