#include "alembert/study/output_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/result_file.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace output_error_test {

using testing::HasSubstr;

// The response of y' = a (b u - y), y(0) = y0, to an input held between samples, in closed form.
std::string lag_record(double a, double b, double y0, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, noise);
  std::string text = "u [V],y [mm],v [mm]\n";
  double y = y0;
  for (int k = 0; k < 300; ++k) {
    const double u = (k / 25) % 2 == 0 ? 1.0 : -0.5;
    text += std::to_string(u) + "," + std::to_string(y + normal(random)) + "," +
            std::to_string(2.0 * y + normal(random)) + "\n";
    y = b * u + (y - b * u) * std::exp(-a * 0.1);
  }
  return text;
}

const std::string kLag = R"(title = "Lag"
[data]
file = "lag.csv"
step = 0.1
inputs = { u = "u" }
outputs = { y = "y" }
[model]
equations = """
  y' = a*(b*u - y)   # a lag
"""
start = { y = "y0" }
[identify]
method = "output-error"
parameters.a = { guess = 1.0, lower = 0.0 }
parameters.b = 1.0
parameters.y0 = 0.0
)";

class OutputErrorTask : public testing::Test {
 protected:
  void SetUp() override {
    (void)folder.write("lag.csv", lag_record(0.8, 2.0, 0.5, 0.01, 1));
    (void)folder.write("held.csv", lag_record(0.8, 2.0, 0.5, 0.01, 2));
  }

  LoadedStudy load(const std::vector<std::string>& changes = {},
                   const std::string& text = kLag) const {
    return load_study_text(text, folder.path() / "study.toml", test::changed(changes));
  }

  OutputErrorStudy study(const std::vector<std::string>& changes = {}) const {
    const LoadedStudy loaded = load(changes);
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return *loaded.as<OutputErrorStudy>();
  }

  OutputErrorOutcome outcome(std::vector<std::string> changes = {}) const {
    changes.insert(changes.begin(), "identify.engine=interpreter");
    return run_output_error(study(changes));
  }

  // The first problem, with the place inside the study but without its folder.
  std::string problem(const std::vector<std::string>& changes,
                      const std::string& text = kLag) const {
    const LoadedStudy loaded = load(changes, text);
    if (loaded.problems.empty()) return "";
    const std::string line = to_string(loaded.problems.front());
    const std::size_t at = line.find("study.toml");
    return at == std::string::npos ? line : line.substr(at);
  }

  static std::string replaced(const std::string& from, const std::string& to) {
    std::string text = kLag;
    return text.replace(text.find(from), from.size(), to);
  }

  test::TemporaryFolder folder;
};

TEST_F(OutputErrorTask, ReadsParametersDataAndOptions) {
  const OutputErrorStudy read =
      study({"identify.solver=mads", "identify.between=cubic", "identify.substeps=7",
             "identify.starts=3", "identify.seed=5", "identify.max-evaluations=123",
             "identify.weights=[4.0]", "identify.parameters.a.prior={mean=0.7, std=0.2}",
             "identify.parameters.b={guess=2.0, log=true, scale=0.5, upper=9.0}",
             "identify.parameters.y0={tied-to=\"b\", factor=0.25}",
             "data.validation.file=\"held.csv\"", "data.validation.outputs={y=\"v\"}"});
  EXPECT_EQ(read.options.output_error.search.solver, optimize::Solver::Mads);
  EXPECT_EQ(read.options.output_error.simulation.between, signal::BetweenSamples::Cubic);
  EXPECT_EQ(read.options.output_error.simulation.substeps, 7);
  EXPECT_EQ(read.options.output_error.starts, 3);
  EXPECT_EQ(read.options.output_error.seed, 5U);
  EXPECT_EQ(read.options.output_error.search.max_evaluations, 123);
  EXPECT_EQ(read.options.output_error.weights(0), 4.0);
  ASSERT_EQ(read.parameters.size(), 3U);
  EXPECT_EQ(read.parameters[0].lower, 0.0);
  EXPECT_EQ(read.parameters[0].prior->deviation, 0.2);
  EXPECT_TRUE(read.parameters[1].logarithmic);
  EXPECT_EQ(read.parameters[1].scale, 0.5);
  EXPECT_EQ(read.parameters[2].tie->other, "b");
  EXPECT_EQ(read.parameters[2].tie->factor, 0.25);
  EXPECT_EQ(read.data.samples(), 300);
  EXPECT_EQ(read.step(), 0.1);
  EXPECT_EQ(read.outputs[0].column, "y");
  // The held-back output comes from the other column, which is twice as large.
  EXPECT_NEAR(read.validation.experiments[0].output(0, 0), 1.0, 0.05);
  EXPECT_EQ(read.validation.sources[0].file, "held.csv");
}

