#include "alembert/study/observe_stream.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "study/tasks/observe/stream/stream_table.hpp"
#include "support/allocations.hpp"
#include "support/data.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace observe_stream_test {

using testing::HasSubstr;
using testing::StartsWith;

ObserveStream stream_of(const std::vector<std::string>& changes = {}) {
  LoadOptions options = test::changed(changes);
  options.stream = true;
  const LoadedStudy loaded = load_study_text(test::kCrank, "crank.toml", options);
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  return ObserveStream(*loaded.as<ObserveStudy>());
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
  // A record starts from more readings than a stream waits for: it is told.
  const std::vector<std::string> start = {"observe.start.coordinates=[0.0]",
                                          "observe.start.accelerations=[0.0]"};
  const LoadedStudy loaded =
      load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(start));
  const ObserveResult whole = run_observe(*loaded.as<ObserveStudy>());
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
  EXPECT_THAT(refusal("t,theta,a\n0,inf,0\n"),
              HasSubstr("standard input:2:3: \"inf\" is not finite"));
  EXPECT_THAT(refusal("t,theta,a\n0,1e400,0\n"), HasSubstr("beyond the range of a double"));
  EXPECT_THAT(refusal("t,theta,a\n0,\"1,0\n"), HasSubstr("standard input:2"));
  EXPECT_THAT(refusal("t,theta,\"a\n"),
              HasSubstr("standard input:1:9: a quoted name has no closing"));
  EXPECT_THAT(refusal("t,theta,a\n0,0,0,,\n"), HasSubstr("the row has 5 cells, the header 3"));
  EXPECT_THAT(refusal("t,theta,a\n0,0,0,7\n"), HasSubstr("the row has 4 cells, the header 3"));
  EXPECT_THAT(refusal("t,theta,a,a\n"), HasSubstr("\"a\" stands twice, in columns 3 and 4"));
  EXPECT_THAT(refusal("t [N],theta,a\n"), HasSubstr("unit 'N' of the time 't' is not known"));
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

// What a file may hold a stream may hold too: the same readings, written in other ways, give the
// same estimates, byte for byte, and the record that the reader of files finds.
TEST(ObserveStreamTest, UnderstandsRowsAsAFileDoes) {
  const std::string plain =
      "t [s],theta [rad],a [m/s^2]\n0,0.5,0\n0.001,0.5125,-28\n0.002,,-28.5\n";
  const auto estimates = [](const std::string& text) {
    ObserveStream stream = stream_of();
    std::istringstream lines(text);
    std::string out;
    for (std::string line; std::getline(lines, line);) out += std::string(stream.take(line)) + "|";
    return out.substr(out.find("t [s]"));
  };
  const auto in_a_file = [](const std::string& text) {
    const test::TemporaryFolder folder;
    (void)folder.write("crank.csv", text);
    const LoadedStudy loaded =
        load_study_text(test::kCrank, folder.path() / "crank.toml",
                        test::changed({"observe.scored-from=0.0", "observe.density=160.0"}));
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return loaded.as<ObserveStudy>()->readings;
  };
  const std::string expected = estimates(plain);
  const Eigen::MatrixXd readings = in_a_file(plain);
  for (const std::string& text : std::vector<std::string>{
           "t [s] theta [rad] a [m/s^2]\n0 0.5 0\n0.001  0.5125\t-28\n0.002 - -28.5\n",
           "  t\ttheta\ta\n s\trad\tm/s^2\n0\t0.5\t0\n0.001\t0.5125\t-28\n0.002\t\t-28.5\n",
           "\"t [s]\",\"theta [rad]\",a [m/s^2]\n\"0\",\"0.5\",0\n0.001,0.5125,\"-28\"\n"
           "0.002,na,-28.5\n",
           "\"t [s]\",\"theta [rad]\",a [m/s^2]\n\"0\",\"0,5\",0\n\"0,001\",\"0,5125\",-28\n"
           "\"0,002\",NaN,\"-28,5\"\n",
           "t [s],theta [rad],a [m/s^2],\n0,0.5,0,\n0.001,0.5125,-28,\n0.002,,-28.5,\n",
           "TIME [s],theta [rad],a [m/s^2]\n0,0.5,1e-400\n0.001,0.5125,-28\n0.002,nan,-28.5\n",
           "Time (ms);x;theta [rad];a [m/s^2]\n0;n/a;0,5;0\n1;;0,5125;-28\n2;;;-28,5\n",
           "\xEF\xBB\xBF% of a logger\n// and more\nt [s],theta [rad],a [m/s^2]\n0,+0.5,0\n"
           "0.001,5.125D-1,-28\n0.002,NA,-2.85e+1\n",
           "t [s], theta [rad], a [m/s^2]\n0 0.5 0\n0.001 0.5125 -28\n0.002 NA -28.5\n",
       }) {
    EXPECT_EQ(estimates(text), expected) << text;
    const Eigen::MatrixXd same = in_a_file(text);
    ASSERT_EQ(same.rows(), readings.rows()) << text;
    for (Eigen::Index i = 0; i < same.size(); ++i) {
      const double a = same.data()[i], b = readings.data()[i];
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << text << " " << i;
    }
  }
}

