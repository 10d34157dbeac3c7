#include "alembert/study/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "support/allocations.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace simulate_test {

using test::kEps;
using test::two_masses;
using testing::HasSubstr;

SimulateResult run(const SimulateStudy& study, int threads = 1) {
  const Machines machines;
  return run_simulate(study, machines, {.threads = threads});
}

SimulateStudy one_mass() {
  const std::string text = R"(
[model]
mass = 2.0
stiffness = 50.0
damping = 4.0
[simulate]
step = 0.01
samples = 301
hold = "zero"
[simulate.inputs]
u1 = { kind = "steps", times = [0.0], levels = [10.0] }
)";
  LoadedStudy loaded = load_study_text(text, "one.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  return *loaded.as<SimulateStudy>();
}

// q(t) = F/k (1 - exp(-ζω t)(cos ω_d t + ζω/ω_d sin ω_d t)): textbook step response.
TEST(RunSimulate, StepResponseOfOneMassIsTheClosedForm) {
  const SimulateResult result = run(one_mass());
  ASSERT_TRUE(result.ok());
  const double decay = 4.0 / (2.0 * 2.0);
  const double damped = std::sqrt(50.0 / 2.0 - decay * decay);
  const Eigen::VectorXd q = result.experiments.at(0).truth.values("q1_displacement");
  ASSERT_EQ(q.size(), 301);
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    const double t = 0.01 * static_cast<double>(k);
    const double expected = 10.0 / 50.0 *
                            (1.0 - std::exp(-decay * t) * (std::cos(damped * t) +
                                                           decay / damped * std::sin(damped * t)));
    // Rounding of at most 301 steps of a map whose powers stay below 5.
    EXPECT_NEAR(q(k), expected, 301 * 5 * 0.2 * kEps) << k;
  }
  // Without [simulate.sensors] the record holds the noise-free displacement.
  EXPECT_EQ(result.experiments[0].record.values("y1"), q);
  EXPECT_EQ(result.experiments[0].sensors[0].sigma, 0.0);
}

TEST(RunSimulate, TheSameBitsForAnyNumberOfThreads) {
  const SimulateStudy study = two_masses({"simulate.experiments=6", "simulate.samples=60"});
  const SimulateResult one = run(study, 1);
  const SimulateResult four = run(study, 4);
  ASSERT_EQ(one.experiments.size(), 6U);
  ASSERT_EQ(four.experiments.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(one.experiments[i].number, i + 1);
    EXPECT_EQ(one.experiments[i].record.samples(), four.experiments[i].record.samples());
    EXPECT_EQ(one.experiments[i].truth.samples(), four.experiments[i].truth.samples());
  }
  // Experiments differ from each other.
  EXPECT_NE(one.experiments[0].record.samples(), one.experiments[1].record.samples());
}

TEST(RunSimulate, AddingASensorLeavesTheNoiseOfTheOthers) {
  const SimulateResult before = run(two_masses());
  const SimulateResult after = run(
      two_masses({"simulate.sensors.a={ measures = \"acceleration\", at = \"q1\", sigma = 0.1 }"}));
  EXPECT_EQ(before.experiments[0].record.values("y1"), after.experiments[0].record.values("y1"));
  EXPECT_EQ(before.experiments[0].record.values("y2"), after.experiments[0].record.values("y2"));
  EXPECT_EQ(before.experiments[0].record.values("u1"), after.experiments[0].record.values("u1"));
}

// The correlation of independent noise of N samples has the standard deviation 1/√N; 4 of them.
TEST(RunSimulate, SensorsAndExperimentsHaveIndependentNoise) {
  const SimulateResult result =
      run(two_masses({"simulate.experiments=2", "simulate.samples=2000"}));
  const auto noise = [&](std::size_t experiment, const std::string& n) -> Eigen::VectorXd {
    const Experiment& one = result.experiments.at(experiment);
    const Eigen::VectorXd error =
        one.record.values("y" + n) - one.truth.values("q" + n + "_displacement");
    return error.normalized();
  };
  const double bound = 4.0 / std::sqrt(2000.0);
  EXPECT_LT(std::abs(noise(0, "1").dot(noise(0, "2"))), bound);
  EXPECT_LT(std::abs(noise(0, "1").dot(noise(1, "1"))), bound);
}

