#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/simulate.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace mechanism_simulate_test {

using Eigen::Index;
using Eigen::VectorXd;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kTurn = 2.0 * std::numbers::pi;
// Newton ends where joints close to 1e-13 of their size; a factor of 1000 for velocities squared.
constexpr double kClosed = 1e-10;

// The slider-crank of the other tests with a motion in place of its record; [observe] is left out.
std::string crank_text() {
  std::string text = test::kCrank.substr(0, test::kCrank.find("[observe]"));
  const std::string file = "file = \"crank.csv\"\n";
  text.erase(text.find(file), file.size());
  return text + R"toml([simulate]
step = 0.001
samples = 1200
seed = 7
[simulate.motion]
"angle(crank)" = "12.56*t + 1.256/(4*pi)*sin(4*pi*t)"
)toml";
}

LoadedStudy load(const std::vector<std::string>& changes, const std::string& text = crank_text()) {
  return load_study_text(text, "crank.toml", test::changed(changes));
}

SimulateResult simulate(const std::vector<std::string>& changes = {}, int threads = 1) {
  const LoadedStudy loaded = load(changes);
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const Machines machines;
  return run_simulate(*loaded.as<SimulateStudy>(), machines, {.threads = threads});
}

std::string problem(const std::vector<std::string>& changes,
                    const std::string& text = crank_text()) {
  const LoadedStudy loaded = load(changes, text);
  if (!loaded.problems.empty()) return to_string(loaded.problems.front());
  try {
    const Machines machines;
    (void)run_simulate(*loaded.as<SimulateStudy>(), machines);
  } catch (const StudyError& error) {
    return error.what();
  }
  return "";
}

VectorXd column(const signal::Record& record, const std::string& name) {
  return record.values(name);
}

TEST(MechanismSimulate, TruthIsTheClosedForm) {
  const SimulateResult result = simulate();
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_TRUE(result.warnings.empty());
  const signal::Record& truth = result.experiments.front().truth;
  for (Index k = 0; k < truth.size(); ++k) {
    const test::CrankTruth expected = test::crank_truth(truth.time()[k]);
    EXPECT_NEAR(column(truth, "angle_crank")(k), expected.q, 100 * test::kEps);
    EXPECT_NEAR(column(truth, "angle_crank_velocity")(k), expected.w, 100 * test::kEps);
    EXPECT_NEAR(column(truth, "angle_crank_acceleration")(k), expected.al, 1000 * test::kEps);
    EXPECT_NEAR(column(truth, "encoder_true")(k), expected.q, kClosed);
    EXPECT_NEAR(column(truth, "accel_true")(k), test::slider_acceleration(expected), kClosed);
  }
}

// Mean and standard deviation of N = 1200 errors: within four standard errors, σ/√N and σ/√(2N).
TEST(MechanismSimulate, NoiseIsThatOfTheSensors) {
  const SimulateResult result = simulate({"data.sensors.accel.offset=0.5"});
  const Experiment& experiment = result.experiments.front();
  VectorXd angle = column(experiment.record, "theta") - column(experiment.truth, "encoder_true");
  EXPECT_GE(column(experiment.record, "theta").minCoeff(), 0.0);
  EXPECT_LT(column(experiment.record, "theta").maxCoeff(), kTurn);
  for (double& error : angle) error = std::remainder(error, kTurn);
  const VectorXd accel =
      (column(experiment.record, "a") - column(experiment.truth, "accel_true")).array() - 0.5;
  for (const auto& [errors, sigma] : {std::pair(angle, 0.003), std::pair(accel, 0.03)}) {
    const auto n = static_cast<double>(errors.size());
    EXPECT_NEAR(errors.mean(), 0.0, 4.0 * sigma / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(errors.squaredNorm() / n), sigma, 4.0 * sigma / std::sqrt(2.0 * n));
  }
}