// A column of factors, a loss, windows of a length that is found, and other equations.
TEST_F(OutputErrorTask, WeightsLossesWindowsAndOtherEquationsAreRead) {
  std::string text = lag_record(0.8, 2.0, 0.5, 0.01, 3);
  std::string weighed;
  int line = 0;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = text.find('\n', at);
    const std::string ending = line == 0 ? ",w" : line == 40 ? ",0" : ",1";
    weighed += text.substr(at, end - at) + ending + "\n";
    at = end + 1;
  }
  (void)folder.write("weighed.csv", weighed);
  const std::vector<std::string> changes = {
      "data.file=\"weighed.csv\"",
      "data.weights={y=\"w\"}",
      "identify.loss=bisquare",
      "identify.experiment-weights=[2.0]",
      "data.validation.fraction=0.3",
      "data.validation.window=2.0",
      "data.validation.ahead=true",
      "identify.compare.slow={equations=\"y' = a*(b*u - y) - e*y^3\", parameters={e=0.0}}"};
  const OutputErrorStudy read = study(changes);
  EXPECT_EQ(read.options.output_error.loss, identify::Loss::Bisquare);
  EXPECT_EQ(read.data.experiments[0].weight(39, 0), 0.0);
  EXPECT_EQ(read.data.experiments[0].weight.sum(), 209.0);
  EXPECT_EQ(read.options.output_error.experiment_weights(0), 2.0);
  EXPECT_EQ(read.options.validation.window, 2.0);
  EXPECT_TRUE(read.options.validation.ahead);
  EXPECT_TRUE(read.options.compare_holds);
  EXPECT_FALSE(study({"identify.between=held"}).options.compare_holds);
  EXPECT_TRUE(study({"identify.window=automatic"}).options.output_error.find_window);
  EXPECT_EQ(study({"identify.window=0.5"}).options.output_error.window, 0.5);
  ASSERT_EQ(read.options.compare.size(), 1U);
  EXPECT_EQ(read.options.compare[0].parameters.size(), 4U);
  const OutputErrorOutcome found = outcome(changes);
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_EQ(found.comparison.size(), 2U);
  EXPECT_GT(found.comparison[1].bic_difference, 0.0);
  const document::ResultTree tree = describe(found);
  EXPECT_EQ(tree.at("comparison").entries()[1].text("name"), "slow");
  EXPECT_EQ(tree.at("search/holds").entries().size(), 3U);
}

TEST_F(OutputErrorTask, ParametersThatAreAllFixedAreScored) {
  const OutputErrorOutcome found = outcome({"identify.parameters.a={guess=0.8, fixed=true}",
                                            "identify.parameters.b={guess=2.0, fixed=true}",
                                            "identify.parameters.y0={guess=0.5, fixed=true}"});
  ASSERT_TRUE(found.ok()) << found.message;
  // The noise of the record, 300 samples.
  EXPECT_NEAR(found.estimate.prediction.rms(0), 0.01, 4.0 * 0.01 / std::sqrt(600.0));
}