TEST(RunSimulate, MoreExperimentsLeaveTheFirstOnesAsTheyWere) {
  const SimulateResult two = run(two_masses({"simulate.experiments=2", "simulate.samples=50"}));
  const SimulateResult five = run(two_masses({"simulate.experiments=5", "simulate.samples=50"}));
  EXPECT_EQ(two.experiments[1].record.samples(), five.experiments[1].record.samples());
}

TEST(RunSimulate, TheSeedChangesInputsAndNoise) {
  const SimulateResult one = run(two_masses({"simulate.seed=1"}));
  const SimulateResult two = run(two_masses({"simulate.seed=2"}));
  EXPECT_NE(one.experiments[0].record.values("u1"), two.experiments[0].record.values("u1"));
}

// The noise power of N samples has a relative standard deviation √(2/N), that is
// 10/ln 10 √(2/N) dB; 4 of them for each of the two sensors, seed fixed.
TEST(RunSimulate, TheRatioOfSignalToNoiseIsTheOneAskedFor) {
  const SimulateResult result = run(two_masses({"simulate.samples=4000"}));
  const double bound = 4.0 * 10.0 / std::numbers::ln10 * std::sqrt(2.0 / 4000.0);
  for (const SensorOutcome& outcome : result.experiments[0].sensors) {
    ASSERT_TRUE(outcome.snr_db.has_value());
    EXPECT_NEAR(*outcome.snr_db, 20.0, bound);
  }
}

TEST(RunSimulate, SensorsShowWhatTheyMeasureInTheirUnit) {
  const SimulateResult result = run(two_masses(
      {"simulate.sensors.v={ measures = \"velocity\", at = \"q2\", unit = \"mm/s\" }",
       "simulate.sensors.rel={ at = { q1 = 1.0, q2 = -1.0 } }",
       "simulate.sensors.f={ measures = \"force\", at = \"u1\", bias = 3.0 }",
       "simulate.sensors.a={ measures = \"acceleration\", at = \"q1\", unit = \"g\" }"}));
  const signal::Record& record = result.experiments[0].record;
  const signal::Record& truth = result.experiments[0].truth;
  const test::Tolerance rounding{.rel = 4 * kEps};
  EXPECT_TRUE(
      test::matrices_near(record.values("v"), 1000.0 * truth.values("q2_velocity"), rounding));
  EXPECT_TRUE(test::matrices_near(record.values("rel"),
                                  truth.values("q1_displacement") - truth.values("q2_displacement"),
                                  rounding));
  EXPECT_TRUE(test::matrices_near(record.values("f"), (truth.values("u1").array() + 3.0).matrix(),
                                  rounding));
  // Standard gravity, 9.80665 m/s², by definition.
  EXPECT_TRUE(
      test::matrices_near(record.values("a"), truth.values("q1_acceleration") / 9.80665, rounding));
  EXPECT_EQ(record.channels().back().unit, "g");
}

// The motion must satisfy its own equation: M a + D v + K q = L u at every sample.
TEST(RunSimulate, TruthSatisfiesTheEquationOfMotion) {
  for (const char* method : {"exact", "variational", "newmark", "gauss"}) {
    const SimulateStudy study =
        two_masses({std::string("simulate.method=") + method, "model.forces=[\"q2\"]"});
    const SimulateResult result = run(study);
    ASSERT_TRUE(result.ok()) << method;
    const Eigen::MatrixXd& x = result.experiments[0].truth.samples();
    const model::SecondOrder& system = study.linear()->system;
    const Eigen::MatrixXd residual = x.middleCols(5, 2) * system.M + x.middleCols(3, 2) * system.D +
                                     x.middleCols(1, 2) * system.K -
                                     x.leftCols(1) * system.L.transpose();
    // Forces are of order 1, the parts K q up to 100 times that.
    EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1000 * kEps) << method;
  }
}

