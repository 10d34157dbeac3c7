#include "alembert/study/monte_carlo.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "alembert/core/error.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/result/result_folder.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "unit/study/tasks/monte_carlo/monte_carlo_support.hpp"

namespace alembert::study {
namespace monte_carlo_test {

using namespace monte_carlo_support;
using testing::HasSubstr;

TEST(RunSeed, IsAPureFunctionWithoutRepetition) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::size_t run = 0; run < 200; ++run) {
      const std::uint64_t value = run_seed(seed, run);
      EXPECT_EQ(value, run_seed(seed, run));
      EXPECT_LT(value, 1ULL << 53U);
      seen.insert(value);
    }
  }
  EXPECT_EQ(seen.size(), 4000U);
}

TEST(MonteCarloStudy, WithoutSweepHasOnePoint) {
  const MonteCarloStudy study = study_of(kStudy);
  EXPECT_EQ(study.runs, 4U);
  EXPECT_EQ(study.seed, 1U);
  EXPECT_TRUE(study.sweep.empty());
  ASSERT_EQ(study.points.size(), 1U);
  EXPECT_EQ(study.points[0].identify.outputs.size(), 2U);
  EXPECT_EQ(study.points[0].identify.settings.truth->M,
            study.points[0].simulate.linear()->system.M);
}

TEST(MonteCarloStudy, SweepsAllCombinationsTheLastKeyFastest) {
  const MonteCarloStudy study = study_of(kStudy + R"(
[monte-carlo.sweep]
simulate.samples = [300, 500]
"identify.refine" = ["exact", "midpoint", "none"]
)");
  ASSERT_EQ(study.points.size(), 6U);
  EXPECT_EQ(study.sweep[0].key, "simulate.samples");
  EXPECT_EQ(study.sweep[0].numbers, Eigen::Vector2d(300.0, 500.0));
  EXPECT_EQ(study.sweep[1].numbers.size(), 0);
  EXPECT_EQ(study.sweep[1].labels[1], "midpoint");
  for (std::size_t p = 0; p < 6; ++p) {
    EXPECT_EQ(study.points[p].simulate.samples, p < 3 ? 300 : 500) << p;
    EXPECT_EQ(study.points[p].identify.settings.refine, p % 3 != 2) << p;
    EXPECT_EQ(study.points[p].identify.settings.refinement.method,
              p % 3 == 1 ? integrate::Method::Variational : integrate::Method::Exact)
        << p;
  }
}

TEST(MonteCarloStudy, SweptModelIsTheTruthOfItsPoint) {
  const MonteCarloStudy study =
      study_of(kStudy, {"monte-carlo.sweep.model.damping.mass=[0.1, 0.4]"});
  ASSERT_EQ(study.points.size(), 2U);
  const Eigen::MatrixXd difference =
      study.points[1].identify.settings.truth->D - study.points[0].identify.settings.truth->D;
  EXPECT_NEAR(difference(0, 0), 0.3 * 2.0, 1e-14);  // rounding of 0.1 M and 0.4 M
}

TEST(MonteCarloStudy, ForceSensorStandsForItsInput) {
  const MonteCarloStudy study =
      study_of(kStudy, {"simulate.sensors.F2={ measures = \"force\", at = \"u2\", sigma = 0.1 }"});
  const MonteCarloPoint& point = study.points[0];
  const auto force = static_cast<Eigen::Index>(point.simulate.sensors.size()) - 1;
  // Columns of the record: two inputs, then the sensors in the order of the study.
  EXPECT_EQ(point.input_columns[0], 0);
  EXPECT_NE(point.input_columns[1], 1);
  EXPECT_GE(point.input_columns[1], 2);
  EXPECT_LE(point.input_columns[1], 2 + force);
  EXPECT_EQ(point.identify.inputs[1].name, "F2");
  EXPECT_EQ(point.identify.outputs.size(), 2U);
}