TEST(MechanismSimulate, SameNumbersForAnyThreadsAndOtherSensors) {
  const SimulateResult one = simulate({"simulate.experiments=3"}, 1);
  const SimulateResult four = simulate({"simulate.experiments=3"}, 4);
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(one.experiments[e].record.samples(), four.experiments[e].record.samples());
  }
  EXPECT_NE(one.experiments[0].record.samples(), one.experiments[1].record.samples());
  const SimulateResult more =
      simulate({"data.sensors.gyro={kind=\"angular-rate\", of=\"rod\", sigma=0.1}"});
  EXPECT_EQ(column(more.experiments[0].record, "a"), column(one.experiments[0].record, "a"));
}

// The tilt of gravity, bias, own rate and delay, without noise; all from the definition.
TEST(MechanismSimulate, ErrorsThatTheObserverIsNotTold) {
  const SimulateResult result =
      simulate({"simulate.sensors.accel={sigma=0.0, bias=0.25, rate=500.0, delay=0.002}",
                "simulate.sensors.encoder.sigma=0.0", "mechanism.gravity=[0.0, -9.81]"});
  const signal::Record& record = result.experiments.front().record;
  for (Index k = 2; k < record.size(); ++k) {
    const test::CrankTruth now = test::crank_truth(record.time()[k]);
    EXPECT_NEAR(std::remainder(column(record, "theta")(k) - now.q, kTurn), 0.0, kClosed);
    if (k % 2 == 1) {
      EXPECT_TRUE(std::isnan(column(record, "a")(k)));
    } else {
      const test::CrankTruth before = test::crank_truth(record.time()[k - 2]);
      EXPECT_NEAR(column(record, "a")(k), test::slider_acceleration(before) + 9.81 + 0.25, kClosed);
    }
  }
}

// A delay that the observer knows is in the record too, beside one that it is not told.
TEST(MechanismSimulate, KnownDelaysAreInTheRecord) {
  const SimulateResult result =
      simulate({"data.sensors.accel.delay=0.003", "simulate.sensors.accel={sigma=0.0, delay=0.001}",
                "simulate.sensors.encoder.sigma=0.0"});
  const VectorXd a = column(result.experiments.front().record, "a");
  EXPECT_TRUE(a.head(4).array().isNaN().all());
  for (Index k = 4; k < a.size(); ++k) {
    const test::CrankTruth before = test::crank_truth(0.001 * static_cast<double>(k - 4));
    EXPECT_NEAR(a(k), test::slider_acceleration(before), kClosed) << k;
  }
}

// 25 ms are 19 degrees of the crank: an observer that took the readings for those of their stamps
// would be wrong by hundreds of standard deviations.
TEST(MechanismSimulate, AKnownDelayIsTakenBackWhenObserved) {
  const test::TemporaryFolder folder;
  const std::string both = crank_text() + test::kCrank.substr(test::kCrank.find("[observe]"));
  const auto loaded = [&](std::vector<std::string> changes) {
    for (const char* sensor : {"accel", "encoder"}) {
      changes.push_back(std::string("data.sensors.") + sensor + ".delay=0.025");
    }
    return load_study_text(both, folder.path() / "crank.toml", test::changed(changes));
  };
  const LoadedStudy first = loaded({});
  ASSERT_TRUE(first.problems.empty()) << to_string(first.problems.front());
  const Machines machines;
  const SimulateResult made = run_simulate(*first.as<SimulateStudy>(), machines);
  io::write_record(folder.path() / "made.csv", made.experiments.front().record);
  const LoadedStudy second = loaded({"data.file=made.csv"});
  ASSERT_TRUE(second.problems.empty()) << to_string(second.problems.front());
  const ObserveResult seen = run_observe(*second.as<ObserveStudy>());
  ASSERT_TRUE(seen.ok());
  ASSERT_EQ(seen.estimate.mean.rows(), 1175);
  double sum = 0.0;
  for (Index k = 300; k < 1175; ++k) {
    const double t = second.as<ObserveStudy>()->time[k];
    const double error = seen.estimate.mean(k, 0) - test::crank_truth(t).q;
    sum += std::pow(std::remainder(error, kTurn) / seen.estimate.deviation(k, 0), 2);
  }
  // As in OneStudyMaySimulateAndObserve: within a factor of 1.5.
  const double rms = std::sqrt(sum / 875.0);
  EXPECT_GT(rms, 1.0 / 1.5);
  EXPECT_LT(rms, 1.5);
}