TEST(RunSimulate, OwnRateLeavesMissingSamples) {
  const SimulateResult result =
      run(two_masses({"simulate.sensors.slow={ at = \"q1\", rate = 25.0, sigma = 0.1 }"}));
  const SensorOutcome& slow = result.experiments[0].sensors.back();
  EXPECT_EQ(slow.samples, 100);
  EXPECT_EQ(result.experiments[0].record.missing(4), 300);
}

TEST(RunSimulate, ClippedSamplesAreCountedAndTold) {
  const SimulateResult result =
      run(two_masses({"simulate.sensors.s={ at = \"q1\", bits = 8, range = [-1e-6, 1e-6] }"}));
  EXPECT_GT(result.experiments[0].sensors.back().clipped, 0);
  EXPECT_THAT(result.warnings, testing::Contains(HasSubstr("sensor s clips")));
}

TEST(RunSimulate, WarnsWhereAResultMaySurprise) {
  const auto warnings = [](const std::vector<std::string>& changes) {
    return run(two_masses(changes)).warnings;
  };
  EXPECT_THAT(warnings({"simulate.inputs.u1={ kind = \"zero\" }"}),
              testing::Contains(HasSubstr("nothing moves")));
  EXPECT_THAT(warnings({"model.damping=[[-0.1, 0.0], [0.0, 0.1]]"}),
              testing::Contains(HasSubstr("damping is not positive semidefinite")));
  EXPECT_THAT(warnings({"model.stiffness=[[3e6, -1e6], [-1e6, 1e6]]"}),
              testing::Contains(HasSubstr("above half the sampling rate")));
  EXPECT_TRUE(warnings({}).empty());
}

// 400 samples of 10 ms: the last one is at 3.99 s.
TEST(RunSimulate, WarnsOfInputsThatDoNothing) {
  const auto warnings = [](const std::string& input) {
    return run(two_masses({"simulate.hold=zero", "simulate.inputs.u1=" + input})).warnings;
  };
  EXPECT_TRUE(warnings("{ kind = \"steps\", times = [1.0, 3.99], levels = [1.0, 2.0] }").empty());
  EXPECT_THAT(warnings("{ kind = \"steps\", times = [1.0, 4.0], levels = [1.0, 2.0] }"),
              testing::ElementsAre(HasSubstr("input u1: 1 of the steps lies at or beyond the last "
                                             "sample, 3.99 s")));
  EXPECT_THAT(warnings("{ kind = \"pulses\", times = [3.99, 7.0], width = 0.1 }"),
              testing::ElementsAre(HasSubstr("2 of the pulses lie at or beyond"),
                                   HasSubstr("input u1: zero throughout, although of kind pulses"),
                                   HasSubstr("nothing moves")));
  EXPECT_THAT(warnings("{ kind = \"spline-noise\", sigma = 0.0 }"),
              testing::ElementsAre(HasSubstr("zero throughout"), HasSubstr("nothing moves")));
}

TEST(RunSimulate, WarnsOfJumpsThatTheHoldRoundsOff) {
  const std::string prbs = "simulate.inputs.all={ kind = \"prbs\", order = 5 }";
  const std::string other = "simulate.inputs.u1={ kind = \"prbs\", order = 5 }";
  EXPECT_THAT(run(two_masses({prbs, other})).warnings,
              testing::ElementsAre(HasSubstr("inputs u1, u2: the jumps of prbs are rounded off by "
                                             "hold = \"cubic\"")));
  EXPECT_TRUE(run(two_masses({prbs, other, "simulate.hold=zero"})).warnings.empty());
  // Methods without a hold have no better choice; a constant level has no jump.
  EXPECT_TRUE(run(two_masses({prbs, other, "simulate.method=newmark"})).warnings.empty());
  EXPECT_TRUE(
      run(two_masses({"simulate.inputs.u1={ kind = \"steps\", times = [0.0], levels = [1.0] }"}))
          .warnings.empty());
}

long status_kb(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stol(line.substr(key.size() + 1));
  }
  return 0;
}

