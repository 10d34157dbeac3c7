#include "alembert/study/identify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "alembert/core/error.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/io/table.hpp"
#include "alembert/signal/excitation.hpp"
#include "alembert/study/result/result_folder.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace identify_test {

using testing::HasSubstr;

// A study that simulates a record, then one that identifies from it.
const std::string kSimulate = R"(
[model]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { mass = 0.1, stiffness = 0.001 }
[simulate]
step = 0.01
samples = 3000
[simulate.inputs]
all = { kind = "spline-noise", knots = 0.05 }
[simulate.sensors]
all = { snr = 30.0 }
y1 = { snr = 30.0, at = "q1", unit = "mm" }
a1 = { measures = "acceleration", at = "q1", snr = 30.0, unit = "g" }
a2 = { measures = "acceleration", at = "q2", snr = 30.0 }
)";

const std::string kIdentify = R"(
title = "Two masses"
[data]
file = "record.csv"
inputs = ["u1", "u2"]
outputs = ["y1", "y2"]
[model]
degrees-of-freedom = 2
[identify]
)";

Eigen::Matrix2d true_mass() { return Eigen::Matrix2d{{2.0, 0.0}, {0.0, 1.0}}; }
Eigen::Matrix2d true_stiffness() { return Eigen::Matrix2d{{300.0, -100.0}, {-100.0, 100.0}}; }
Eigen::Matrix2d true_damping() { return 0.1 * true_mass() + 0.001 * true_stiffness(); }

// A folder with the record of kSimulate in it.
class IdentifyTask : public testing::Test {
 protected:
  void SetUp() override {
    const LoadedStudy loaded = load_study_text(kSimulate, folder.path() / "simulate.toml");
    ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
    const Machines machines;
    write_simulate_result(run_simulate(*loaded.as<SimulateStudy>(), machines), folder.path());
  }

  LoadedStudy load(const std::vector<std::string>& changes = {},
                   const std::string& text = kIdentify) const {
    return load_study_text(text, folder.path() / "identify.toml", test::changed(changes));
  }

  IdentifyStudy study(const std::vector<std::string>& changes = {}) const {
    const LoadedStudy loaded = load(changes);
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return *loaded.as<IdentifyStudy>();
  }

  std::string problem(const std::vector<std::string>& changes) const {
    const LoadedStudy loaded = load(changes);
    return loaded.problems.empty() ? "" : loaded.problems.front().message;
  }

  test::TemporaryFolder folder;
};

// Error of each entry in its own standard deviations; 4.5 is exceeded once in 1.5e5 entries.
void expect_within_deviations(const IdentifyResult& result) {
  const auto check = [](const Eigen::MatrixXd& value, const Eigen::MatrixXd& deviation,
                        const Eigen::MatrixXd& truth, const char* name) {
    for (Eigen::Index i = 0; i < 2; ++i) {
      for (Eigen::Index j = 0; j <= i; ++j) {
        EXPECT_GT(deviation(i, j), 0.0) << name << i << j;
        EXPECT_NEAR(value(i, j), truth(i, j), 4.5 * deviation(i, j)) << name << i << j;
      }
    }
  };
  check(result.refinement.system.M, result.deviations.M, true_mass(), "M");
  check(result.refinement.system.D, result.deviations.D, true_damping(), "D");
  check(result.refinement.system.K, result.deviations.K, true_stiffness(), "K");
}

TEST_F(IdentifyTask, ReadsDataUnitsAndDefaults) {
  const IdentifyStudy read = study();
  ASSERT_EQ(read.data.experiments.size(), 1U);
  EXPECT_EQ(read.data.samples(), 3000);
  EXPECT_EQ(read.model.inputs, (std::vector<std::string>{"u1", "u2"}));
  EXPECT_EQ(read.model.system.L, Eigen::Matrix2d::Identity());
  EXPECT_EQ(identify::choose_start(read.settings).start, identify::StartMethod::WeakForm);
  EXPECT_TRUE(read.settings.refine);
  EXPECT_EQ(read.settings.unknowns.size(), 9);
  EXPECT_FALSE(read.has_nominal());
  // y1 is in mm, and the note says so.
  EXPECT_EQ(read.outputs[0].column.column_unit, "mm");
  EXPECT_NEAR(read.outputs[0].column.factor, 1e-3, 1e-18);
  ASSERT_FALSE(read.notes.empty());
  EXPECT_THAT(read.notes.front(), HasSubstr("converted from mm to m"));
}