TEST_F(OutputErrorTask, EverySolverFindsTheClosedForm) {
  for (const char* solver : {"levenberg-marquardt", "nelder-mead", "sbplx", "bobyqa", "mads"}) {
    const OutputErrorOutcome found = outcome({std::string("identify.solver=") + solver});
    ASSERT_TRUE(found.ok()) << solver << ": " << found.message;
    const double truth[] = {0.8, 2.0, 0.5};
    for (std::size_t i = 0; i < 3; ++i) {
      const identify::ParameterVerdict one = parameter_verdict(found, i);
      EXPECT_NEAR(one.value, truth[i], 4.0 * one.deviation) << solver << " " << i;
    }
    // Noise of 0.01 over 300 samples: 4 deviations of its estimate are 4/√600.
    EXPECT_NEAR(found.estimate.prediction.rms(0), 0.01, 0.01 * 4.0 / std::sqrt(600.0)) << solver;
  }
}

TEST_F(OutputErrorTask, SeveralStartsAndOutputsAgree) {
  const OutputErrorOutcome one = outcome();
  const OutputErrorOutcome many = outcome({"identify.starts=4"});
  EXPECT_NEAR(many.estimate.parameters(0), one.estimate.parameters(0),
              0.01 * one.estimate.statistics.deviations(0));
  EXPECT_FALSE(many.estimate.optima.empty());
  // A second sensor that sees twice the motion with the same noise: information times five.
  const OutputErrorOutcome two =
      run_output_error(*load({"identify.engine=interpreter", "data.outputs={y=\"y\", z=\"v\"}"},
                             replaced("# a lag\n", "\n  z = 2*y\n"))
                            .as<OutputErrorStudy>());
  ASSERT_TRUE(two.ok()) << two.message;
  EXPECT_NEAR(two.estimate.statistics.deviations(0) / one.estimate.statistics.deviations(0),
              1.0 / std::sqrt(5.0), 0.05);
}

TEST_F(OutputErrorTask, FixedTiedAndBoundedParametersSaySo) {
  const OutputErrorOutcome found = outcome({"identify.parameters.a={guess=0.8, fixed=true}",
                                            "identify.parameters.y0={tied-to=\"b\", factor=0.25}",
                                            "identify.parameters.b={guess=1.5, upper=1.9}"});
  // Nothing was estimated then.
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_THAT(found.message, HasSubstr("ended at a bound"));
  using Role = identify::ParameterVerdict::Role;
  EXPECT_EQ(parameter_verdict(found, 0).role, Role::Fixed);
  EXPECT_EQ(parameter_verdict(found, 0).deviation, 0.0);
  EXPECT_EQ(parameter_verdict(found, 1).role, Role::AtBound);
  EXPECT_EQ(parameter_verdict(found, 1).value, 1.9);
  EXPECT_EQ(parameter_verdict(found, 2).role, Role::Tied);
  EXPECT_DOUBLE_EQ(parameter_verdict(found, 2).value, 0.25 * 1.9);
  EXPECT_THAT(found.warnings, testing::Contains(HasSubstr("b ended at its bound")));
  const OutputErrorOutcome many =
      outcome({"identify.parameters.b={guess=1.5, upper=1.9}", "identify.starts=3"});
  EXPECT_EQ(parameter_verdict(many, 1).role, Role::AtBound);
}

TEST_F(OutputErrorTask, WhatTheDataCannotTellIsNamed) {
  const OutputErrorOutcome found = run_output_error(
      *load({"identify.engine=interpreter", "identify.parameters.c=1.0"}, replaced("b*u", "b*c*u"))
           .as<OutputErrorStudy>());
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_THAT(found.warnings.front(), HasSubstr("b up, c down in proportion"));
}

TEST_F(OutputErrorTask, CoarseStepsAreMadeFinerAndPoorFitsWarn) {
  const OutputErrorOutcome coarse =
      outcome({"identify.substeps=1", "identify.parameters.a={guess=18.0, lower=15.0}"});
  EXPECT_GT(coarse.simulation.substeps, 1);
  EXPECT_THAT(coarse.warnings,
              testing::Not(testing::Contains(HasSubstr("raise identify.substeps"))));
  EXPECT_THAT(outcome({"identify.parameters.b={guess=-1.0, upper=-0.5}"}).warnings,
              testing::Contains(HasSubstr("poor fit of y")));
}