// The peak of the resident memory in a process of its own, held against the forecast. Pages of the
// program and what the allocator keeps of freed memory come on top: 16 MB and a tenth. One thread,
// since what allocators of several threads keep varies from run to run.
TEST(MemoryNeeded, IsWhatARunTakes) {
  if (!test::counts_allocations() || status_kb("VmHWM") == 0) {
    GTEST_SKIP() << "needs /proc and an allocator without shadow memory";
  }
  for (const auto& [samples, experiments] : {std::pair{"300000", "1"}, std::pair{"60000", "8"}}) {
    const SimulateStudy study = two_masses({std::string("simulate.samples=") + samples,
                                            std::string("simulate.experiments=") + experiments});
    const double needed = memory_needed(study, 1);
    const pid_t child = fork();
    if (child == 0) {
      const long before = status_kb("VmRSS");
      const SimulateResult result = run(study, 1);
      const double taken = 1024.0 * static_cast<double>(status_kb("VmHWM") - before);
      _exit(!result.ok() ? 9 : taken > 1.1 * needed + 16e6 ? 1 : taken < 0.7 * needed ? 2 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "1: took more than the forecast, 2: much less; " << needed;
  }
}

TEST(MemoryNeeded, GrowsWithTheThreads) {
  const SimulateStudy study = two_masses({"simulate.experiments=64"});
  EXPECT_GT(memory_needed(study, 64), memory_needed(study, 1));
  const SimulateStudy single = two_masses();
  EXPECT_EQ(memory_needed(single, 64), memory_needed(single, 1));
}

TEST(RunSimulate, AStopRequestKeepsWhatIsFinished) {
  StopFlag stop;
  const SimulateStudy study = two_masses({"simulate.experiments=5"});
  const Machines machines;
  const SimulateResult result = run_simulate(study, machines,
                                             {.threads = 1,
                                              .on_progress =
                                                  [&](std::size_t done, std::size_t) {
                                                    if (done == 2) stop.request();
                                                  },
                                              .stop = &stop});
  EXPECT_EQ(result.status, Status::Stopped);
  EXPECT_EQ(result.experiments.size(), 2U);
  EXPECT_THAT(result.message, HasSubstr("2 of 5 experiments finished, numbers 1 to 2"));
}

TEST(RunSimulate, MotionThatGrowsBeyondDoublesIsAStatus) {
  const SimulateResult result = run(two_masses({"model.damping={ diagonal = [-500.0, 1.0] }"}));
  EXPECT_EQ(result.status, Status::NotFinite);
  EXPECT_THAT(result.message, HasSubstr("experiment 1"));
  EXPECT_TRUE(result.experiments.empty());
}

TEST(RecordFileName, NumbersSortAsTheyCount) {
  EXPECT_EQ(record_file_name("record", 1, 1), "record.csv");
  EXPECT_EQ(record_file_name("truth", 3, 20), "truth-03.csv");
  EXPECT_EQ(record_file_name("record", 7, 1000), "record-0007.csv");
}

TEST(WriteSimulateResult, WritesOneFileForEachRecord) {
  const test::TemporaryFolder folder;
  const SimulateResult result =
      run(two_masses({"simulate.experiments=2", "simulate.samples=40", "simulate.truth=false"}));
  write_simulate_result(result, folder.path());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "record-01.csv"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "record-02.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "truth-01.csv"));
  const std::string json = test::read_text(folder.path() / "result.json");
  EXPECT_THAT(json, HasSubstr("\"hold\": \"cubic\""));
  EXPECT_THAT(json, HasSubstr("\"status\": \"success\""));
  EXPECT_THAT(json, HasSubstr("\"file\": \"record-02.csv\""));
}

TEST(WriteSimulateResult, AFolderThatIsNotThereIsADataError) {
  const test::TemporaryFolder folder;
  const SimulateResult result = run(two_masses({"simulate.samples=40"}));
  EXPECT_THROW(write_simulate_result(result, folder.path() / "none"), DataError);
}

}  // namespace simulate_test
}  // namespace alembert::study