TEST_F(IdentifyTask, FindsTheMatricesWithinTheirDeviations) {
  const IdentifyResult result = run_identify(study({"data.validation.fraction=0.25"}));
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.study.data.samples(), 2250);
  EXPECT_EQ(result.study.validation.samples(), 750);
  expect_within_deviations(result);
  ASSERT_EQ(result.modes.size(), 2U);
  EXPECT_GT(result.modes[0].frequency_deviation, 0.0);
  ASSERT_TRUE(result.validation);
  // The rms of 750 samples of noise scatters by 1/sqrt(1500) = 2.6 %; four times that.
  for (Eigen::Index i = 0; i < 2; ++i) {
    const double rms = result.validation->outputs[static_cast<std::size_t>(i)].rms;
    EXPECT_NEAR(rms / result.refinement.noise(i), 1.0, 0.104);
  }
  EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
}

TEST_F(IdentifyTask, AccelerationsAndNamedPlacesInAnyOrder) {
  const IdentifyResult result =
      run_identify(study({"data.outputs={ top = \"a2\", low = \"a1\" }",
                          "sensors.top={ measures = \"acceleration\", at "
                          "= \"q2\" }",
                          "sensors.low={ measures = \"acceleration\", at = \"q1\" }"}));
  ASSERT_TRUE(result.ok()) << result.message;
  // g to m/s^2.
  EXPECT_NEAR(result.study.outputs[1].column.factor, 9.80665, 1e-12);
  expect_within_deviations(result);
}

TEST_F(IdentifyTask, MixedSensorsStartFromTheLikeOnes) {
  const IdentifyStudy mixed = study({"data.outputs=[\"a1\", \"y1\", \"y2\"]",
                                     "sensors.a1={ measures = \"acceleration\", at = \"q1\" }",
                                     "sensors.y1={ at = \"q1\" }", "sensors.y2={ at = \"q2\" }"});
  const identify::LikeOutputs like = identify::like_outputs(mixed.settings.outputs);
  EXPECT_EQ(like.motion, model::Motion::Displacement);
  EXPECT_EQ(like.outputs, (std::vector<Eigen::Index>{1, 2}));
  const IdentifyResult result = run_identify(mixed);
  ASSERT_TRUE(result.ok()) << result.message;
  expect_within_deviations(result);
}

TEST_F(IdentifyTask, StructureIsKept) {
  const IdentifyResult result =
      run_identify(study({"model.mass-structure=diagonal", "model.damping-structure=proportional",
                          "model.fixed={ K21 = -100.0 }"}));
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.refinement.theta.size(), 2 + 2 + 2);
  EXPECT_EQ(result.refinement.system.M(0, 1), 0.0);
  EXPECT_EQ(result.refinement.system.K(0, 1), -100.0);
  EXPECT_EQ(result.deviations.K(0, 1), 0.0);
}

TEST_F(IdentifyTask, ElementsAreTheUnknowns) {
  const IdentifyResult result = run_identify(
      study({"model.elements={ m1 = { mass = \"q1\" }, m2 = { mass = \"q2\" }, k0 = { spring = "
             "[\"q1\", \"ground\"] }, k1 = { spring = [\"q1\", \"q2\"] }, c0 = { damper = [\"q1\", "
             "\"ground\"] }, c1 = { damper = [\"q1\", \"q2\"] }, c2 = { damper = [\"q2\", "
             "\"ground\"] } }"}));
  ASSERT_TRUE(result.ok()) << result.message;
  const std::vector<std::string>& names = result.problem.unknowns.names;
  const auto at = std::find(names.begin(), names.end(), "k1") - names.begin();
  ASSERT_LT(at, static_cast<std::ptrdiff_t>(names.size()));
  // K = [k0 + k1, -k1; -k1, k1] with k0 = 200, k1 = 100.
  EXPECT_NEAR(result.refinement.theta(at), 100.0,
              4.5 * std::sqrt(result.refinement.covariance(at, at)));
}

