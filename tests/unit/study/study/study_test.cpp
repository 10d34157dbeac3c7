#include "alembert/study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/study/simulate.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace study_test {

using test::first_problem;
using test::kEps;
using test::two_masses;
using testing::HasSubstr;

TEST(LoadStudy, ReadsTheModel) {
  const SimulateStudy study = two_masses();
  EXPECT_EQ(study.title, "Two masses");
  EXPECT_EQ(study.step, 0.01);
  EXPECT_EQ(study.samples, 400);
  const Eigen::Matrix2d M{{2.0, 0.0}, {0.0, 1.0}};
  const Eigen::Matrix2d K{{300.0, -100.0}, {-100.0, 100.0}};
  EXPECT_EQ(study.linear()->system.M, M);
  EXPECT_EQ(study.linear()->system.K, K);
  // D = 0.1 M + 0.001 K; two products and a sum each.
  EXPECT_TRUE(
      test::matrices_near(study.linear()->system.D, 0.1 * M + 0.001 * K, {.rel = 4 * kEps}));
  EXPECT_EQ(study.linear()->system.L, Eigen::Matrix2d::Identity());
  EXPECT_EQ(study.linear()->coordinates, (std::vector<std::string>{"q1", "q2"}));
  EXPECT_EQ(study.linear()->acceleration_units, (std::vector<std::string>{"m/s^2", "m/s^2"}));
}

TEST(LoadStudy, ReadsInputsAndSensors) {
  const SimulateStudy study = two_masses(
      {"simulate.sensors.y2={ measures = \"velocity\", at = \"q1\", unit = \"mm/s\", sigma = 0.5 }",
       "simulate.sensors.rel={ at = { q1 = 1, q2 = -2 } }"});
  ASSERT_EQ(study.inputs.size(), 2U);
  EXPECT_EQ(study.inputs[0].kind, "spline-noise");
  EXPECT_EQ(std::get<signal::SplineNoiseOptions>(study.inputs[0].source).knot_step, 0.1);
  EXPECT_EQ(study.inputs[1].kind, "zero");
  // y2 replaces the second sensor of `all`; rel is added.
  ASSERT_EQ(study.sensors.size(), 3U);
  EXPECT_EQ(study.sensors[0].options.snr_db, 20.0);
  EXPECT_EQ(study.sensors[1].quantity, Quantity::Velocity);
  EXPECT_NEAR(study.sensors[1].factor, 1000.0, 4 * kEps * 1000.0);
  EXPECT_EQ(study.sensors[2].place, "q1 - 2 q2");
  EXPECT_EQ(study.sensors[2].weights, Eigen::Vector2d(1.0, -2.0));
}

TEST(LoadStudy, DefaultsAreThoseOfTheDocuments) {
  const SimulateStudy study = two_masses();
  EXPECT_EQ(study.seed, 1U);
  EXPECT_EQ(study.experiments, 1U);
  EXPECT_TRUE(study.write_truth);
  EXPECT_EQ(study.integration.method, integrate::Method::Exact);
  EXPECT_EQ(study.integration.hold, signal::BetweenSamples::Cubic);
  EXPECT_EQ(study.integration.newmark_beta, 0.25);
  EXPECT_EQ(study.start_displacement, Eigen::Vector2d::Zero());
}

// 16.5 s / 5 ms is 3300.0000000000005 in doubles, 0.3 s / 0.1 s is 2.9999999999999996.
TEST(LoadStudy, DurationGivesTheSamplesOneExpects) {
  const auto samples = [](const std::string& step, const std::string& duration) {
    std::string text = test::kTwoMasses;
    text.replace(text.find("samples = 400"), 13, "duration = " + duration);
    text.replace(text.find("step = 0.01"), 11, "step = " + step);
    text.replace(text.find("knots = 0.1"), 11, "sigma = 1.0");
    const LoadedStudy loaded = load_study_text(text, "two.toml");
    return loaded.as<SimulateStudy>() ? loaded.as<SimulateStudy>()->samples : -1;
  };
  EXPECT_EQ(samples("0.005", "16.5"), 3300);
  EXPECT_EQ(samples("0.1", "0.3"), 3);
  EXPECT_EQ(samples("0.3", "1.0"), 3);
}

TEST(LoadStudy, DampingByModalRatios) {
  const SimulateStudy study = two_masses({"model.damping={ ratios = 0.03 }"});
  for (const model::DampedMode& mode : model::damped_modes(study.linear()->system)) {
    // Eigenvalues of a 4 x 4 matrix of condition about 1e3.
    EXPECT_NEAR(mode.damping_ratio, 0.03, 1e4 * kEps);
  }
  EXPECT_THAT(first_problem({"model.damping={ ratios = [0.1, 0.2, 0.3] }"}),
              HasSubstr("one number for each of the 2 modes, got 3"));
}

