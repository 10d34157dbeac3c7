#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace equation_simulate_test {

using testing::HasSubstr;

const std::string kOscillator = R"(title = "Oscillator"
[model]
equations = """
  x'' = (u - c*x' - k*x)/m
  force = k*x + c*x'
"""
constants = { m = 2.0 }
start = { x = 0.5 }
[simulate]
step = 0.02
samples = 300
engine = "interpreter"
parameters = { k = 50.0, c = 1.5 }
inputs.u = { kind = "prbs", order = 6, clock = 0.1, amplitude = 3.0 }
sensors.x = { sigma = 0.01 }
sensors.speed = { measures = "x'", snr = 30.0 }
sensors.force = {}
)";

class EquationSimulate : public testing::Test {
 protected:
  LoadedStudy load(const std::vector<std::string>& changes = {},
                   const std::string& text = kOscillator) const {
    return load_study_text(text, folder.path() / "study.toml", test::changed(changes));
  }
  SimulateResult simulated(const std::vector<std::string>& changes = {}) const {
    const LoadedStudy loaded = load(changes);
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    const Machines machines;
    return run_simulate(*loaded.as<SimulateStudy>(), machines);
  }
  std::string problem(const std::vector<std::string>& changes,
                      const std::string& text = kOscillator) const {
    const LoadedStudy loaded = load(changes, text);
    if (loaded.problems.empty()) return "";
    const std::string line = to_string(loaded.problems.front());
    const std::size_t at = line.find("study.toml");
    return at == std::string::npos ? line : line.substr(at);
  }

  test::TemporaryFolder folder;
};

// The same system as matrices, propagated exactly, is the oracle.
TEST_F(EquationSimulate, AgreesWithTheLinearTask) {
  const SimulateResult found = simulated();
  ASSERT_TRUE(found.ok()) << found.message;
  const std::string linear = R"(
[model]
mass = 2.0
damping = 1.5
stiffness = 50.0
inputs = ["u"]
[simulate]
step = 0.02
samples = 300
hold = "zero"
start.displacement = [0.5]
inputs.u = { kind = "prbs", order = 6, clock = 0.1, amplitude = 3.0 }
)";
  const LoadedStudy loaded = load_study_text(linear, "linear.toml");
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const Machines machines;
  const SimulateResult exact = run_simulate(*loaded.as<SimulateStudy>(), machines);
  const signal::Record& truth = found.experiments.front().truth;
  const signal::Record& reference = exact.experiments.front().truth;
  // The same name gives the same random input.
  EXPECT_EQ(Eigen::VectorXd(truth.values("u")), Eigen::VectorXd(reference.values("u")));
  // 20 Runge-Kutta steps a sample: (ω h)⁴/120 with ω h = 5e-3 over 30 rad is below 1e-9.
  const auto gap = [&](const std::string& name, const std::string& other) {
    return (truth.values(name) - reference.values(other)).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(gap("x", "q1_displacement"), 1e-9);
  EXPECT_LT(gap("x'", "q1_velocity"), 1e-8);
  const Eigen::VectorXd force = 50.0 * truth.values("x") + 1.5 * truth.values("x'");
  EXPECT_LT((force - truth.values("force")).cwiseAbs().maxCoeff(), 1e-13 * 50.0);
}

TEST_F(EquationSimulate, SensorsHaveTheirNoise) {
  const SimulateResult found = simulated();
  const Experiment& experiment = found.experiments.front();
  const Eigen::VectorXd error = experiment.record.values("x") - experiment.truth.values("x");
  // 4 deviations of the deviation of 300 samples.
  EXPECT_NEAR(std::sqrt(error.squaredNorm() / 300.0), 0.01, 0.01 * 4.0 / std::sqrt(600.0));
  EXPECT_NEAR(*experiment.sensors[1].snr_db, 30.0, 1.5);
  EXPECT_EQ(Eigen::VectorXd(experiment.record.values("force")),
            Eigen::VectorXd(experiment.truth.values("force")));
  // Another seed is another noise; the number of threads is none.
  const Eigen::VectorXd again = simulated().experiments.front().record.values("x");
  EXPECT_EQ(again, Eigen::VectorXd(experiment.record.values("x")));
  EXPECT_NE(Eigen::VectorXd(simulated({"simulate.seed=2"}).experiments.front().record.values("x")),
            again);
}