TEST_F(IdentifyTask, ComparesMethodsAndTellsTheTruth) {
  const IdentifyResult result = run_identify(study(
      {"identify.compare=[\"weak-form\", \"subspace\", \"companion-midpoint\", \"midpoint\"]",
       "truth.mass={ diagonal = [2.0, 1.0] }", "truth.stiffness=[[300.0, -100.0], [-100.0, 100.0]]",
       "truth.damping={ mass = 0.1, stiffness = 0.001 }"}));
  ASSERT_TRUE(result.ok()) << result.message;
  ASSERT_EQ(result.comparison.size(), 5U);
  EXPECT_EQ(result.comparison[0].mass, 0.0);
  EXPECT_NEAR(result.comparison[0].residual, 1.0, 1e-12);
  for (const identify::ComparedMethod& row : result.comparison) {
    ASSERT_TRUE(row.error) << row.name;
    // Nobody predicts better than the least-squares estimate, but for the few per mille that
    // degrees of freedom make in the noise.
    EXPECT_GT(row.residual, 0.99) << row.name;
  }
  ASSERT_TRUE(result.error);
  // Five times what the covariance expects.
  EXPECT_LT((*result.error)(0), 5.0 * (*result.expected_error)(0));
}

TEST_F(IdentifyTask, StartFromTheNominalModelOrNoRefinement) {
  const std::vector<std::string> nominal = {"model.mass={ diagonal = [2.2, 0.9] }",
                                            "model.stiffness=[[330.0, -110.0], [-110.0, 105.0]]",
                                            "model.damping={ ratios = 0.02 }"};
  std::vector<std::string> changes = nominal;
  changes.push_back("identify.start=model");
  expect_within_deviations(run_identify(study(changes)));
  const IdentifyResult rough = run_identify(study({"identify.refine=none"}));
  EXPECT_TRUE(rough.ok()) << rough.message;
  EXPECT_EQ(rough.deviations.M.size(), 0);
  EXPECT_TRUE(std::isnan(rough.modes.front().frequency_deviation));
  // The weak form alone is within some percent.
  EXPECT_TRUE(test::matrices_near(rough.refinement.system.M, true_mass(), {.abs = 0.1}));
}

TEST_F(IdentifyTask, SeveralExperimentsAndFiles) {
  std::ofstream(folder.path() / "second.csv")
      << std::ifstream(folder.path() / "record.csv").rdbuf();
  const std::string text = [] {
    std::string changed = kIdentify;
    changed.replace(changed.find("file = \"record.csv\""), 19,
                    "files = [\"record.csv\", \"second.csv\"]");
    return changed;
  }();
  const LoadedStudy loaded = load({"data.detrend=mean"}, text);
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const IdentifyResult result = run_identify(*loaded.as<IdentifyStudy>());
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(result.refinement.start.cols(), 2);
  const test::TemporaryFolder out;
  write_identify_result(result, out.path());
  EXPECT_TRUE(std::filesystem::exists(out.path() / "prediction-02.csv"));
  EXPECT_EQ(reason_to_keep(out.path()), "");
}

TEST_F(IdentifyTask, WritesMatricesAndPredictionsThatReadBack) {
  const IdentifyResult result = run_identify(study());
  const test::TemporaryFolder out;
  write_identify_result(result, out.path());
  EXPECT_EQ(reason_to_keep(out.path()), "");
  EXPECT_EQ(io::read_matrix(out.path() / "mass.csv"), result.refinement.system.M);
  const signal::Record record = io::read_record(out.path() / "prediction.csv");
  EXPECT_EQ(record.channel_count(), 6);
  EXPECT_EQ(record.size(), 3000);
  // Written with the digits that read back.
  EXPECT_EQ(Eigen::VectorXd(record.values("y2_predicted")),
            result.refinement.predictions.front().col(1));
}

