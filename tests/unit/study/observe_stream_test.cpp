#include "alembert/study/observe_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "alembert/core/error.hpp"
#include "crank_study.hpp"
#include "support/data.hpp"

namespace alembert::study {
namespace observe_stream_test {

using testing::HasSubstr;
using testing::StartsWith;

ObserveStream stream_of(const std::vector<std::string>& changes = {}) {
  LoadOptions options = test::changed(changes);
  options.stream = true;
  const LoadedStudy loaded = load_study_text(test::kCrank, "crank.toml", options);
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  return ObserveStream(*loaded.observe);
}

std::string refusal(const std::string& text, const std::vector<std::string>& changes = {}) {
  ObserveStream stream = stream_of(changes);
  std::istringstream lines(text);
  try {
    for (std::string line; std::getline(lines, line);) (void)stream.take(line);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

// Row by row the same numbers as from the file, as far as they are written.
TEST(ObserveStreamTest, AgreesWithTheRunOnAFile) {
  const std::string text = test::crank_record(400, 1);
  const test::TemporaryFolder folder;
  (void)folder.write("crank.csv", text);
  // A stream has no readings to come to start from: it is told.
  const std::vector<std::string> start = {"observe.start.coordinates=[0.0]",
                                          "observe.start.accelerations=[0.0]"};
  const LoadedStudy loaded =
      load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(start));
  const ObserveResult whole = run_observe(*loaded.observe);
  ObserveStream stream = stream_of(start);
  std::istringstream lines(text);
  std::string line, out;
  while (std::getline(lines, line)) {
    const std::string_view got = stream.take(line);
    if (!got.empty()) out += std::string(got) + "\n";
  }
  EXPECT_EQ(stream.rows(), 400U);
  EXPECT_EQ(stream.failed(), 0U);
  std::istringstream rows(out);
  std::getline(rows, line);
  EXPECT_THAT(line,
              StartsWith("t [s],angle_crank [rad],angle_crank_std [rad],angle_crank_velocity"));
  for (Eigen::Index k = 0; k < 400; ++k) {
    ASSERT_TRUE(std::getline(rows, line));
    std::istringstream cells(line);
    std::string cell;
    std::vector<double> values;
    while (std::getline(cells, cell, ',')) values.push_back(std::stod(cell));
    ASSERT_EQ(values.size(), 9U);
    EXPECT_NEAR(values[7], whole.estimate.nis(k), 1e-3 * whole.estimate.nis(k));
    EXPECT_EQ(values[8], 2.0);
    // Nine and four digits are written.
    for (Eigen::Index i = 0; i < 3; ++i) {
      const double mean = whole.estimate.mean(k, i);
      EXPECT_NEAR(values[static_cast<std::size_t>(1 + 2 * i)], mean,
                  1e-8 * std::abs(mean) + 1e-6 * whole.estimate.deviation(k, i));
      EXPECT_NEAR(values[static_cast<std::size_t>(2 + 2 * i)], whole.estimate.deviation(k, i),
                  1e-3 * whole.estimate.deviation(k, i));
    }
  }
}

TEST(ObserveStreamTest, TakesOtherSeparatorsUnitsAndMissingCells) {
  ObserveStream stream = stream_of();
  EXPECT_EQ(stream.take("# a comment"), "");
  EXPECT_EQ(stream.take("t [ms];other;theta [deg];a [m/s^2]"), "");
  EXPECT_THAT(std::string(stream.take("0;x;10;0.0\r")), HasSubstr("\n0,0.17"));
  EXPECT_EQ(stream.take(""), "");
  EXPECT_THAT(std::string(stream.take("1;x;;nan")), StartsWith("0.001,"));
  EXPECT_EQ(stream.rows(), 2U);
}

TEST(ObserveStreamTest, NamesTheLineThatItCannotRead) {
  EXPECT_THAT(refusal("t,theta\n"), HasSubstr("standard input:1: no column \"a\""));
  EXPECT_THAT(refusal("time,theta,a\n0,0,0\n1,2\n"),
              HasSubstr("standard input:3: the row has 2 cells, the header 3"));
  EXPECT_THAT(refusal("t,theta,a\n0,0,0\n1,x1,2\n"),
              HasSubstr("standard input:3:3: \"x1\" is not a number"));
  EXPECT_THAT(refusal("t,theta,a\n1,0,0\n1,0,0\n"), HasSubstr("times must rise"));
  EXPECT_THAT(refusal("t,theta,a\n,0,0\n"), HasSubstr("no time"));
  EXPECT_THAT(refusal("theta,a\n0,0\n"), HasSubstr("data.time or data.step"));
  EXPECT_EQ(refusal("theta,a\n0,0\n0.01,0\n", {"data.step=0.001"}), "");
  EXPECT_THAT(refusal("t,theta [N],a\n"), HasSubstr("does not convert to rad"));
}

TEST(ObserveStreamTest, UnderstandsDecimalCommasAndALineOfUnits) {
  ObserveStream stream = stream_of();
  EXPECT_EQ(stream.take("t;theta;a"), "");
  EXPECT_EQ(stream.take("ms;deg;m/s^2"), "");
  EXPECT_THAT(std::string(stream.take("0,5;10,25;-0,1")), HasSubstr("\n0.0005,0.179"));
  EXPECT_EQ(stream.rows(), 1U);
}

TEST(ObserveStreamTest, WaitsUntilAllCoordinatesAreRead) {
  ObserveStream stream = stream_of();
  EXPECT_EQ(stream.take("t,theta,a"), "");
  EXPECT_EQ(stream.take("0,,0.1"), "");
  EXPECT_EQ(stream.take("0.001,,0.1"), "");
  EXPECT_THAT(std::string(stream.take("0.002,0.5,")), HasSubstr("\n0.002,0.5,"));
  EXPECT_EQ(stream.rows(), 3U);
  EXPECT_EQ(stream.waiting(), 2U);
}

TEST(ObserveStreamTest, SaysWhatWasUsed) {
  ObserveStream stream = stream_of();
  EXPECT_EQ(stream.take("t,theta,a"), "");
  EXPECT_THAT(std::string(stream.take("0,0.5,0")), HasSubstr(",nis,used\n"));
  EXPECT_THAT(std::string(stream.take("0.001,,")), testing::EndsWith(",,0"));
  EXPECT_THAT(std::string(stream.take("0.002,0.52,")), testing::EndsWith(",1"));
}

// An encoder whose readings come 5 samples late corrects the samples that they are of: the same
// estimate as without the delay, 5 samples later, and far better than if the delay is not told.
TEST(ObserveStreamTest, TakesDelayedReadingsWhereTheyBelong) {
  constexpr int kLate = 5;
  const std::vector<std::string> start = {"observe.start.coordinates=[0.0]",
                                          "observe.start.velocities=[13.8]"};
  std::istringstream lines(test::crank_record(600, 21));
  std::vector<std::string> times, angles, accelerations;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    times.push_back(line.substr(0, first));
    angles.push_back(line.substr(first + 1, second - first - 1));
    accelerations.push_back(line.substr(second + 1));
  }
  const auto last_angle = [&](std::vector<std::string> changes) {
    changes.insert(changes.end(), start.begin(), start.end());
    ObserveStream stream = stream_of(changes);
    (void)stream.take("t,theta,a");
    std::string out;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const std::string angle = k < kLate ? "" : angles[k - kLate];
      out = stream.take(times[k] + "," + angle + "," + accelerations[k]);
    }
    return std::stod(out.substr(out.find(',') + 1));
  };
  const double truth = test::crank_truth(0.599).q;
  // Standard deviation of the angle 2.6e-4 rad, a little more without the last 5 readings.
  EXPECT_NEAR(last_angle({"data.sensors.encoder.delay=0.005"}), truth, 5.0 * 3e-4);
  // 5 ms at 12 rad/s
  EXPECT_GT(std::abs(last_angle({}) - truth), 0.03);
}

TEST(ObserveStreamTest, CountsAreNoLengths) {
  EXPECT_THAT(refusal("t,theta [m],a\n", {"data.sensors.encoder={column=\"theta\", "
                                          "kind=\"angle\", of=\"crank\", counts=4096}"}),
              HasSubstr("does not convert to rad"));
}

}  // namespace observe_stream_test
}  // namespace alembert::study
