#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "alembert/study/observe.hpp"
#include "support/data.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace fit_noise_test {

using Eigen::Index;
using testing::Contains;
using testing::HasSubstr;

constexpr double kSigma = 0.03;  // of the accelerometer, m/s²

class FitNoise : public testing::Test {
 protected:
  // Readings of the accelerometer before sample `first` are left out.
  void record(const std::string& text, int first = 0) const {
    std::istringstream lines(text);
    std::string kept;
    int k = -1;
    for (std::string line; std::getline(lines, line); ++k) {
      kept += (k >= 0 && k < first ? line.substr(0, line.rfind(',') + 1) : line) + "\n";
    }
    (void)folder.write("crank.csv", kept);
  }

  [[nodiscard]] ObserveResult run(std::vector<std::string> changes) const {
    changes.emplace_back("observe.fit-sigma=[\"accel\"]");
    std::string text = test::kCrank;
    text.erase(text.find("scored-from"), 18);
    const LoadedStudy loaded =
        load_study_text(text, folder.path() / "crank.toml", test::changed(changes));
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return run_observe(*loaded.as<ObserveStudy>());
  }

  static double sigma(const ObserveResult& result) {
    return result.study.mechanism->description().sensors[1].sigma;
  }

  test::TemporaryFolder folder;
};

// The accelerometer comes when the first 2500 samples after a tenth of the record are over. Its 150
// readings tell sigma from a guess ten times too large: 4 deviations hold all but one of 10,000.
TEST_F(FitNoise, FindsASensorThatComesLate) {
  record(test::white_jerk_record(3000, 31), 2850);
  const ObserveResult result = run({"data.sensors.accel.sigma=0.3"});
  ASSERT_EQ(result.fitted.size(), 1U);
  EXPECT_EQ(result.fitted[0].name, "sigma of accel");
  EXPECT_EQ(result.fitted[0].value, sigma(result));
  EXPECT_LT(result.fitted[0].log_deviation, 0.3);
  EXPECT_NEAR(std::log(sigma(result) / kSigma), 0.0, 4.0 * result.fitted[0].log_deviation);
}

TEST_F(FitNoise, KeepsTheGuessForFewReadings) {
  record(test::white_jerk_record(300, 32), 285);
  const ObserveResult result = run({"data.sensors.accel.sigma=0.1"});
  EXPECT_TRUE(result.fitted.empty());
  EXPECT_EQ(sigma(result), 0.1);
  EXPECT_THAT(result.warnings,
              Contains(HasSubstr("sigma of accel could not be found and stays 0.1, "
                                 "as guessed: 15 readings in the 270 samples")));
}

// A motion allowed to be so rough that each acceleration is news: nothing tells its noise.
TEST_F(FitNoise, KeepsTheGuessWhereNothingTells) {
  record(test::white_jerk_record(600, 33));
  const ObserveResult result = run({"observe.density=1e10", "data.sensors.accel.sigma=0.001"});
  EXPECT_TRUE(result.fitted.empty());
  EXPECT_EQ(sigma(result), 0.001);
  EXPECT_THAT(result.warnings, Contains(HasSubstr("the readings do not determine it")));
}

// The guess is 3000 times 0.03.
TEST_F(FitNoise, SaysThatTheGuessIsFarOff) {
  record(test::white_jerk_record(600, 34));
  const ObserveResult result = run({"data.sensors.accel.sigma=100.0"});
  EXPECT_TRUE(result.fitted.empty());
  EXPECT_THAT(result.warnings, Contains(HasSubstr("what fits lies beyond 1000 times the guess")));
}

// A smooth motion is no white jerk: the noise that fits this model is some 15 % too small, which is
// many deviations of its likelihood (3 %). White snap fits better and finds the noise.
TEST_F(FitNoise, ClaimsNoMoreThanTheMotionModelAllows) {
  for (const std::uint64_t seed : {1U, 2U}) {
    record(test::crank_record(1500, seed));
    const ObserveResult jerk = run({});
    ASSERT_EQ(jerk.fitted.size(), 1U);
    EXPECT_GT(jerk.fitted[0].log_deviation, 0.1);
    EXPECT_NEAR(std::log(sigma(jerk) / kSigma), 0.0, 2.0 * jerk.fitted[0].log_deviation);
    EXPECT_THAT(jerk.study.notes,
                Contains(HasSubstr("motion = \"white-snap\" fits the readings better and gives "
                                   "sigma of accel = 0.0")));
    const ObserveResult snap = run({"observe.motion=white-snap", "observe.density=7e4"});
    ASSERT_EQ(snap.fitted.size(), 1U);
    EXPECT_LT(snap.fitted[0].log_deviation, 0.03);
    EXPECT_NEAR(std::log(sigma(snap) / kSigma), 0.0, 4.0 * snap.fitted[0].log_deviation);
  }
}

TEST_F(FitNoise, SaysThatADensityIsHardlyTold) {
  std::string text = test::kCrank;
  text.erase(text.find("scored-from"), 18);
  text.erase(text.find("density"), 16);
  record(test::crank_record(30, 1));
  const LoadedStudy loaded = load_study_text(text, folder.path() / "crank.toml",
                                             test::changed({"data.sensors.accel.sigma=30.0"}));
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const ObserveResult result = run_observe(*loaded.as<ObserveStudy>());
  ASSERT_EQ(result.fitted.size(), 1U);
  EXPECT_TRUE(std::isnan(result.fitted[0].log_deviation));
  EXPECT_THAT(result.warnings, Contains(HasSubstr("density of angle(crank)")));
}

}  // namespace fit_noise_test
}  // namespace alembert::study
