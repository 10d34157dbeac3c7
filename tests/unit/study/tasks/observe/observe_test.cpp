#include "alembert/study/observe.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "alembert/io/table.hpp"
#include "support/data.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace observe_test {

using Eigen::Index;
using testing::HasSubstr;

constexpr int kSamples = 1200;
constexpr Index kFirst = 300;  // scored from here on

class ObserveTask : public testing::Test {
 protected:
  void record(std::uint64_t seed, double bias = 0.0) const {
    (void)folder.write("crank.csv", test::crank_record(kSamples, seed, bias));
  }
  ObserveResult run(const std::vector<std::string>& changes = {}) const {
    const LoadedStudy loaded =
        load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(changes));
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return run_observe(*loaded.as<ObserveStudy>());
  }

  test::TemporaryFolder folder;
};

// Root mean square error of velocity and acceleration over the scored samples.
Eigen::Vector2d errors(const Eigen::MatrixXd& mean) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (Index k = kFirst; k < mean.rows(); ++k) {
    const test::CrankTruth truth = test::crank_truth(1e-3 * static_cast<double>(k));
    sum.x() += std::pow(mean(k, 1) - truth.w, 2);
    sum.y() += std::pow(mean(k, 2) - truth.al, 2);
  }
  return (sum / static_cast<double>(mean.rows() - kFirst)).cwiseSqrt();
}

// Published for 30 s: 0.0078 rad/s and 0.50 rad/s² filtered, 0.0013 and 0.060 smoothed. A record of
// 0.9 s has fewer independent errors: twice that.
TEST_F(ObserveTask, FindsTheMotionOfTheCrank) {
  record(1);
  const ObserveResult result = run();
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  const Eigen::Vector2d filtered = errors(result.estimate.mean);
  // A smoother has no lag to fear: its best density is smaller.
  const Eigen::Vector2d smoothed =
      errors(run({"observe.smooth=true", "observe.density=3.16"}).estimate.smoothed_mean);
  EXPECT_LT(filtered.x(), 0.0156);
  EXPECT_LT(filtered.y(), 1.0);
  EXPECT_LT(smoothed.x(), 0.0026);
  EXPECT_LT(smoothed.y(), 0.12);
  EXPECT_TRUE(result.consistency.judged);
  EXPECT_EQ(result.consistency.squares.expected, 2.0);
  EXPECT_TRUE(result.consistency.good) << result.consistency.words;
  EXPECT_EQ(result.scored, kSamples - kFirst);
  // NIS is the square of the whitened innovations, whatever their order.
  for (Index k = 0; k < kSamples; k += 37) {
    EXPECT_NEAR(result.estimate.nis(k), result.estimate.whitened.row(k).squaredNorm(),
                1e-12 * (1.0 + result.estimate.nis(k)));
  }
  // The encoder's innovations are about its noise, which 900 samples give within 10 %.
  EXPECT_NEAR(result.sensors[0].innovation_rms, 0.003, 0.0003);
  EXPECT_NEAR(result.sensors[0].expected_rms, 0.003, 0.0003);
  EXPECT_EQ(result.states[1].column, "angle_crank_velocity");
  EXPECT_EQ(result.states[1].unit, "rad/s");
}

// Without a density the likeliest one is taken: a filter nearly as good as one tuned with the
// truth.
TEST_F(ObserveTask, FindsTheDensity) {
  record(10);
  const ObserveResult tuned = run();
  const LoadedStudy loaded = [&] {
    std::string text = test::kCrank;
    return load_study_text(text.erase(text.find("density"), 16), folder.path() / "crank.toml",
                           test::changed({"observe.motion=\"white-jerk\""}));
  }();
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const ObserveResult fitted = run_observe(*loaded.as<ObserveStudy>());
  ASSERT_TRUE(fitted.ok()) << fitted.message;
  EXPECT_TRUE(fitted.study.options.fit_density);
  EXPECT_GT(fitted.study.options.output_noise.density[0], 10.0);
  EXPECT_LT(fitted.study.options.output_noise.density[0], 500.0);
  EXPECT_LT(errors(fitted.estimate.mean).x(), 1.5 * errors(tuned.estimate.mean).x());
  EXPECT_TRUE(fitted.consistency.good) << fitted.consistency.words;
}