TEST_F(OutputErrorTask, ErrorsInTheEquationsPointIntoTheStudy) {
  // `  y' = a*(b*u - y)` is line 9 of the study.
  EXPECT_EQ(problem({}, replaced("b*u", "bb*u")), "study.toml:9:11: unknown name 'bb'");
  EXPECT_EQ(problem({}, replaced("\"y0\"", "\"2*yo\"")),
            "study.toml:11:18: model.start.y: unknown name 'yo', did you mean 'y0'?");
  EXPECT_THAT(problem({"model.units.u=V", "model.units.y=mm", "model.units.b=m/V"}),
              HasSubstr("study.toml:9:"));
  EXPECT_THAT(problem({"model.equations=\"y' = \""}), HasSubstr("--set model.equations: "));
}

TEST_F(OutputErrorTask, BadStudiesNameTheCulprit) {
  EXPECT_THAT(problem({"identify.parameters.a.gess=1.0"}), HasSubstr("did you mean \"guess\"?"));
  EXPECT_THAT(problem({"identify.solver=simplex"}), HasSubstr("identify.solver must be one of"));
  EXPECT_THAT(problem({"identify.parameters.k=1.0"}),
              HasSubstr("identify.parameters.k has no effect on the outputs"));
  EXPECT_THAT(problem({"identify.parameters.a.upper=0.5"}),
              HasSubstr("--set identify.parameters.a.upper: identify.parameters.a: parameter 'a'"));
  EXPECT_THAT(problem({"identify.parameters.a.prior={mean=1.0, std=0.1}"}),
              HasSubstr("identify.parameters.a.prior needs identify.weights"));
  EXPECT_THAT(problem({"identify.experiment-weights=[1.0, 2.0]"}),
              HasSubstr("must hold one number for each experiment, 1, got 2"));
  EXPECT_THAT(problem({"identify.loss=hubber"}), HasSubstr("identify.loss must be one of"));
  EXPECT_THAT(problem({"identify.window=found"}), HasSubstr("identify.window"));
  EXPECT_THAT(problem({"data.weights={z=\"u\"}"}), HasSubstr("data.outputs has no \"z\""));
  EXPECT_THAT(problem({"identify.compare.other=\"y' = -q*y\""}),
              HasSubstr("identify.compare.other"));
  EXPECT_THAT(problem({"identify.weights=[1.0, 2.0]"}), HasSubstr("identify.weights must hold"));
  EXPECT_THAT(problem({"identify.between=band-limited"}), HasSubstr("identify.start = \"periodic"));
  EXPECT_EQ(problem({"data.outputs={z=\"y\"}"}), "--set data.outputs: output 'z' has no equation");
  EXPECT_THAT(problem({"data.outputs={y=\"yy\"}"}), HasSubstr("has no column \"yy\""));
  EXPECT_THAT(problem({"data.validation.inputs={w=\"u\"}"}), HasSubstr("data.inputs has no \"w\""));
  EXPECT_THAT(problem({"model.mass=1.0"}), HasSubstr("unknown key \"mass\" in [model]"));
  EXPECT_THAT(
      problem({}, "[model]\nequations = \"x' = 1\"\n[simulate]\n[identify]\n[monte-carlo]\n"),
      HasSubstr("[monte-carlo] needs the key \"runs\""));
  EXPECT_THAT(problem({}, replaced("equations = \"\"\"\n  y' = a*(b*u - y)   # a lag\n\"\"\"", "")),
              HasSubstr("[model] needs the key \"equations\""));
}

// The periodic state takes the place of the start values.
TEST_F(OutputErrorTask, APeriodicStartHasNoUseForParametersOfTheStart) {
  const std::string found = problem({"identify.start=periodic"});
  EXPECT_THAT(found, HasSubstr("study.toml:16:"));
  EXPECT_THAT(found, HasSubstr("identify.parameters.y0 stands in model.start alone"));
  EXPECT_EQ(problem({"identify.start=periodic", "identify.parameters.y0={guess=0.0, fixed=true}"}),
            "");
}