TEST(StreamTableTest, RowsTakeNoMemory) {
  if (!test::counts_allocations()) GTEST_SKIP() << "a sanitizer counts no allocations";
  LoadOptions options = test::changed({});
  options.stream = true;
  LoadedStudy loaded = load_study_text(test::kCrank, "crank.toml", options);
  StreamTable table(*loaded.as<ObserveStudy>());
  (void)table.take("t [ms],theta [deg],a [m/s^2]");
  (void)table.take("0,0.5,0");
  const std::size_t before = test::allocation_count();
  for (const char* row : {"1,0.51,-2.5e-3", "2,,\"12.5\"", " 3 , 1e-400 , NA"})
    (void)table.take(row);
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_EQ(table.rows(), 4U);
}

// A stream shows its decimal mark late.
TEST(ObserveStreamTest, TheFirstDecimalMarkIsThatOfAll) {
  EXPECT_EQ(refusal("t;theta;a\n0;0;0\n1;0,5;0\n1,5;1;0\n"), "");
  EXPECT_THAT(refusal("t;theta;a\n0;0;0\n1;0,5;0\n1.5;1;0\n"),
              HasSubstr("standard input:4:1: \"1.5\" is not a number; the decimal mark was ','"));
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

// A row of numbers and empty cells (NaN).
std::vector<double> cells_of(const std::string& line) {
  std::vector<double> values;
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');) {
    values.push_back(cell.empty() ? std::nan("") : std::stod(cell));
  }
  return values;
}

/// A record of the crank at 1 kHz whose sensors are stamped late, by their own delays.
std::string delayed_record(int rows, double encoder_delay, double accelerometer_delay,
                           double first_time = 0.0) {
  RandomStream random(8);
  std::string text = "t,theta,a\n";
  for (int k = 0; k < rows; ++k) {
    const double t = 0.1 + 1e-3 * k;
    const double theta = test::crank_truth(t - encoder_delay).q + 0.003 * random.normal();
    const double a = test::slider_acceleration(test::crank_truth(t - accelerometer_delay)) +
                     0.03 * random.normal();
    text +=
        fmt::format("{:.6f},{:.9f},{:.9f}\n", first_time + t,
                    theta - 2.0 * std::numbers::pi * std::floor(0.5 * theta / std::numbers::pi), a);
  }
  return text;
}

std::vector<std::string> rows_of(ObserveStream& stream, const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::string_view got = stream.take(line);
    if (!got.empty()) out += std::string(got) + "\n";
  }
  out += stream.finish();
  std::vector<std::string> rows;
  std::istringstream written(out);
  for (std::string line; std::getline(written, line);) rows.push_back(line);
  return rows;
}

std::vector<std::string> delays(double encoder, double accelerometer) {
  return {fmt::format("data.sensors.encoder.delay={}", encoder),
          fmt::format("data.sensors.accel.delay={}", accelerometer)};
}