// Without a motion model either, the one that fits better is taken: this motion is smooth.
TEST_F(ObserveTask, FindsTheMotionModel) {
  record(10);
  std::string text = test::kCrank;
  text.erase(text.find("density"), 16);
  const LoadedStudy loaded = load_study_text(text, folder.path() / "crank.toml");
  const ObserveResult found = run_observe(*loaded.as<ObserveStudy>());
  EXPECT_EQ(found.study.options.output.motion, estimate::MotionModel::WhiteSnap);
  EXPECT_THAT(found.study.notes, testing::Contains(HasSubstr("motion = \"white-snap\"")));
  // Nearly as good as the filter that was tuned with the truth, as above.
  EXPECT_LT(errors(found.estimate.mean).x(), 1.5 * errors(run().estimate.mean).x());
  EXPECT_EQ(found.verdict.level, TrustLevel::Good);
}

// Guesses three times too large and five times too small. The search says how well it knows each
// level; 4 such deviations hold all but one of 10,000.
TEST_F(ObserveTask, FindsTheNoiseOfTheSensors) {
  (void)folder.write("crank.csv", test::white_jerk_record(2800, 13));
  std::string text = test::kCrank;
  text.erase(text.find("density"), 16);
  const LoadedStudy loaded = load_study_text(
      text, folder.path() / "crank.toml",
      test::changed({"observe.fit-sigma=[\"encoder\", \"accel\"]",
                     "data.sensors.encoder.sigma=0.009", "data.sensors.accel.sigma=0.006"}));
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const ObserveResult fitted = run_observe(*loaded.as<ObserveStudy>());
  ASSERT_EQ(fitted.fitted.size(), 3U);
  EXPECT_EQ(fitted.fitted[0].name, "density of angle(crank)");
  EXPECT_EQ(fitted.fitted[1].name, "sigma of encoder");
  const double truth[] = {160.0, 0.003, 0.03};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::log(fitted.fitted[i].value / truth[i]), 0.0,
                4.0 * fitted.fitted[i].log_deviation)
        << fitted.fitted[i].name;
  }
  // 1/√(2 N) for N = 2500 samples, were the encoder all noise.
  EXPECT_NEAR(fitted.fitted[1].log_deviation, 1.0 / std::sqrt(5000.0), 0.003);
  EXPECT_EQ(fitted.study.mechanism->description().sensors[0].sigma, fitted.fitted[1].value);
  EXPECT_TRUE(fitted.consistency.good) << fitted.consistency.words;
  // The jerk is white: no other motion explains the readings better.
  EXPECT_THAT(fitted.study.notes, testing::Not(testing::Contains(HasSubstr("fits the readings"))));
}

// Throwing readings away must not pay: with a gate the density is nearly that without one.
TEST_F(ObserveTask, AGateDoesNotMisleadTheDensity) {
  (void)folder.write("crank.csv", test::white_jerk_record(2000, 14));
  std::string text = test::kCrank;
  text.erase(text.find("density"), 16);
  const auto fitted = [&](const std::vector<std::string>& changes) {
    const LoadedStudy loaded =
        load_study_text(text, folder.path() / "crank.toml", test::changed(changes));
    return run_observe(*loaded.as<ObserveStudy>());
  };
  const ObserveResult open = fitted({});
  const ObserveResult gated = fitted({"observe.gate.probability=0.99"});
  // One in a hundred readings is at the limit in place of beyond it.
  EXPECT_NEAR(std::log(gated.fitted[0].value / open.fitted[0].value), 0.0, 0.3);
  EXPECT_TRUE(gated.consistency.good) << gated.consistency.words;
}

// An accelerometer mounted the other way round: the gate keeps it out, and the verdict says so.
TEST_F(ObserveTask, SaysWhatTheGateKeepsOut) {
  record(15);
  const ObserveResult result =
      run({"observe.gate.probability=0.999", "data.sensors.accel.axis=[0.0, -1.0]"});
  EXPECT_FALSE(result.consistency.good);
  ASSERT_FALSE(result.consistency.kept_out.empty());
  EXPECT_THAT(result.consistency.kept_out.back(), HasSubstr("of accel"));
  EXPECT_GT(result.sensors[1].rejected, kSamples / 2);
  EXPECT_THAT(result.verdict.reasons,
              testing::Contains(HasSubstr("of accel, which are no outliers")));
}

TEST_F(ObserveTask, SaysThatTheStandardDeviationsAreTooSmall) {
  record(2);
  const ObserveResult result = run({"observe.density=1e-3"});
  EXPECT_THAT(result.consistency.words, HasSubstr("larger than the filter expects"));
  EXPECT_NE(result.verdict.level, TrustLevel::Good);
  EXPECT_THAT(result.verdict.reasons, testing::Contains(HasSubstr("times as large as expected")));
  EXPECT_FALSE(result.consistency.good);
  EXPECT_GT(result.consistency.squares.average, result.consistency.squares.upper);
}