TEST(MechanismSimulate, ALengthThatTheObserverIsNotTold) {
  const SimulateResult result = simulate({"simulate.lengths.r=0.002"});
  const signal::Record& truth = result.experiments.front().truth;
  const VectorXd accel = column(truth, "accel_true");
  for (Index k = 0; k < truth.size(); k += 50) {
    const test::CrankTruth now = test::crank_truth(truth.time()[k]);
    EXPECT_NEAR(accel(k), test::slider_acceleration(now, 0.142), kClosed);
  }
}

// The round trip: a reading back through physical_value() is the truth within half a count.
TEST(MechanismSimulate, CountsAreReadBack) {
  const test::TemporaryFolder folder;
  const std::string counting =
      "data.sensors.encoder={column=\"theta\", kind=\"angle\", of=\"crank\", counts=500, "
      "wrap=true, offset=0.3}";
  const SimulateResult result = simulate({counting});
  const Experiment& experiment = result.experiments.front();
  const VectorXd counts = column(experiment.record, "theta");
  EXPECT_EQ(counts, counts.array().round().matrix());
  EXPECT_GE(counts.minCoeff(), 0.0);
  EXPECT_LE(counts.maxCoeff(), 499.0);
  io::write_record(folder.path() / "crank.csv", experiment.record);
  const LoadedStudy observe =
      load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed({counting}));
  ASSERT_TRUE(observe.problems.empty()) << to_string(observe.problems.front());
  const model::planar::Sensor& sensor =
      observe.as<ObserveStudy>()->mechanism->description().sensors[0];
  for (Index k = 0; k < counts.size(); ++k) {
    const double value =
        model::planar::physical_value(sensor, observe.as<ObserveStudy>()->readings(k, 0));
    const double truth = column(experiment.truth, "encoder_true")(k);
    EXPECT_LE(std::abs(std::remainder(value - truth, kTurn)), 0.5 * kTurn / 500.0 + kClosed);
  }
}

// A column in degrees is the same encoder: counts times 360/500.
TEST(MechanismSimulate, CountsMayStandInTheFileAsAngles) {
  const test::TemporaryFolder folder;
  const auto readings = [&](const std::string& unit, double factor) {
    std::string text = "t [s],theta" + unit + ",a [m/s^2]\n";
    for (int k = 0; k < 10; ++k) {
      text += std::to_string(1e-3 * k) + "," + std::to_string(factor * k) + ",0.0\n";
    }
    (void)folder.write("crank.csv", text);
    const LoadedStudy loaded = load_study_text(
        test::kCrank, folder.path() / "crank.toml",
        test::changed({"data.sensors.encoder={column=\"theta\", kind=\"angle\", of=\"crank\", "
                       "counts=500}",
                       "observe.scored-from=0.0"}));
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return VectorXd(loaded.as<ObserveStudy>()->readings.col(0));
  };
  const VectorXd counts = readings("", 1.0);
  EXPECT_EQ(counts, VectorXd::LinSpaced(10, 0.0, 9.0));
  // Six decimals in the file.
  EXPECT_TRUE(test::matrices_near(readings(" [deg]", 0.72), counts, {.abs = 1e-6}));
  EXPECT_TRUE(test::matrices_near(readings(" [count]", 1.0), counts, {.abs = 1e-6}));
  EXPECT_THROW((void)readings(" [m]", 1.0), DataError);
}