// By Student's t with the degrees of freedom of the deviation. Without one for coloured residuals
// that for white ones remains: the quantile 0.975 with 297 degrees of freedom is 1.96798.
TEST_F(OutputErrorTask, IntervalsFollowTheDeviationThatHolds) {
  OutputErrorOutcome found = outcome();
  const identify::ParameterVerdict shown = parameter_verdict(found, 0);
  EXPECT_EQ(shown.deviation, found.estimate.coloured.deviations(0));
  EXPECT_EQ(shown.white, found.estimate.statistics.deviations(0));
  EXPECT_NEAR(shown.margin, found.estimate.coloured.half_widths()(0), 1e-12 * shown.margin);
  found.estimate.robust = {};
  found.estimate.coloured = {};
  const identify::ParameterVerdict white = parameter_verdict(found, 0);
  EXPECT_EQ(white.deviation, white.white);
  EXPECT_NEAR(white.margin / white.deviation, 1.96798, 1e-5);
}

TEST_F(OutputErrorTask, TooFewSamplesAreTheDatasFault) {
  (void)folder.write("lag.csv", "u,y\n1,0\n1,1\n");
  const LoadedStudy loaded = load();
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_TRUE(loaded.problems.front().in_data);
  EXPECT_THAT(loaded.problems.front().message, HasSubstr("too few for 3 parameters"));
}

TEST_F(OutputErrorTask, UnitsConvertColumns) {
  const OutputErrorOutcome found = outcome({"model.units={u=\"V\", y=\"m\", a=\"1/s\"}"});
  EXPECT_NEAR(found.estimate.parameters(1), 2e-3, 4.0 * found.estimate.statistics.deviations(1));
  EXPECT_EQ(found.study.outputs[0].factor, 1e-3);
  EXPECT_THAT(found.study.notes, testing::Contains(HasSubstr("converted from mm to m")));
}

TEST_F(OutputErrorTask, TheResultHoldsWhatWasFound) {
  const OutputErrorOutcome found = outcome({"data.validation.file=\"held.csv\""});
  write_output_error_result(found, folder.path());
  std::ifstream stream(folder.path() / "result.json");
  const nlohmann::json json = nlohmann::json::parse(stream);
  EXPECT_EQ(json["method"], "output-error");
  EXPECT_EQ(json["status"], "success");
  EXPECT_EQ(json["parameters"][0]["name"], "a");
  EXPECT_EQ(json["parameters"][0]["value"], found.estimate.parameters(0));
  EXPECT_EQ(json["parameters"][0]["deviation"], found.estimate.coloured.deviations(0));
  EXPECT_EQ(json["search"]["solver"], "levenberg-marquardt");
  // The same noise level on data that were not used; 4 deviations of 4/√600.
  EXPECT_NEAR(json["validation"]["outputs"][0]["residual_rms"].get<double>(), 0.01, 0.002);
  const signal::Record record = io::read_records(folder.path() / "prediction.csv", {}).front();
  const Eigen::VectorXd sum = record.values("y_predicted") + record.values("y_residual");
  EXPECT_LT((sum - record.values("y")).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "validation.csv"));
}

TEST_F(OutputErrorTask, TheDescriptionIsWhatTheFileHolds) {
  const OutputErrorOutcome found =
      outcome({"data.validation.file=\"held.csv\"", "identify.profile=[\"a\"]",
               "identify.parameters.y0={ tied-to = \"b\", factor = 0.25 }", "identify.starts=2",
               "model.units.y=\"mm\""});
  const document::ResultTree tree = describe(found);
  EXPECT_EQ(tree.text("status"), "success");
  EXPECT_EQ(tree.number("parameters/0/value"), found.estimate.parameters(0));
  EXPECT_EQ(tree.text("parameters/2/role"), "tied");
  EXPECT_EQ(tree.text("parameters/2/interval").empty(), false);
  EXPECT_TRUE(std::isnan(tree.number("parameters/2/start")));
  EXPECT_EQ(tree.at("search/optima/0/hits").label(), "searches");
  EXPECT_EQ(tree.text("validation/outputs/0/unit"), "mm");
  // Half of the interval in deviations for white residuals, by which the profile is scaled. It is
  // found from a difference of costs of some per cent, which costs two digits.
  const identify::ParameterVerdict verdict = parameter_verdict(found, 0);
  const double quantile = verdict.margin / verdict.white;
  EXPECT_NEAR(tree.number("profiles/0/quantile"), quantile, 1e4 * test::kEps * quantile);
  EXPECT_EQ(tree.number("profiles/0/deviation"), found.estimate.statistics.deviations(0));
  write_output_error_result(found, folder.path());
  EXPECT_TRUE(test::result_file_has(folder.path(), tree));
}