// A bias of ten times the noise spoils the estimate unless it is a state.
TEST_F(ObserveTask, EstimatesABias) {
  record(3, 0.3);
  const ObserveResult without = run();
  EXPECT_FALSE(without.consistency.good);
  const ObserveResult with = run({"observe.biases={sensors=[\"accel\"], sigma=0.3}"});
  ASSERT_EQ(with.states.size(), 4U);
  EXPECT_EQ(with.states[3].column, "bias_accel");
  const Index last = kSamples - 1;
  EXPECT_NEAR(with.estimate.mean(last, 3), 0.3, 4.0 * with.estimate.deviation(last, 3));
  EXPECT_LT(with.estimate.deviation(last, 3), 0.05);
  EXPECT_LT(errors(with.estimate.mean).x(), 0.5 * errors(without.estimate.mean).x());
}

// A bias of a third of the noise hardly changes the NIS but spoils the velocity: the sums of the
// encoder's innovations tell.
TEST_F(ObserveTask, SeesASmallBiasInTheEncoder) {
  (void)folder.write("crank.csv", test::crank_record(4000, 12, 0.01));
  const ObserveResult result = run();
  const double nis = result.consistency.squares.average / result.consistency.squares.expected;
  EXPECT_LT(nis, 1.0);
  EXPECT_FALSE(result.consistency.good) << result.consistency.words;
  EXPECT_EQ(result.consistency.too_slow, std::vector<std::string>{"encoder"});
  EXPECT_THAT(result.consistency.words, HasSubstr("strays slowly from encoder"));
  const ObserveResult with = run({"observe.biases={sensors=[\"accel\"], sigma=0.1}"});
  EXPECT_TRUE(with.consistency.good) << with.consistency.words;
}

// Ten clean records, none suspected: at 1 % for each of three rules 0.3 alarms are to be expected.
TEST_F(ObserveTask, RaisesNoFalseAlarm) {
  for (std::uint64_t seed = 20; seed < 30; ++seed) {
    record(seed);
    const ObserveResult result = run();
    EXPECT_TRUE(result.consistency.good) << seed << ": " << result.consistency.words;
  }
}

// Biases of an angle and an acceleration have standard deviations of their own; that of the encoder
// cannot be told from the angle and stays as it was.
TEST_F(ObserveTask, BiasesMayDifferInSize) {
  record(11, 0.3);
  const ObserveResult result =
      run({"observe.biases={sensors=[\"encoder\", \"accel\"], sigma=[1e-4, 0.4]}"});
  ASSERT_EQ(result.states.size(), 5U);
  EXPECT_LE(result.estimate.deviation(0, 3), 1e-4);
  EXPECT_GT(result.estimate.deviation(0, 4), 0.05);
  EXPECT_NEAR(result.estimate.mean(kSamples - 1, 4), 0.3,
              4.0 * result.estimate.deviation(kSamples - 1, 4));
}

// The crank of the study is 2 mm too long; the state finds it.
TEST_F(ObserveTask, EstimatesALength) {
  record(4);
  const std::string longer = "mechanism.bodies.crank.points.A=[0.072, 0.0]";
  const ObserveResult with = run({longer, "observe.lengths.sigma=0.003"});
  const Index last = kSamples - 1;
  ASSERT_EQ(with.states[3].name, "r");
  EXPECT_NEAR(with.estimate.mean(last, 3), -0.002, 4.0 * with.estimate.deviation(last, 3));
  EXPECT_LT(errors(with.estimate.mean).x(), 0.5 * errors(run({longer}).estimate.mean).x());
}

// All filters agree on a problem so nearly linear: within a tenth of a standard deviation.
TEST_F(ObserveTask, FiltersAgree) {
  record(5);
  const ObserveResult ekf = run();
  for (const char* filter : {"iterated-ekf", "square-root-ekf", "simplex", "square-root-simplex",
                             "unscented", "cubature"}) {
    const ObserveResult other = run({std::string("observe.filter=") + filter});
    ASSERT_TRUE(other.ok()) << filter << other.message;
    for (Index k = kFirst; k < kSamples; k += 100) {
      for (Index i = 0; i < 3; ++i) {
        EXPECT_NEAR(other.estimate.mean(k, i), ekf.estimate.mean(k, i),
                    0.1 * ekf.estimate.deviation(k, i))
            << filter;
      }
    }
  }
}