// A quintic spline through 61 samples of a sine of 1 Hz over 1.2 s: the error of its second
// derivative is of the order of h⁴ ω⁶ = 1e-2; at the samples, where it is even, 1e-4 of ω² A.
TEST(MechanismSimulate, FollowsAFile) {
  const test::TemporaryFolder folder;
  std::string text = "time [s],angle [deg]\n";
  const double omega = kTurn;
  for (int k = 0; k <= 61; ++k) {
    const double t = 0.02 * k;
    char line[80];
    std::snprintf(line, sizeof line, "%.17g,%.17g\n", t,
                  (0.8 + 0.5 * std::sin(omega * t)) * 360.0 / kTurn);
    text += line;
  }
  (void)folder.write("plan.csv", text);
  const auto changes =
      test::changed({"simulate.motion={\"angle(crank)\"={file=\"plan.csv\", column=\"angle\"}}"});
  const LoadedStudy loaded = load_study_text(crank_text(), folder.path() / "crank.toml", changes);
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const Machines machines;
  const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines);
  const signal::Record& truth = result.experiments.front().truth;
  for (Index k = 100; k < 1100; ++k) {
    const double t = truth.time()[k];
    EXPECT_NEAR(column(truth, "angle_crank")(k), 0.8 + 0.5 * std::sin(omega * t), 1e-7);
    EXPECT_NEAR(column(truth, "angle_crank_acceleration")(k),
                -0.5 * omega * omega * std::sin(omega * t), 1e-2);
  }
  const LoadedStudy longer =
      load_study_text(crank_text(), folder.path() / "crank.toml",
                      test::changed({"simulate.samples=3000",
                                     "simulate.motion={\"angle(crank)\"={file=\"plan.csv\", "
                                     "column=\"angle\"}}"}));
  ASSERT_FALSE(longer.problems.empty());
  EXPECT_THAT(to_string(longer.problems.front()),
              HasSubstr("plan.csv must cover 0 to 2.999 s, covers 0 to 1.22 s"));
}

TEST(MechanismSimulate, OneStudyMaySimulateAndObserve) {
  const test::TemporaryFolder folder;
  const std::string both = crank_text() + test::kCrank.substr(test::kCrank.find("[observe]"));
  const LoadedStudy first = load_study_text(both, folder.path() / "crank.toml");
  ASSERT_TRUE(first.problems.empty()) << to_string(first.problems.front());
  EXPECT_EQ(first.task, "simulate");
  const Machines machines;
  const SimulateResult made = run_simulate(*first.as<SimulateStudy>(), machines);
  io::write_record(folder.path() / "made.csv", made.experiments.front().record);
  const LoadedStudy second =
      load_study_text(both, folder.path() / "crank.toml", test::changed({"data.file=made.csv"}));
  ASSERT_TRUE(second.problems.empty()) << to_string(second.problems.front());
  EXPECT_EQ(second.task, "observe");
  const ObserveResult seen = run_observe(*second.as<ObserveStudy>());
  ASSERT_TRUE(seen.ok());
  EXPECT_TRUE(seen.warnings.empty()) << seen.warnings.front();
  // Honest: velocity errors over their standard deviation are about one. 900 correlated samples
  // are some 30 independent ones: within a factor of 1.5.
  const VectorXd truth = column(made.experiments.front().truth, "angle_crank_velocity");
  const VectorXd ratio =
      (seen.estimate.mean.col(1) - truth).cwiseQuotient(seen.estimate.deviation.col(1)).tail(900);
  const double rms = std::sqrt(ratio.squaredNorm() / 900.0);
  EXPECT_GT(rms, 1.0 / 1.5);
  EXPECT_LT(rms, 1.5);
  const LoadedStudy own_files = load_study_text(
      both, folder.path() / "crank.toml",
      test::changed({"data.sensors.accel.file=made.csv", "data.sensors.encoder.file=made.csv"}));
  ASSERT_TRUE(own_files.problems.empty()) << to_string(own_files.problems.front());
  EXPECT_EQ(own_files.task, "observe");
  LoadOptions seeded = test::changed({"data.file=made.csv"});
  seeded.seed = 3;
  const LoadedStudy random = load_study_text(both, folder.path() / "crank.toml", seeded);
  ASSERT_FALSE(random.problems.empty());
  EXPECT_THAT(to_string(random.problems.front()), HasSubstr("nothing else is random"));
  LoadOptions stream;
  stream.stream = true;
  EXPECT_TRUE(load_study_text(both, "crank.toml", stream).as<ObserveStudy>() != nullptr);
}