TEST(LoadStudy, MatricesFromFiles) {
  const test::TemporaryFolder folder;
  folder.write("K.csv", "300,-100\n-100,100\n");
  std::string text = test::kTwoMasses;
  const std::string rows = "[[300.0, -100.0], [-100.0, 100.0]]";
  text.replace(text.find(rows), rows.size(), "\"K.csv\"");
  const LoadedStudy loaded = load_study_text(text, folder.path() / "two.toml");
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  EXPECT_EQ(loaded.as<SimulateStudy>()->linear()->system.K, two_masses().linear()->system.K);
  folder.write("K.csv", "300,-100\n-100,1O0\n");
  const LoadedStudy broken = load_study_text(text, folder.path() / "two.toml");
  ASSERT_EQ(broken.problems.size(), 1U);
  EXPECT_TRUE(broken.problems[0].in_data);
  EXPECT_THAT(to_string(broken.problems[0]), HasSubstr("K.csv:2"));
}

/// A study whose first input comes from forces.csv beside it.
std::string with_data(const std::string& inputs) {
  std::string text = test::kTwoMasses;
  const std::string generated = "u1 = { kind = \"spline-noise\", knots = 0.1 }";
  text.erase(text.find(generated), generated.size());
  const std::string times = "step = 0.01\nsamples = 400";
  text.erase(text.find(times), times.size());
  return text + "[data]\nfile = \"forces.csv\"\ninputs = " + inputs + "\n";
}

TEST(LoadStudy, InputsFromAFileFixTheTimeAndAreConverted) {
  const test::TemporaryFolder folder;
  folder.write("forces.csv", "t [s],F1 [kN],F2 [N]\n0,1,4\n0.5,2,5\n1,3,6\n");
  const LoadedStudy loaded =
      load_study_text(with_data("{ u1 = \"F1\" }"), folder.path() / "two.toml");
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const SimulateStudy& study = *loaded.as<SimulateStudy>();
  EXPECT_EQ(study.step, 0.5);
  EXPECT_EQ(study.samples, 3);
  const auto& input = std::get<FileInput>(study.inputs[0].source);
  EXPECT_EQ(input.values, Eigen::Vector3d(1000.0, 2000.0, 3000.0));
  ASSERT_EQ(study.notes.size(), 1U);
  EXPECT_THAT(study.notes[0], HasSubstr("from kN to N (factor 1000)"));
}

TEST(LoadStudy, TheRecordBeginsWithItsData) {
  const test::TemporaryFolder folder;
  folder.write("forces.csv", "t [s],F1 [N]\n12.5,1\n13,2\n13.5,3\n14,4\n");
  const LoadedStudy loaded =
      load_study_text(with_data("{ u1 = \"F1\" }"), folder.path() / "two.toml");
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  EXPECT_EQ(loaded.as<SimulateStudy>()->start_time, 12.5);
  const Machines machines;
  const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines);
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.experiments[0].record.time().start(), 12.5);
  EXPECT_EQ(result.experiments[0].truth.time()[3], 14.0);
  EXPECT_EQ(two_masses().start_time, 0.0);
}

// Tonnes and micrograms: positive definite for any units.
TEST(LoadStudy, UnitsDoNotMakeAMassIndefinite) {
  const SimulateStudy study =
      two_masses({"model.mass={ diagonal = [1e6, 1e-11] }",
                  "model.stiffness={ diagonal = [1e6, 1e-9] }", "model.damping={ mass = 0.1 }"});
  EXPECT_EQ(study.linear()->system.M(1, 1), 1e-11);
  EXPECT_THAT(first_problem({"model.mass={ diagonal = [1e6, -1e-11] }"}),
              HasSubstr("must be positive definite, its smallest eigenvalue is -1e-11"));
}

TEST(LoadStudy, KeysOfAnotherMethodAreProblems) {
  const auto with = [](const std::string& keys) {
    std::string text = test::kTwoMasses;
    text.replace(text.find("samples = 400"), 13, "samples = 400\n" + keys);
    return first_problem({}, text);
  };
  EXPECT_EQ(with("method = \"variational\"\nhold = \"zero\""),
            "two.toml:11:1: simulate.hold has no effect with method = \"variational\"; it is for "
            "exact and gauss");
  EXPECT_THAT(with("method = \"newmark\"\nstages = 2"), HasSubstr("it is for gauss"));
  EXPECT_THAT(with("[simulate.newmark]\nbeta = 0.3"), HasSubstr("simulate.newmark has no effect"));
  EXPECT_EQ(with("method = \"newmark\"\nnewmark.beta = 0.3"), "");
  EXPECT_EQ(with("method = \"gauss\"\nstages = 3\nhold = \"zero\""), "");
  EXPECT_THAT(first_problem({"simulate.stages=3"}), testing::StartsWith("--set simulate.stages: "));
}