TEST(MonteCarloStudy, BadOnesNameTheCulprit) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"monte-carlo.runs=0", "monte-carlo.runs must be from 1 to 1000000, got 0"},
      {"monte-carlo.runs=2.5", "monte-carlo.runs must be an integer"},
      {"monte-carlo.walks=3", "unknown key \"walks\" in [monte-carlo]"},
      {"simulate.seed=3", "simulate.seed has no place with [monte-carlo]"},
      {"identify.compare=[\"subspace\"]", "identify.compare has no place with [monte-carlo]"},
      {"truth.mass=1.0", "truth has no place with [monte-carlo]"},
      {"monte-carlo.sweep={}", "monte-carlo.sweep must name a key"},
      {"monte-carlo.sweep.simulate.step=0.1", "must be a list of values or a table"},
      {"monte-carlo.sweep.simulate.step=[]", "must not be empty"},
      {"monte-carlo.sweep.simulate.stepp=[0.1]", "unknown key \"stepp\" in [simulate]"},
      {"monte-carlo.sweep.simulate.step=[0.01, -1.0]", "simulate.step must be above 0 s, got -1"},
      {"monte-carlo.sweep.simulate.step=[0.01, 0.01]", "simulate.step holds 0.01 twice"},
      {"monte-carlo.sweep.title=[\"a\"]", "\"title\" must be a key of [model]"},
      {"monte-carlo.sweep.monte-carlo.runs=[1, 2]", "must be a key of [model]"},
      {"monte-carlo.sweep.identify.start=[\"weak\"]", "identify.start must be one of"},
      {"simulate.sensors={ f = { measures = \"force\", at = \"u1\" } }",
       "simulate.sensors must hold a sensor of motion"}};
  for (const auto& [change, message] : cases) {
    EXPECT_THAT(problem_of(kStudy, {change}), HasSubstr(message)) << change;
  }
  EXPECT_THAT(problem_of(kModel + "[monte-carlo]\nruns = 2\n"),
              HasSubstr("monte-carlo needs the key \"identify\" beside it"));
  EXPECT_THAT(problem_of(kStudy, {"monte-carlo.sweep.simulate.step=[0.1]",
                                  "monte-carlo.sweep.simulate.samples=[100]",
                                  "monte-carlo.sweep.simulate.hold=[\"zero\"]"}),
              HasSubstr("monte-carlo.sweep takes 2 keys at most, got 3"));
}

// The rule that a swept value breaks is told at the value itself.
TEST(MonteCarloStudy, ProblemsOfSweptValuesHaveTheirPlace) {
  const std::string text =
      "[model]\nmass = 1.0\nstiffness = 100.0\n[simulate]\nsamples = 100\n"
      "[identify]\n[monte-carlo]\nruns = 2\n[monte-carlo.sweep]\n"
      "simulate.step = [0.01, -0.02]\n";
  EXPECT_EQ(problem_of(text), "many.toml:10:24: simulate.step must be above 0 s, got -0.02");
}

// The same by hand: a study [simulate] with the seed of the run, then a study [identify].
TEST(RunMonteCarlo, IsSimulateThenIdentify) {
  const MonteCarloResult many = result_of(study_of(kStudy));
  ASSERT_TRUE(many.ok()) << many.message;
  ASSERT_EQ(many.runs.size(), 4U);
  const Machines machines;
  for (const std::size_t number : {std::size_t{0}, std::size_t{3}}) {
    const test::TemporaryFolder folder;
    const std::string seed = "simulate.seed=" + std::to_string(run_seed(1, number));
    const LoadedStudy simulate =
        load_study_text(kModel, folder.path() / "simulate.toml", test::changed({seed}));
    ASSERT_TRUE(simulate.as<SimulateStudy>() != nullptr);
    write_simulate_result(run_simulate(*simulate.as<SimulateStudy>(), machines), folder.path());
    const LoadedStudy identify = load_study_text(R"(
[data]
file = "record.csv"
inputs = ["u1", "u2"]
outputs = ["y1", "y2"]
[model]
degrees-of-freedom = 2
[identify]
[truth]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { mass = 0.1, stiffness = 0.001 }
)",
                                                 folder.path() / "identify.toml");
    ASSERT_TRUE(identify.as<IdentifyStudy>() != nullptr);
    const IdentifyResult result = run_identify(*identify.as<IdentifyStudy>());
    const MonteCarloRun& run = many.runs[number];
    EXPECT_EQ(run.iterations, result.refinement.iterations);
    for (Eigen::Index q = 0; q < 3; ++q) {
      // The record goes through a file and back without loss, but its step is measured on the
      // times: some digits of the step are lost, and with them of the estimate.
      const double error = (*result.error)(q);
      EXPECT_NEAR(run.errors[static_cast<std::size_t>(q)].error, error, 1e-6 * error);
    }
    ASSERT_EQ(run.frequency.size(), 2);
    EXPECT_NEAR(run.frequency(1), result.modes[1].frequency_hz, 1e-8);
  }
}

TEST(RunMonteCarlo, DrawsTheSameNumbersForAllSweptValues) {
  const MonteCarloResult result = result_of(study_of(kSwept, {"monte-carlo.runs=6"}));
  ASSERT_TRUE(result.ok());
  // 20 dB less noise with the same draws: the error is a tenth, but for what is not linear.
  for (std::size_t r = 0; r < 6; ++r) {
    EXPECT_EQ(result.runs[r].point, 0U);
    EXPECT_EQ(result.runs[6 + r].point, 1U);
    EXPECT_EQ(result.runs[6 + r].run, r);
    for (std::size_t q = 0; q < 3; ++q) {
      const double ratio = result.runs[r].errors[q].error / result.runs[6 + r].errors[q].error;
      EXPECT_NEAR(ratio, 10.0, 2.5) << "run " << r << ", quantity " << q;
    }
  }
}