TEST_F(ObserveTask, InputFormIsWorseAndSwitches) {
  record(6);
  const ObserveResult output = run();
  const ObserveResult input =
      run({"observe={form=\"input\", noise=[1e-12, 9e-7, 0.26], scored-from=0.3, "
           "switch={threshold=0.0022, noise=[1e-12, 2.6e-5, 0.0126]}, "
           "start={velocities=[12.0], velocity-sigma=2.0}}"});
  ASSERT_TRUE(input.ok()) << input.message;
  const auto walked =
      std::count(input.estimate.random_walk.begin(), input.estimate.random_walk.end(), true);
  EXPECT_GT(walked, 100);
  EXPECT_LT(walked, kSamples / 2);
  EXPECT_GT(errors(input.estimate.mean).y(), 1.3 * errors(output.estimate.mean).y());
  EXPECT_EQ(input.sensors[1].role, estimate::SensorRole::Input);
}

TEST_F(ObserveTask, SaysWhatTheSensorsSee) {
  record(7);
  const ObserveResult result = run();
  EXPECT_EQ(result.observability.position_sensors.lowest_rank, 1);
  const std::string words = testing::PrintToString(result.observability_words);
  EXPECT_THAT(words, HasSubstr("The position sensors fix the coordinate at all places tried"));
  // The slider's acceleration says nothing of the crank's at the dead centre π/2.
  const ObserveResult dead = run(
      {"observe.workspace={lower=[1.0707963267948966], upper=[2.0707963267948966], points=11}"});
  EXPECT_EQ(dead.observability.acceleration_sensors.lowest_rank, 0);
  EXPECT_NEAR(dead.observability.acceleration_sensors.worst_at(0), std::numbers::pi / 2.0, 1e-12);
}

TEST_F(ObserveTask, OutliersAreKeptOut) {
  std::string text = test::crank_record(kSamples, 8);
  // Every 100th reading of the accelerometer jumps.
  std::string spoilt;
  std::istringstream lines(text);
  int k = -1;
  for (std::string line; std::getline(lines, line); ++k) {
    if (k > 0 && k % 100 == 0) line = line.substr(0, line.rfind(',') + 1) + "80.0";
    spoilt += line + "\n";
  }
  (void)folder.write("crank.csv", spoilt);
  const ObserveResult open = run();
  const ObserveResult gated = run({"observe.gate.probability=0.9999"});
  EXPECT_LT(errors(gated.estimate.mean).y(), 0.3 * errors(open.estimate.mean).y());
  EXPECT_LT(errors(gated.estimate.mean).x(), 0.0156);
}

TEST_F(ObserveTask, MissingReadingsAndDegreesAreUnderstood) {
  std::string text = "t [s],theta [deg],a [m/s^2]\n";
  for (int k = 0; k < kSamples; ++k) {
    const test::CrankTruth truth = test::crank_truth(1e-3 * k);
    // The encoder comes every fifth sample only.
    text += std::to_string(1e-3 * k) + "," +
            (k % 5 == 0 ? std::to_string(truth.q * 180.0 / std::numbers::pi) : "") + "," +
            std::to_string(test::slider_acceleration(truth)) + "\n";
  }
  (void)folder.write("crank.csv", text);
  const ObserveResult result = run();
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.sensors[0].readings, kSamples / 5);
  EXPECT_THAT(result.study.notes, testing::Contains(HasSubstr("from deg to rad")));
  EXPECT_LT(errors(result.estimate.mean).x(), 0.0156);
}

TEST_F(ObserveTask, WritesEstimatesAndResult) {
  record(9);
  const ObserveResult result = run({"observe.smooth=true"});
  write_observe_result(result, folder.path());
  const signal::Record estimates = io::read_record(folder.path() / "estimates.csv");
  EXPECT_EQ(estimates.size(), kSamples);
  EXPECT_EQ(estimates.values("angle_crank_smoothed")(17), result.estimate.smoothed_mean(17, 0));
  EXPECT_EQ(estimates.values("innovation_accel_std")(17),
            result.estimate.innovation_deviation(17, 1));
  std::ifstream stream(folder.path() / "result.json");
  const nlohmann::json json = nlohmann::json::parse(stream);
  EXPECT_EQ(json["task"], "observe");
  EXPECT_EQ(json["observer"]["motion"], "white-jerk");
  EXPECT_EQ(json["states"][2]["unit"], "rad/s^2");
  EXPECT_EQ(json["consistency"]["nis"]["expected"], 2.0);
}

}  // namespace observe_test
}  // namespace alembert::study