TEST(LoadStudy, AMethodForOneRunLeavesANote) {
  std::string text = test::kTwoMasses;
  text.replace(text.find("samples = 400"), 13, "samples = 400\nhold = \"linear\"");
  const LoadedStudy loaded =
      load_study_text(text, "two.toml", test::changed({"simulate.method=newmark"}));
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  EXPECT_THAT(loaded.as<SimulateStudy>()->notes,
              testing::ElementsAre(HasSubstr("simulate.hold has no effect with method")));
}

TEST(LoadStudy, DataProblemsNameTheCulprit) {
  const test::TemporaryFolder folder;
  const auto problem = [&](const std::string& csv, const std::string& inputs) {
    folder.write("forces.csv", csv);
    const LoadedStudy loaded = load_study_text(with_data(inputs), folder.path() / "two.toml");
    if (loaded.problems.empty()) return std::string();
    EXPECT_TRUE(loaded.problems[0].in_data);
    return to_string(loaded.problems[0]);
  };
  const std::string good = "t [s],F1 [N]\n0,1\n0.5,2\n1,3\n";
  EXPECT_EQ(problem(good, "{ u1 = \"F1\" }"), "");
  EXPECT_THAT(problem(good, "{ u1 = \"F2\" }"),
              HasSubstr("no column \"F2\"; did you mean \"F1\"?"));
  EXPECT_THAT(problem("t [s],F1 [mm]\n0,1\n0.5,2\n1,3\n", "{ u1 = \"F1\" }"),
              HasSubstr("column \"F1\" is in mm, which does not convert to N"));
  EXPECT_THAT(problem("t [s],F1 [N]\n0,1\n0.5,\n1,3\n", "{ u1 = \"F1\" }"),
              HasSubstr("column \"F1\" has no value at sample 2"));
  EXPECT_THAT(problem("t [s],F1 [N]\n0,1\n0.5,2\n5,3\n5.5,3\n6,1\n", "{ u1 = \"F1\" }"),
              HasSubstr("gap from 0.5 s to 5 s"));
}

TEST(LoadStudy, ListsIndependentProblemsInTheOrderOfTheFile) {
  const LoadedStudy loaded = load_study_text(
      "titel = \"x\"\n[model]\nmass = true\n[simulate]\nstep = -1.0\nsamples = 10\n", "s.toml");
  ASSERT_EQ(loaded.problems.size(), 4U);
  EXPECT_EQ(to_string(loaded.problems[0]),
            "s.toml:1:1: unknown key \"titel\" in the study; did you mean \"title\"?");
  EXPECT_THAT(to_string(loaded.problems[1]), HasSubstr("[model] needs the key \"stiffness\""));
  EXPECT_THAT(to_string(loaded.problems[2]), HasSubstr("s.toml:3:8: model.mass must be"));
  EXPECT_THAT(to_string(loaded.problems[3]), HasSubstr("s.toml:5:8: simulate.step must be above"));
}

TEST(LoadStudy, AMisspeltRequiredKeyIsReportedOnce) {
  const LoadedStudy loaded = load_study_text(
      "[model]\nmas = 1.0\nstiffness = 1.0\n[simulate]\nstep = 0.1\nsamples = 10\n", "s.toml");
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_THAT(loaded.problems[0].message, HasSubstr("did you mean \"mass\"?"));
}

TEST(LoadStudy, ProblemsOfOverridesNameTheOption) {
  EXPECT_THAT(first_problem({"simulate.step=-1"}), testing::StartsWith("--set simulate.step: "));
  EXPECT_THAT(first_problem({"simulate.stpe=1"}), HasSubstr("did you mean \"step\"?"));
}