// Whatever the delays, at the last row a stream has used the same readings as the run on the file
// has until that instant. Delays are whole steps, between steps, less than one, and negative.
TEST(ObserveStreamTest, DelaysGiveTheEstimatesOfTheFile) {
  const std::vector<std::pair<double, double>> cases = {{0.005, 0.0},  {0.0024, 0.0}, {0.0004, 0.0},
                                                        {0.0, 0.0024}, {-0.003, 0.0}, {0.0, -0.003},
                                                        {0.03, 0.0}};
  for (const auto& [encoder, accelerometer] : cases) {
    SCOPED_TRACE(fmt::format("{} {}", encoder, accelerometer));
    const std::string text = delayed_record(700, encoder, accelerometer);
    const test::TemporaryFolder folder;
    (void)folder.write("crank.csv", text);
    // A record starts from more readings than a stream that knows the velocities: both are told.
    const double begin = 0.1 - std::max({0.0, encoder, accelerometer});
    std::vector<std::string> changes = delays(encoder, accelerometer);
    changes.push_back(fmt::format("observe.start.coordinates=[{}]", test::crank_truth(begin).q));
    changes.push_back("observe.start.accelerations=[0.0]");
    const LoadedStudy loaded =
        load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(changes));
    ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
    const ObserveResult whole = run_observe(*loaded.as<ObserveStudy>());
    ObserveStream stream = stream_of(changes);
    const std::vector<double> last = cells_of(rows_of(stream, text).back());
    EXPECT_EQ(stream.lost(), 0U);
    Eigen::Index k = loaded.as<ObserveStudy>()->time.size() - 1;
    while (loaded.as<ObserveStudy>()->time[k] > last[0] + 1e-9) --k;
    ASSERT_NEAR(loaded.as<ObserveStudy>()->time[k], last[0], 1e-9);
    const double deviation = whole.estimate.deviation(k, 0);
    // As many digits as are written: nine and four.
    EXPECT_NEAR(last[1], whole.estimate.mean(k, 0), 1e-8 * last[1] + 1e-6 * deviation);
    EXPECT_NEAR(last[2], deviation, 1e-3 * deviation);
  }
}

// Without velocities of its own a stream waits for 64 readings; its first rows are honest.
TEST(ObserveStreamTest, TheFirstRowsAreHonest) {
  std::string study = test::kCrank;
  for (const std::string key : {"start.velocities = [12.0]\n", "start.velocity-sigma = 2.0\n"}) {
    study.erase(study.find(key), key.size());
  }
  for (const double delay : {0.0, 0.03}) {
    for (const double first_time : {0.0, 1.7e9}) {
      LoadOptions options = test::changed(delays(delay, 0.0));
      options.stream = true;
      ObserveStream stream(*load_study_text(study, "crank.toml", options).as<ObserveStudy>());
      std::string text = delayed_record(300, delay, 0.0, first_time);
      const std::size_t cell = text.find(',', text.find('\n')) + 1;
      text.erase(text.find(',', cell) + 1, text.find('\n', cell) - text.find(',', cell) - 1);
      const std::vector<std::string> rows = rows_of(stream, text);
      ASSERT_EQ(rows.size(), 301U);
      for (std::size_t r = 1; r < rows.size(); ++r) {
        const std::vector<double> row = cells_of(rows[r]);
        const test::CrankTruth truth = test::crank_truth(0.1 + 1e-3 * static_cast<double>(r - 1));
        // 600 correlated numbers: none beyond five of its standard deviations.
        EXPECT_LT(std::abs(std::remainder(row[1] - truth.q, 2.0 * std::numbers::pi)), 5.0 * row[2]);
        EXPECT_LT(std::abs(row[3] - truth.w), 5.0 * row[4]) << r;
      }
      // and worth something soon: at 12 rad/s
      EXPECT_LT(cells_of(rows[20])[4], 3.0);
      EXPECT_EQ(stream.waiting(), 0U);
    }
  }
}

TEST(ObserveStreamTest, ReadingsThatCameTooLateAreCounted) {
  // The first rows bring readings of before the start; those of the last 500 are 4.5 s old.
  ObserveStream stream = stream_of(delays(0.0, 4.4995));
  (void)rows_of(stream, delayed_record(5000, 0.0, 4.4995));
  EXPECT_EQ(stream.lost(), 500U);
}

// A stream that ends before there are 64 readings has estimates all the same.
TEST(ObserveStreamTest, EndsWithWhatItHas) {
  std::string study = test::kCrank;
  const std::string key = "start.velocities = [12.0]\n";
  study.erase(study.find(key), key.size());
  LoadOptions options;
  options.stream = true;
  ObserveStream stream(*load_study_text(study, "crank.toml", options).as<ObserveStudy>());
  const std::vector<std::string> rows = rows_of(stream, delayed_record(3, 0.0, 0.0));
  EXPECT_EQ(rows.size(), 4U);
  ObserveStream none(*load_study_text(study, "crank.toml", options).as<ObserveStudy>());
  EXPECT_TRUE(rows_of(none, "t,theta,a\n0,,1\n1,,1\n").empty());
  EXPECT_EQ(none.waiting(), 2U);
}

// Both sensors are late: their readings are counted with the row that brings them.
TEST(ObserveStreamTest, CountsLateReadings) {
  ObserveStream stream = stream_of(delays(0.002, 0.002));
  const std::vector<std::string> rows = rows_of(stream, delayed_record(50, 0.002, 0.002));
  EXPECT_THAT(rows.back(), testing::EndsWith(",,2"));
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