TEST_F(EquationSimulate, InputsMayComeFromAFile) {
  std::string text = "t [s],torque [N]\n";
  for (int k = 0; k < 100; ++k) {
    text += std::to_string(0.05 * k) + "," + std::to_string(std::sin(0.3 * k)) + "\n";
  }
  (void)folder.write("torque.csv", text);
  const std::string study = R"([data]
file = "torque.csv"
inputs = { u = "torque" }
[model]
equations = "x' = u - x"
[simulate]
between = "linear"
sensors.x = {}
)";
  const LoadedStudy loaded = load_study_text(study, folder.path() / "study.toml");
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  EXPECT_EQ(loaded.as<SimulateStudy>()->samples, 100);
  EXPECT_DOUBLE_EQ(loaded.as<SimulateStudy>()->step, 0.05);
  EXPECT_EQ(loaded.as<SimulateStudy>()->inputs[0].unit, "N");
  const Machines machines;
  const SimulateResult found = run_simulate(*loaded.as<SimulateStudy>(), machines);
  const signal::Record& record = found.experiments.front().record;
  // x(h) for an input that rises from u0 = 0 to u1: u1 (1 - (1 - exp(-h))/h).
  const double u1 = std::stod(std::to_string(std::sin(0.3)));
  EXPECT_NEAR(record.values("x")(1), u1 * (1.0 - (1.0 - std::exp(-0.05)) / 0.05), 1e-12);
}

TEST_F(EquationSimulate, WhatItWritesIsWhatIdentifyReads) {
  const SimulateResult found = simulated({"simulate.experiments=2"});
  write_simulate_result(found, folder.path());
  std::ifstream stream(folder.path() / "result.json");
  const nlohmann::json json = nlohmann::json::parse(stream);
  EXPECT_EQ(json["model"]["states"], nlohmann::json({"x", "x'"}));
  EXPECT_EQ(json["model"]["parameters"][0]["value"], 50.0);
  EXPECT_EQ(json["simulation"]["between"], "held");
  const std::string identify = R"([data]
files = ["record-01.csv", "record-02.csv"]
inputs = { u = "u" }
outputs = { x = "x" }
[model]
equations = "x'' = (u - c*x' - k*x)/2.0"
start = { x = 0.5 }
[identify]
method = "output-error"
engine = "interpreter"
parameters = { k = 40.0, c = 1.0 }
)";
  const LoadedStudy loaded = load_study_text(identify, folder.path() / "identify.toml");
  ASSERT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
  const OutputErrorOutcome estimate = run_output_error(*loaded.as<OutputErrorStudy>());
  ASSERT_TRUE(estimate.ok()) << estimate.message;
  EXPECT_NEAR(estimate.estimate.parameters(0), 50.0,
              4.0 * parameter_verdict(estimate, 0).deviation);
  EXPECT_NEAR(estimate.estimate.parameters(1), 1.5, 4.0 * parameter_verdict(estimate, 1).deviation);
}

TEST_F(EquationSimulate, JumpsThatAreRoundedOffAndEndlessGrowthAreTold) {
  EXPECT_THAT(simulated({"simulate.between=cubic"}).warnings,
              testing::Contains(HasSubstr("between = \"held\" keeps them")));
  const SimulateResult grown = simulated({"simulate.parameters.c=-1e6"});
  EXPECT_EQ(grown.status, Status::NotFinite);
  EXPECT_TRUE(grown.experiments.empty());
}