// A model that leaves the range of numbers is a status, not a crash.
TEST_F(OutputErrorTask, AModelThatGrowsEndlesslySaysSo) {
  const OutputErrorOutcome found =
      outcome({"model.equations=\"y' = exp(1000 + abs(a*y + b*u))\"", "identify.parameters.a=1.0"});
  EXPECT_EQ(found.status, Status::NotFinite);
  EXPECT_FALSE(found.has_prediction());
  write_output_error_result(found, folder.path());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "prediction.csv"));
}

TEST(OutputErrorStudies, ThePendulumHasTheTruthOfItsRecord) {
  const std::filesystem::path file = test::project_folder() / "studies/pendulum/identify.toml";
  const LoadedStudy loaded = load_study(file, test::changed({"identify.engine=interpreter"}));
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const OutputErrorOutcome found = run_output_error(*loaded.as<OutputErrorStudy>());
  ASSERT_TRUE(found.ok()) << found.message;
  const double truth[] = {0.32, 0.08, 0.01, 0.03, 1.2};
  for (std::size_t i = 0; i < 5; ++i) {
    const identify::ParameterVerdict one = parameter_verdict(found, i);
    EXPECT_NEAR(one.value, truth[i], 4.0 * one.deviation) << found.study.parameters[i].name;
    EXPECT_LT(one.deviation, 0.01 * truth[i]);
  }
  EXPECT_THAT(found.warnings, testing::IsEmpty());
  // The unit of the angle whose start it is; by the equations it is a number.
  EXPECT_EQ(found.study.parameter_units[4], "rad");
  // Noise of 0.005 over 1000 samples, 4 deviations.
  EXPECT_NEAR(found.validation->prediction.rms(0), 0.005, 0.005 * 4.0 / std::sqrt(2000.0));
}

const std::string kTanks = R"(
[data]
step = 4.0
inputs = { u = "uEst" }
outputs = { x2 = "yEst" }
[data.validation]
inputs = { u = "uVal" }
outputs = { x2 = "yVal" }
[model]
equations = """
  v1  = min(x1, vmax)
  ov  = max(x1 - vmax, 0)
  out = p1*sqrt(2*g)*sqrt(max(v1, 0))
  x1' = -out + p1*p2*(u - bu) - kover*ov
  d2  = out - p1*sqrt(2*g)*sqrt(max(x2, 0)) + kover*ov
  x2' = if(x2 >= vmax and d2 > 0, 0, d2)
"""
constants = { g = 9.81, vmax = 10.0 }
start = { x1 = "v10", x2 = "v20" }
[identify]
method = "output-error"
solver = "nelder-mead"
parameters.p1 = { guess = 0.07, log = true }
parameters.p2 = { guess = 2.25, log = true }
parameters.v10 = 5.0
parameters.v20 = 5.21
parameters.bu = 0.0
parameters.kover = { guess = 0.16, log = true }
)";

// The cascaded tanks from the published guess [Brunot2017].
TEST(OutputErrorStudies, TanksAsPublished) {
  ALEMBERT_REQUIRE_DATA(file, "cascaded_tanks/dataBenchmark.csv");
  const LoadedStudy loaded =
      load_study_text(kTanks, "tanks.toml", test::changed({"data.file=\"" + file.string() + "\""}));
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const OutputErrorOutcome found = run_output_error(*loaded.as<OutputErrorStudy>());
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_LE(found.estimate.prediction.rms(0), 0.2780);
  // The overflow is hardly seen, so that the end of the search varies in the third digit.
  EXPECT_NEAR(found.validation->prediction.rms(0), 0.3786, 0.003);
}

}  // namespace output_error_test
}  // namespace alembert::study