TEST_F(IdentifyTask, ProblemsNameTheCulprit) {
  EXPECT_THAT(problem({"data.outputs=[\"y1\", \"u2\"]"}), HasSubstr("an input named \"u2\""));
  EXPECT_THAT(problem({"identify.start=model"}), HasSubstr("needs a nominal model"));
  EXPECT_THAT(problem({"model.fixed={ K31 = 0.0 }"}), HasSubstr("model.fixed.K31"));
  EXPECT_THAT(problem({"sensors.y1={ at = \"q9\" }"}), HasSubstr("no coordinate \"q9\""));
  EXPECT_THAT(problem({"model.tied={ K11 = \"two K22\" }"}), HasSubstr("got \"two K22\""));
  EXPECT_THAT(problem({"identify.horizon=20"}), HasSubstr("identify.horizon has no effect"));
  EXPECT_THAT(problem({"data.inputs=[\"u1\"]"}), HasSubstr("needs the key \"forces\""));
  EXPECT_THAT(problem({"model.inputs=[\"a\", \"b\", \"c\"]"}), HasSubstr("must hold 2 names"));
}

// A key that fits the study as written is noted only when the command line changes the start.
TEST_F(IdentifyTask, KeysOfAnotherStartAreNotedUnderOverrides) {
  std::string text = kIdentify + "window = 0.3\n";
  const LoadedStudy loaded = load({"identify.start=subspace"}, text);
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  EXPECT_THAT(loaded.as<IdentifyStudy>()->notes, testing::Contains(HasSubstr("identify.window")));
}

// Spellings that named the role of a method in a paper are read as before, with a note.
TEST_F(IdentifyTask, OldNamesOfMethodsAreReadAndNoted) {
  const IdentifyStudy read =
      study({"identify.start=published", "identify.published-input=samples",
             "identify.compare=[\"rival\", \"published-start\", \"published\"]"});
  EXPECT_EQ(read.settings.start, identify::StartMethod::Companion);
  EXPECT_EQ(read.settings.companion_input, identify::VariationalInput::Samples);
  EXPECT_EQ(read.settings.compare,
            (std::vector{identify::LinearMethod::Subspace, identify::LinearMethod::Companion,
                         identify::LinearMethod::CompanionMidpoint}));
  EXPECT_THAT(
      read.notes,
      testing::Contains(HasSubstr("identify.start: \"published\" is called \"companion\" now")));
  EXPECT_THAT(read.notes, testing::Contains(HasSubstr("is called companion-input now")));
  EXPECT_THAT(problem({"identify.start=companion", "identify.companion-input=samples",
                       "identify.published-input=samples"}),
              HasSubstr("identify.published-input is called companion-input now; both are given"));
}

// The study adds files, units and names; the numbers are those of the call from arrays.
TEST_F(IdentifyTask, GivesWhatTheArraysGive) {
  const IdentifyStudy read = study({"data.validation.fraction=0.25"});
  const identify::LinearIdentification direct = identify::identify_linear(
      read.data.experiments, read.validation.experiments, {.degrees_of_freedom = 2});
  const IdentifyResult result = run_identify(read);
  EXPECT_EQ(result.refinement.system.M, direct.refinement.system.M);
  EXPECT_EQ(result.refinement.system.D, direct.refinement.system.D);
  EXPECT_EQ(result.refinement.system.K, direct.refinement.system.K);
  EXPECT_EQ(result.refinement.covariance, direct.refinement.covariance);
  ASSERT_TRUE(result.validation && direct.validation);
  EXPECT_EQ(result.validation->outputs[1].rms, direct.validation->outputs[1].rms);
  EXPECT_EQ(result.start.words, direct.start.words);
}

}  // namespace identify_test
}  // namespace alembert::study