// Statistics: what honest intervals would give in fewer than 1 of 1000 studies is not seen.
TEST(RunMonteCarlo, IntervalsAreHonestWhereTheModelIsRight) {
  const MonteCarloResult result = result_of(study_of(kStudy, {"monte-carlo.runs=150"}));
  ASSERT_TRUE(result.ok());
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    const ErrorStatistics& one = result.points[0].errors[q];
    EXPECT_GT(one.coverage_chance, 1e-3) << q;
    EXPECT_LT(one.coverage_chance, 1.0 - 1e-3) << q;
    // Each square has variance 2; four deviations of the mean of 150 runs of dependent entries.
    EXPECT_NEAR(one.ratio * one.ratio, 1.0, 4.0 * std::sqrt(2.0 / 150.0)) << q;
  }
  for (const ModeStatistics& mode : result.points[0].modes) {
    EXPECT_NEAR(mode.frequency_rms / mode.frequency_reported, 1.0, 4.0 / std::sqrt(2.0 * 150.0));
    EXPECT_LT(std::abs(mode.frequency_bias), 4.0 * mode.frequency_rms / std::sqrt(150.0));
  }
}

TEST(RunMonteCarlo, ThreadsDoNotChangeAByte) {
  const MonteCarloStudy study = study_of(kSwept);
  EXPECT_EQ(written(result_of(study, {.threads = 1})), written(result_of(study, {.threads = 4})));
}

TEST(RunMonteCarlo, CountsFailuresWithTheirMessage) {
  const MonteCarloResult result =
      result_of(study_of(kStudy, {"identify.max-iterations=1", "identify.tolerance=1e-15"}));
  EXPECT_EQ(result.status, Status::NotConverged);
  EXPECT_THAT(result.message, HasSubstr("no run succeeded"));
  EXPECT_EQ(result.points[0].converged, 0U);
  ASSERT_FALSE(result.points[0].failures.empty());
  EXPECT_EQ(result.points[0].failures[0].count, 4U);
  EXPECT_FALSE(result.points[0].failures[0].message.empty());
  EXPECT_TRUE(std::isnan(result.points[0].errors[0].median));
  EXPECT_THAT(written(result), HasSubstr("not-converged"));
}

// A window of the weak form longer than most of the record leads nowhere; a study that does not
// name its start gets another one. Where the weak form leads well, nothing changes.
TEST(RunMonteCarlo, ASecondStartSavesRunsThatTheWeakFormLoses) {
  const std::string chain = R"(
[model]
mass = { diagonal = [1.0, 2.0, 1.5] }
stiffness = [[300.0, -100.0, 0.0], [-100.0, 250.0, -150.0], [0.0, -150.0, 150.0]]
damping = { mass = 0.2, stiffness = 0.002 }
forces = ["q1"]
[simulate]
step = 0.02
samples = 1000
[simulate.inputs]
all = { kind = "spline-noise", knots = 0.06, sigma = 1.0 }
[simulate.sensors]
all = { measures = "displacement", snr = 20.0 }
[identify]
hold = "cubic"
[monte-carlo]
runs = 3
)";
  const std::string named = "identify.start=weak-form";
  EXPECT_EQ(result_of(study_of(chain, {"identify.window=15.0", named})).points[0].converged, 0U);
  EXPECT_EQ(result_of(study_of(chain, {"identify.window=15.0"})).points[0].converged, 3U);
  const MonteCarloResult one = result_of(study_of(chain, {named}));
  const MonteCarloResult both = result_of(study_of(chain));
  ASSERT_EQ(one.points[0].converged, 3U);
  for (std::size_t r = 0; r < one.runs.size(); ++r) {
    EXPECT_EQ(both.runs[r].frequency, one.runs[r].frequency);
  }
}

// A converter so coarse that nothing moves it: [identify] would refuse the channel as it reads.
TEST(RunMonteCarlo, DataOfNoUseAreAFailedRun) {
  const MonteCarloResult result = result_of(
      study_of(kStudy, {"simulate.sensors.y2={ at = \"q2\", range = [-1e6, 1e6], bits = 2 }"}));
  EXPECT_FALSE(result.ok());
  ASSERT_EQ(result.runs.size(), 4U);
  EXPECT_THAT(result.runs[0].message, HasSubstr("y2"));
}

TEST(RunMonteCarlo, WithoutRefinementThereAreNoIntervals) {
  const MonteCarloResult result = result_of(study_of(kStudy, {"identify.refine=none"}));
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_GT(result.points[0].errors[0].median, 0.0);
  EXPECT_TRUE(std::isnan(result.points[0].errors[0].coverage));
  EXPECT_THAT(written(result), HasSubstr("\"coverage\": null"));
}

}  // namespace monte_carlo_test
}  // namespace alembert::study