TEST(LoadStudy, EverySemanticRuleHasItsMessage) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"model.mass=[[1.0, 0.0], [0.0, -1.0]]"},
       "positive definite, its smallest eigenvalue is -1"},
      {{"model.mass=[[1.0, 0.5], [0.25, 1.0]]"}, "symmetric, got 0.5 at (1,2) and 0.25 at (2,1)"},
      {{"model.stiffness=3.0"}, "must be 2 x 2 like model.mass, got 1 x 1"},
      {{"model.mass=[[1.0, 0.0]]"}, "must be square, got 1 x 2"},
      {{"model.coordinates=[\"a\"]"}, "must hold 2 names, got 1"},
      {{"model.coordinates=[\"a\", \"a\"]"}, "got \"a\" twice"},
      {{"model.coordinates=[\"a b\", \"c\"]"}, "got \"a b\""},
      {{"model.forces=[\"q1\", \"q3\"]"}, "\"q3\", which the model does not have"},
      {{"model.forces=\"q11\""}, "\"q11\", which the model does not have; did you mean \"q1\"?"},
      {{"model.forces=\"none.mtx\""}, "none.mtx"},
      {{"model.forces=[\"q1\", \"q1\"]"}, "\"q1\" twice"},
      {{"model.forces=[[1.0], [0.0], [0.0]]"}, "must have 2 rows"},
      {{"model.forces=[[1.0, 2.0], [1.0, 2.0]]"}, "independent columns"},
      {{"model.inputs=[\"q1_velocity\", \"b\"]"}, "a channel of the motion"},
      {{"simulate.inputs.u3={ kind = \"zero\" }"}, "no input \"u3\""},
      {{"simulate.inputs.u1.knots=2.0"}, "4 knots or more in the record of 3.99 s, got 2"},
      {{"simulate.inputs.u2={ kind = \"prbs\", clock = 0.015 }"}, "multiple of the step, 0.01 s"},
      {{"simulate.inputs.u2={ kind = \"chirp\", begin = 1.0, end = 60.0 }"}, "half the sampling"},
      {{"simulate.inputs.u2={ kind = \"multisine\", lines = [250] }"}, "from 1 to 199"},
      {{"simulate.inputs.u2={ kind = \"multisine\", lines = [2, 2] }"}, "got 2 twice"},
      {{"simulate.inputs.u2={ kind = \"multisine\", band = [3.01, 3.02] }"}, "holds no line"},
      {{"simulate.inputs.u2={ kind = \"multisine\", band = [5.0, 3.0] }"}, "lower frequency first"},
      {{"simulate.inputs.u2={ kind = \"steps\", times = [1.0, 1.0], levels = [0.0, 1.0] }"},
       "must increase, got 1 after 1"},
      {{"simulate.inputs.u2={ kind = \"steps\", times = [1.0], levels = [0.0, 1.0] }"},
       "as many numbers as times, 1, got 2"},
      {{"simulate.inputs.u2={ kind = \"pulses\", times = [1.0], width = 0.01 }"}, "two steps"},
      {{"simulate.start={ displacement = [1.0] }"}, "each of the 2 coordinates, got 1"},
      {{"simulate.sensors.s={ at = \"q7\" }"}, "no coordinate \"q7\""},
      {{"simulate.sensors.s={ sigma = 1.0 }"}, "needs the key \"at\""},
      {{"simulate.sensors.s={ at = \"q1\", rate = 200.0 }"}, "sampling rate, 100 Hz, got 200"},
      {{"simulate.sensors.s={ at = \"q1\", delay = 5.0 }"}, "less than the record, 4 s"},
      {{"simulate.sensors.s={ at = \"q1\", unit = \"N\" }"}, "must fit m, the unit of the model"},
      {{"simulate.sensors.s={ at = \"q1\", bits = 8, range = [1.0, -1.0] }"}, "lower limit first"},
      {{"simulate.sensors.s={ at = \"q1\", counts = 100 }"}, "needs an angle in rad"},
      {{"simulate.sensors.s={ at = { q1 = 0.0 } }"}, "one weight that is not zero"},
      {{"simulate.sensors.u1={ at = \"q1\" }"}, "the model has an input of that name"},
      {{"simulate.sensors.\"a b\"={ at = \"q1\" }"}, "a name must begin with a letter"},
      {{"simulate.sensors.all.at=\"q1\""}, "stands for every coordinate"},
      {{"model.units={ displacement = [\"m\", \"rad\"] }",
        "simulate.sensors.s={ at = { q1 = 1.0, q2 = 1.0 } }"},
       "is in rad, the others in m"},
  };
  for (const auto& [changes, expected] : cases) {
    EXPECT_THAT(first_problem(changes), HasSubstr(expected)) << changes.back();
  }
}

TEST(CheckText, ThrowsTheFirstProblemAndReadsNoFile) {
  EXPECT_NO_THROW(check_text(test::kTwoMasses, "two.toml"));
  EXPECT_THROW(check_text("a = ", "two.toml"), StudyError);
  EXPECT_THROW(check_text("[simulate]\n", "two.toml"), StudyError);
  // A file that does not exist is not missed, since it is not sought.
  EXPECT_NO_THROW(
      check_text("[model]\nmass = \"none.mtx\"\nstiffness = 1.0\n[simulate]\n"
                 "step = 0.1\nsamples = 10\n",
                 "two.toml"));
}

// A study may ask for a billion samples; checking it must not take their memory.
TEST(CheckText, HugeRecordsAreCheckedWithoutAllocatingThem) {
  std::string text = test::kTwoMasses;
  text.replace(text.find("samples = 400"), 13, "samples = 1000000000");
  EXPECT_NO_THROW(check_text(text, "two.toml"));
  text += "a1 = { at = \"q1\" }\n[simulate.start]\n";
  EXPECT_NO_THROW(check_text(text, "two.toml"));
}

}  // namespace study_test
}  // namespace alembert::study
