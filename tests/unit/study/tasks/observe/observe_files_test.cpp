#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/study/observe.hpp"
#include "support/data.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace observe_files_test {

using Eigen::Index;
using testing::HasSubstr;

/// A record of the crank in pieces: lines of the encoder every 2 ms, of the accelerometer every ms,
/// each with its own clock.
class FilesOfSensors : public testing::Test {
 protected:
  FilesOfSensors() {
    std::istringstream rows(test::crank_record(800, 5));
    std::string row;
    std::getline(rows, row);
    std::string encoder = "t [s],angle [rad]\n";
    std::string accelerometer = "t [s],a [m/s^2]\n";
    std::string both = "t [s],theta [rad],a [m/s^2]\n";
    for (int k = 0; std::getline(rows, row); ++k) {
      const std::size_t first = row.find(',');
      const std::size_t second = row.find(',', first + 1);
      const std::string time = row.substr(0, first);
      const std::string a = row.substr(second + 1);
      const bool read = k % 2 == 0;
      const std::string theta = row.substr(first + 1, second - first - 1);
      if (read) encoder += std::to_string(1e-3 * k + 0.25) + "," + theta + "\n";
      accelerometer += time + "," + a + "\n";
      both += time + "," + (read ? theta : "") + "," + a + "\n";
    }
    (void)folder.write("encoder.csv", encoder);
    (void)folder.write("accelerometer.csv", accelerometer);
    (void)folder.write("crank.csv", both);
  }

  [[nodiscard]] LoadedStudy load(const std::vector<std::string>& changes) const {
    return load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(changes));
  }

  test::TemporaryFolder folder;
};

// The same readings, from one file with empty cells and from two with clocks of their own.
TEST_F(FilesOfSensors, GiveTheEstimateOfOneFile) {
  const LoadedStudy one = load({});
  const LoadedStudy two =
      load({"data.sensors.encoder={file=\"encoder.csv\", column=\"angle\", kind=\"angle\", "
            "of=\"crank\", "
            "sigma=0.003, wrap=true, delay=0.25}",
            "data.file=accelerometer.csv"});
  ASSERT_TRUE(one.problems.empty()) << to_string(one.problems.front());
  ASSERT_TRUE(two.problems.empty()) << to_string(two.problems.front());
  const ObserveResult a = run_observe(*one.as<ObserveStudy>());
  const ObserveResult b = run_observe(*two.as<ObserveStudy>());
  ASSERT_EQ(a.estimate.mean.rows(), b.estimate.mean.rows());
  // Times differ by rounding, 1e-16 of 0.8 s, and angles with them.
  EXPECT_LT((a.estimate.mean - b.estimate.mean).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((a.estimate.deviation - b.estimate.deviation).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_F(FilesOfSensors, NeedNoCommonFile) {
  std::string text = test::kCrank;
  text.replace(text.find("file = \"crank.csv\"\n"), 19, "");
  const LoadedStudy loaded = load_study_text(
      text, folder.path() / "crank.toml",
      test::changed({"data.sensors.encoder.file=encoder.csv", "data.sensors.encoder.column=angle",
                     "data.sensors.encoder.delay=0.25",
                     "data.sensors.accel.file=accelerometer.csv"}));
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  EXPECT_EQ(loaded.as<ObserveStudy>()->readings.rows(), 800);
}

// With a file for each sensor nothing is read with the keys of a common one.
TEST_F(FilesOfSensors, LeaveNothingToACommonFile) {
  const std::vector<std::string> own = {
      "data.sensors.encoder.file=encoder.csv", "data.sensors.encoder.column=angle",
      "data.sensors.encoder.delay=0.25", "data.sensors.accel.file=accelerometer.csv"};
  const auto problem = [&](const std::string& text, std::vector<std::string> changes) {
    changes.insert(changes.begin(), own.begin(), own.end());
    const LoadedStudy loaded =
        load_study_text(text, folder.path() / "crank.toml", test::changed(changes));
    return loaded.problems.empty() ? "" : to_string(loaded.problems.front());
  };
  std::string text = test::kCrank;
  EXPECT_THAT(problem(text, {}),
              testing::AllOf(HasSubstr("crank.toml:16"), HasSubstr("data.file has no place here")));
  text.replace(text.find("file = \"crank.csv\"\n"), 19, "");
  EXPECT_EQ(problem(text, {}), "");
  EXPECT_THAT(problem(text, {"data.time=t"}), HasSubstr("data.time has no place here"));
  EXPECT_THAT(problem(text, {"data.step=0.001"}), HasSubstr("data.step has no place here"));
  EXPECT_THAT(problem(text, {"data.dataset=x"}), HasSubstr("data.dataset has no place here"));
  // A stream does not look at files, and needs the time.
  LoadOptions stream = test::changed({"data.time=t"});
  stream.stream = true;
  EXPECT_TRUE(load_study_text(text, "crank.toml", stream).problems.empty());
}

// A clock that is 10^6 s off leaves a sensor without readings when the record begins.
TEST_F(FilesOfSensors, ASensorWithoutReadingsIsNamed) {
  const LoadedStudy loaded = load({"data.sensors.accel.delay=1e6"});
  ASSERT_FALSE(loaded.problems.empty());
  EXPECT_THAT(to_string(loaded.problems.front()),
              testing::AllOf(HasSubstr("data.sensors.accel: no reading is left"),
                             HasSubstr("before t = 0 s"), HasSubstr("delay")));
  // Some are left.
  EXPECT_TRUE(load({"data.sensors.accel.delay=0.1"}).problems.empty());
}

// A delay that is not told spoils the estimate: 12.56 rad/s in 10 ms are 0.13 rad, 40 deviations.
TEST_F(FilesOfSensors, ADelayIsTakenOut) {
  const std::string late =
      "data.sensors.encoder={file=\"encoder.csv\", column=\"angle\", kind=\"angle\", of=\"crank\", "
      "sigma=0.003, wrap=true, delay=0.24}";
  const LoadedStudy wrong = load({late, "data.file=accelerometer.csv"});
  ASSERT_TRUE(wrong.problems.empty()) << to_string(wrong.problems.front());
  EXPECT_FALSE(run_observe(*wrong.as<ObserveStudy>()).consistency.good);
}

TEST_F(FilesOfSensors, AreNamedInErrors) {
  const LoadedStudy missing = load({"data.sensors.encoder.file=nothing.csv"});
  ASSERT_FALSE(missing.problems.empty());
  EXPECT_THAT(to_string(missing.problems.front()),
              testing::AllOf(HasSubstr("data.sensors.encoder.file"), HasSubstr("nothing.csv")));
  const LoadedStudy column = load({"data.sensors.encoder.file=encoder.csv"});
  ASSERT_FALSE(column.problems.empty());
  EXPECT_THAT(to_string(column.problems.front()), HasSubstr("theta"));
  const LoadedStudy lonely = load({"data.sensors.encoder.time=t"});
  ASSERT_FALSE(lonely.problems.empty());
  EXPECT_THAT(to_string(lonely.problems.front()), HasSubstr("file"));
}

}  // namespace observe_files_test
}  // namespace alembert::study