TEST(MechanismSimulate, SaysWhatIsWrong) {
  const std::string motion = "simulate.motion=";
  EXPECT_THAT(problem({motion + "{\"angle(rod)\"=\"t\"}"}),
              HasSubstr("the mechanism has no coordinate \"angle(rod)\""));
  EXPECT_THAT(problem({motion + "{crank=\"t\"}"}),
              HasSubstr("the mechanism has no coordinate \"crank\""));
  EXPECT_THAT(problem({motion + "{}"}),
              HasSubstr("[simulate.motion] needs the key \"angle(crank)\""));
  EXPECT_THAT(problem({"simulate.step=0"}), HasSubstr("simulate.step must be above 0"));
  EXPECT_THAT(problem({"simulate.samples=1"}), HasSubstr("simulate.samples must be from 2"));
  EXPECT_THAT(problem({"data.sensors={}"}),
              HasSubstr("data.sensors must name at least one sensor"));
  EXPECT_THAT(problem({"data.file=x.csv"}), HasSubstr("data.file has no place with [simulate]"));
  EXPECT_THAT(problem({"data.sensors.accel.file=x.csv"}),
              HasSubstr("data.sensors.accel.file has no place with [simulate]"));
  EXPECT_THAT(problem({"data.sensors.accel.delay=-0.002", "simulate.sensors.accel.delay=0.001"}),
              HasSubstr("data.sensors.accel.delay must be at least 0 and less than the record, 1.2 "
                        "s, where [simulate] makes it, got -0.001 s in all"));
  EXPECT_THAT(problem({"data.sensors.accel.delay=1.2"}), HasSubstr("got 1.2 s in all"));
  EXPECT_THAT(problem({"data.time=time"}), HasSubstr("data.time must be \"t\""));
  EXPECT_THAT(problem({"data.sensors.accel.column=theta"}),
              HasSubstr("must not be that of another sensor, got \"theta\", of encoder too"));
  EXPECT_THAT(problem({"data.sensors.accel.column=t"}), HasSubstr("than that of the time"));
  EXPECT_THAT(problem({"simulate.sensors.acel.bias=1.0"}),
              HasSubstr("[data.sensors] has no sensor \"acel\"; did you mean \"accel\"?"));
  EXPECT_THAT(problem({"simulate.lengths.q=0.1"}), HasSubstr("has no length \"q\""));
  EXPECT_THAT(problem({"simulate.sensors.accel.rate=2000.0"}),
              HasSubstr("must be at most the sampling rate, 1000 Hz"));
  EXPECT_THAT(problem({motion + "{\"angle(crank)\"=\"sqrt(0.5 - t)\"}"}),
              HasSubstr("the position of angle(crank) is not finite at t = 0.501 s"));
}

TEST(MechanismSimulate, AFormulaIsWrongAtItsPlace) {
  std::string text = crank_text();
  const std::size_t at = text.find("12.56*t");
  text.replace(at, 7, "speed*t");
  const std::size_t line = 1 + static_cast<std::size_t>(std::count(
                                   text.begin(), text.begin() + static_cast<long>(at), '\n'));
  EXPECT_THAT(problem({}, text), StartsWith("crank.toml:" + std::to_string(line) +
                                            ":19: "
                                            "simulate.motion.angle(crank): unknown name 'speed'"));
  EXPECT_EQ(problem({"simulate.constants.speed=12.56"}, text), "");
}

// The slider's line is x = 0: a crank of 0.14 m and a rod of 0.1 m reach it where 0.14 |cos q| is
// at most 0.1.
TEST(MechanismSimulate, AnImpossiblePositionHasItsTime) {
  std::string text = crank_text();
  const std::string rod = "A = [-0.28, 0.0], B = [0.28, 0.0] }, start = [0.07, 0.27, 1.8]";
  text.replace(text.find(rod), rod.size(), "A = [-0.05, 0.0], B = [0.05, 0.0] }");
  // From 1.2 rad downwards at 1 rad/s: cos q = 5/7 at q = 0.7752 rad, t = 0.4248 s.
  const std::string found = problem({"simulate.motion={\"angle(crank)\"=\"1.2 - t\"}"}, text);
  EXPECT_THAT(found, HasSubstr("simulate.motion: at t = 0.425 s, angle(crank) = 0.775"));
  // One of the pins and guides that hold the rod.
  EXPECT_THAT(found, testing::ContainsRegex("'(revolute|prismatic) [a-zA-Z.-]+' cannot be closed"));
}

}  // namespace mechanism_simulate_test
}  // namespace alembert::study