TEST_F(EquationSimulate, BadStudiesNameTheCulprit) {
  EXPECT_EQ(problem({"simulate.parameters={k=1.0}"}), "study.toml:4:14: unknown name 'c'");
  EXPECT_THAT(problem({"simulate.sensors.y={}"}), HasSubstr("simulate.sensors"));
  EXPECT_THAT(problem({"simulate.sensors.x.sigmo=1"}), HasSubstr("did you mean \"sigma\"?"));
  EXPECT_THAT(problem({"simulate.sensors.u={}"}), HasSubstr("'u' is an input"));
  EXPECT_THAT(problem({"simulate.inputs.all={kind=\"zero\"}"}), HasSubstr("name each"));
  EXPECT_THAT(problem({"simulate.inputs.u.kind=noise"}), HasSubstr("simulate.inputs.u.kind must"));
  EXPECT_THAT(problem({"simulate.sensors={}"}), HasSubstr("must name at least one sensor"));
  EXPECT_THAT(problem({"simulate.hold=zero"}), HasSubstr("unknown key \"hold\" in [simulate]"));
  EXPECT_THAT(problem({"simulate.sensors.x.unit=mm", "model.units.x=N"}), HasSubstr("study.toml"));
  EXPECT_THAT(problem({"simulate.between=band-limited"}),
              HasSubstr("set simulate.start = \"periodic\" with it"));
}

// A curve through three points, read by the equations.
const std::string kTable = R"([model]
equations = "y' = table(\"valve\", u)*gain - y"
tables.valve = { file = "valve.csv", x = "opening", y = "flow" }
[simulate]
step = 0.1
samples = 50
engine = "interpreter"
parameters = { gain = 2.0 }
inputs.u = { kind = "steps", times = [0.0], levels = [1.5] }
sensors.y = {}
)";

TEST_F(EquationSimulate, TablesComeFromFiles) {
  (void)folder.write("valve.csv", "opening,flow,other\n0,0,5\n1,1,5\n2,4,5\n3,9,5\n");
  const auto last = [&](const std::vector<std::string>& changes) {
    const LoadedStudy loaded = load(changes, kTable);
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    const Machines machines;
    return run_simulate(*loaded.as<SimulateStudy>(), machines)
        .experiments.front()
        .truth.values("y")(49);
  };
  // y → gain f(1.5) (1 - exp(-4.9)): on the line f is 2.5, the cubic through x² is x².
  const double rise = 2.0 * (1.0 - std::exp(-4.9));
  EXPECT_NEAR(last({}), 2.5 * rise, 1e-9);
  EXPECT_NEAR(last({"model.tables.valve.interpolation=cubic"}), 2.25 * rise, 1e-9);
}

TEST_F(EquationSimulate, BadTablesNameTheCulprit) {
  EXPECT_THAT(problem({}, kTable),
              HasSubstr("study.toml:3:25: model.tables.valve.file: file \"valve.csv\" not found"));
  (void)folder.write("valve.csv", "opening,flow\n0,0\n1,1\n1,4\n");
  EXPECT_THAT(problem({}, kTable), HasSubstr("model.tables.valve: x of a table must increase"));
  (void)folder.write("valve.csv", "opening,flow\n0,0\n1,\n2,4\n");
  EXPECT_THAT(problem({}, kTable), HasSubstr("column \"flow\" has no number at point 2"));
  (void)folder.write("valve.csv", "opening,flow\n0,0\n1,1\n2,4\n");
  EXPECT_THAT(problem({"model.tables.valve.y=flaw"}, kTable), HasSubstr("did you mean \"flow\"?"));
  EXPECT_THAT(
      problem({"model.tables={pump={file=\"valve.csv\", x=\"opening\", y=\"flow\"}}"}, kTable),
      HasSubstr("valve"));
  // What needs no file is checked without it.
  EXPECT_NO_THROW(check_text(kTable, "study.toml"));
  std::string wrong = kTable;
  wrong.replace(wrong.find("gain - y"), 4, "gian");
  EXPECT_THROW(check_text(wrong, "study.toml"), StudyError);
}

}  // namespace equation_simulate_test
}  // namespace alembert::study
