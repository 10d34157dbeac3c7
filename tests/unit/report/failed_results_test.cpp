#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "alembert/report/page.hpp"
#include "alembert/report/task_report.hpp"
#include "alembert/study/acceleration.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/modes.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/reduce.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/study_changes.hpp"

// Whatever a method has left unfilled, and however it ended, every writer copes with it: JSON, CSV,
// terminal and report. Each task, each status, each member that may be missing.
namespace alembert::report {
namespace failed_results_test {

using study::IdentifyResult;

/// A study of a task with its result, as the tool runs it.
struct Ran {
  study::LoadedStudy loaded;
  std::unique_ptr<study::TaskResult> result;
};

Ran ran(study::LoadedStudy loaded) {
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  const Machines machines;
  std::unique_ptr<study::TaskResult> result =
      loaded.study->run({.machines = machines, .options = {.threads = 1}, .out = {}});
  return {std::move(loaded), std::move(result)};
}

Ran ran_project(const std::string& study, const std::vector<std::string>& changes) {
  return ran(study::load_study(test::project_folder() / "studies" / study, test::changed(changes)));
}

// Everything that is written of a result.
void write_everything(const study::TaskResult& result, const std::string& what) {
  SCOPED_TRACE(what);
  const test::TemporaryFolder folder;
  result.write(folder.path());
  std::ifstream stream(folder.path() / "result.json");
  const nlohmann::json json = nlohmann::json::parse(stream);
  EXPECT_EQ(json.at("status"), std::string(to_string(result.outcome().status)));
  EXPECT_EQ(result.console().find('\0'), std::string::npos);
  if (!result.outcome().ok()) {
    EXPECT_NE(result.failure().find("it failed"), std::string::npos);
  }
  EXPECT_FALSE(study::verdict_lines(result.verdict()).empty());
  EXPECT_NE(render_html(task_document(result)).find("</html>"), std::string::npos);
}

/// A way in which a method leaves its result unfilled.
template <typename Result>
struct Gap {
  const char* name;
  std::function<void(Result&)> make;
};

template <typename Result>
void write_with_gaps(study::TaskResult& written, const std::vector<Gap<Result>>& gaps) {
  auto* held = dynamic_cast<study::ResultOf<Result>*>(&written);
  ASSERT_NE(held, nullptr);
  const Result whole = held->result;
  for (const Gap<Result>& gap : gaps) {
    for (const EnumName<Status>& ending : enum_names(Status{})) {
      held->result = whole;
      held->result.status = ending.value;
      held->result.message = ending.value == Status::Success ? "" : "it failed";
      gap.make(held->result);
      if constexpr (requires { complete(held->result); }) complete(held->result);
      write_everything(written,
                       std::string(gap.name) + ", " + std::string(to_string(ending.value)));
    }
  }
  held->result = whole;
}

const std::string kRecord = R"(
[model]
mass = { diagonal = [2.0, 1.0] }
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { ratios = 0.02 }
[simulate]
step = 0.01
samples = 600
inputs.all = { kind = "spline-noise", knots = 0.05 }
sensors.all = { snr = 30.0 }
)";

const std::string kAsked = R"(
[data]
file = "record.csv"
inputs = ["u1", "u2"]
outputs = ["y1", "y2"]
validation = { fraction = 0.25 }
[model]
degrees-of-freedom = 2
damping-structure = "proportional"
[identify]
compare = ["weak-form"]
)";

Ran identified(const test::TemporaryFolder& folder) {
  const study::LoadedStudy simulate =
      study::load_study_text(kRecord, folder.path() / "simulate.toml");
  const Machines machines;
  study::write_simulate_result(study::run_simulate(*simulate.as<study::SimulateStudy>(), machines),
                               folder.path());
  return ran(study::load_study_text(kAsked, folder.path() / "identify.toml"));
}

TEST(FailedResults, OfMassDampingAndStiffness) {
  const test::TemporaryFolder folder;
  Ran made = identified(folder);
  write_with_gaps<IdentifyResult>(
      *made.result,
      {{"whole", [](IdentifyResult&) {}},
       {"no covariance", [](IdentifyResult& r) { r.refinement.covariance.resize(0, 0); }},
       {"small covariance", [](IdentifyResult& r) { r.refinement.covariance.resize(1, 1); }},
       {"no unknowns", [](IdentifyResult& r) { r.refinement.theta.resize(0); }},
       {"no names",
        [](IdentifyResult& r) {
          r.problem.unknowns.names.clear();
          r.study.settings.unknowns.names.clear();
        }},
       {"no noise", [](IdentifyResult& r) { r.refinement.noise.resize(0); }},
       {"noise of one", [](IdentifyResult& r) { r.refinement.noise.resize(1); }},
       {"no deviations", [](IdentifyResult& r) { r.deviations = {}; }},
       {"deviations of M", [](IdentifyResult& r) { r.deviations.D.resize(0, 0); }},
       {"no system", [](IdentifyResult& r) { r.refinement.system = {}; }},
       {"no stiffness", [](IdentifyResult& r) { r.refinement.system.K.resize(0, 0); }},
       {"no modes", [](IdentifyResult& r) { r.modes.clear(); }},
       {"modes without shapes",
        [](IdentifyResult& r) {
          for (identify::ModeVerdict& mode : r.modes) mode.shape.resize(0);
        }},
       {"no shape deviation",
        [](IdentifyResult& r) {
          for (identify::ModeVerdict& mode : r.modes) mode.shape_deviation.resize(0);
        }},
       {"no predictions", [](IdentifyResult& r) { r.refinement.predictions.clear(); }},
       {"no residuals", [](IdentifyResult& r) { r.refinement.residuals.clear(); }},
       {"short predictions",
        [](IdentifyResult& r) { r.refinement.predictions.front().conservativeResize(5, 2); }},
       {"no outputs", [](IdentifyResult& r) { r.outputs.clear(); }},
       {"one output", [](IdentifyResult& r) { r.outputs.resize(1); }},
       {"no correlation", [](IdentifyResult& r) { r.outputs.front().correlation.resize(0); }},
       {"no validation", [](IdentifyResult& r) { r.validation.reset(); }},
       {"empty validation",
        [](IdentifyResult& r) { r.validation = identify::ValidationVerdict{}; }},
       {"no start", [](IdentifyResult& r) { r.start = {}; }},
       {"nothing", [](IdentifyResult& r) {
          static_cast<identify::LinearIdentification&>(r) = identify::LinearIdentification{};
          r.message = "it failed";
        }}});
}

TEST(FailedResults, OfEquations) {
  using study::OutputErrorOutcome;
  Ran made = ran_project("pendulum/identify.toml",
                         {"identify.engine=interpreter", "identify.profile=[\"l\"]"});
  write_with_gaps<OutputErrorOutcome>(
      *made.result,
      {{"whole", [](OutputErrorOutcome&) {}},
       {"no parameters", [](OutputErrorOutcome& r) { r.estimate.parameters.resize(0); }},
       {"no weights", [](OutputErrorOutcome& r) { r.estimate.weights.resize(0); }},
       {"no statistics",
        [](OutputErrorOutcome& r) { r.estimate.statistics = r.estimate.robust = {}; }},
       {"names only",
        [](OutputErrorOutcome& r) {
          for (auto* one : {&r.estimate.statistics, &r.estimate.robust}) {
            one->covariance.resize(0, 0);
            one->correlation.resize(0, 0);
            one->deviations.resize(0);
            one->relative_deviations.resize(0);
          }
        }},
       {"no knowledge", [](OutputErrorOutcome& r) { r.estimate.coloured.knowledge_of.clear(); }},
       {"no colour", [](OutputErrorOutcome& r) { r.estimate.coloured = {}; }},
       {"no prediction", [](OutputErrorOutcome& r) { r.estimate.prediction = {}; }},
       {"no residuals", [](OutputErrorOutcome& r) { r.estimate.prediction.residuals.clear(); }},
       {"no verdict on outputs", [](OutputErrorOutcome& r) { r.estimate.outputs.clear(); }},
       {"no correlation",
        [](OutputErrorOutcome& r) { r.estimate.outputs.front().correlation.resize(0); }},
       {"no input correlation", [](OutputErrorOutcome& r) { r.inputs.front().values.resize(0); }},
       {"profile of a stranger", [](OutputErrorOutcome& r) { r.profiles.front().name = "?"; }},
       {"profile without curve",
        [](OutputErrorOutcome& r) { r.profiles.front().interval.curve.clear(); }},
       {"empty validation",
        [](OutputErrorOutcome& r) { r.validation = identify::EquationValidation{}; }},
       {"failed validation",
        [](OutputErrorOutcome& r) {
          r.validation = identify::EquationValidation{};
          r.validation->prediction.status = Status::NotFinite;
        }},
       {"nothing", [](OutputErrorOutcome& r) {
          static_cast<identify::EquationFit&>(r) = identify::EquationFit{};
          r.message = "it failed";
        }}});
}

TEST(FailedResults, OfAccelerations) {
  using study::AccelerationOutcome;
  Ran made = ran_project("duffing/identify.toml",
                         {"identify.engine=interpreter", "identify.shift=1.0", "identify.every=10",
                          "identify.compare={ linear = \"x'' + a*x' + b*x = 0\" }"});
  write_with_gaps<AccelerationOutcome>(
      *made.result,
      {{"whole", [](AccelerationOutcome&) {}},
       {"no records", [](AccelerationOutcome& r) { r.records.clear(); }},
       {"empty record", [](AccelerationOutcome& r) { r.records.front() = {}; }},
       {"no fitted", [](AccelerationOutcome& r) { r.records.front().fitted.resize(0); }},
       {"short residual", [](AccelerationOutcome& r) { r.records.front().residual.resize(3); }},
       {"no motion", [](AccelerationOutcome& r) { r.records.front().motion = {}; }},
       {"no joined", [](AccelerationOutcome& r) { r.records.front().joined_velocity.resize(0); }},
       {"no parameters",
        [](AccelerationOutcome& r) { r.records.front().regression.parameters.resize(0); }},
       {"windows without parameters",
        [](AccelerationOutcome& r) {
          for (auto& window : r.records.front().regression.windows) window.parameters.resize(0);
        }},
       {"windows that failed",
        [](AccelerationOutcome& r) {
          for (auto& window : r.records.front().regression.windows) {
            window.status = Status::NotConverged;
          }
        }},
       {"no refinement", [](AccelerationOutcome& r) { r.records.front().refined.reset(); }},
       {"empty refinement",
        [](AccelerationOutcome& r) { r.records.front().refined = identify::RefinedEquation{}; }},
       {"no envelope",
        [](AccelerationOutcome& r) {
          r.records.front().displacement_envelope.frequency_hz.resize(0);
          r.records.front().envelope.decay_rate.resize(0);
        }},
       {"empty static curve",
        [](AccelerationOutcome& r) { r.static_curve = identify::StaticCurve{}; }},
       {"empty scores",
        [](AccelerationOutcome& r) {
          if (r.comparison) r.comparison->scores.front().refined.deviations.resize(0);
        }},
       {"nothing", [](AccelerationOutcome& r) {
          static_cast<identify::AccelerationFit&>(r) = identify::AccelerationFit{};
          r.message = "it failed";
        }}});
}

const std::string kShaken = R"(
[model]
mass = { diagonal = [2.0, 1.0] }
stiffness = [[30000.0, -10000.0], [-10000.0, 10000.0]]
damping = { ratios = 0.01 }
[simulate]
step = 0.005
samples = 4000
inputs.all = { kind = "spline-noise", knots = 0.005 }
sensors.all = { snr = 30.0 }
)";

Ran modes_of(const test::TemporaryFolder& folder, const std::string& data,
             const std::string& identify) {
  const study::LoadedStudy simulate =
      study::load_study_text(kShaken, folder.path() / "simulate.toml");
  const Machines machines;
  study::write_simulate_result(study::run_simulate(*simulate.as<study::SimulateStudy>(), machines),
                               folder.path());
  return ran(study::load_study_text("[data]\nfile = \"record.csv\"\noutputs = [\"y1\", \"y2\"]\n" +
                                        data + "[identify]\nmethod = \"modes\"\n" + identify,
                                    folder.path() / "modes.toml"));
}

TEST(FailedResults, OfModes) {
  using study::ModesOutcome;
  const std::vector<Gap<ModesOutcome>> gaps = {
      {"whole", [](ModesOutcome&) {}},
      {"no modes", [](ModesOutcome& r) { r.modes.clear(); }},
      {"modes without shapes",
       [](ModesOutcome& r) {
         for (identify::Mode& mode : r.modes) mode.shape.resize(0);
       }},
      {"no shape deviation",
       [](ModesOutcome& r) {
         for (identify::Mode& mode : r.modes) mode.shape_deviation.resize(0);
       }},
      {"no participation",
       [](ModesOutcome& r) {
         for (identify::Mode& mode : r.modes) mode.participation.resize(0);
       }},
      {"no diagram", [](ModesOutcome& r) { r.diagram.clear(); }},
      {"no fits",
       [](ModesOutcome& r) {
         if (r.forced) r.forced->outputs.clear();
       }},
      {"no modal model",
       [](ModesOutcome& r) {
         if (r.forced) r.forced->frf.fit = {};
       }},
      {"no lines",
       [](ModesOutcome& r) {
         if (r.forced) r.forced->frf.data = {};
       }},
      {"no singular values",
       [](ModesOutcome& r) {
         if (r.ambient) r.ambient->singular_values.resize(0);
       }},
      {"empty decays",
       [](ModesOutcome& r) {
         if (r.taps) r.taps = identify::DecayModes{};
       }},
      {"nothing", [](ModesOutcome& r) {
         if (r.forced) r.forced = identify::RecordModes{};
         if (r.ambient) r.ambient = identify::AmbientModes{};
         if (r.taps) r.taps = identify::DecayModes{};
         r.modes.clear();
         r.diagram.clear();
       }}};
  const test::TemporaryFolder folder;
  Ran forced = modes_of(folder, "inputs = [\"u1\", \"u2\"]\n", "");
  write_with_gaps<ModesOutcome>(*forced.result, gaps);
  Ran ambient = modes_of(folder, "", "order = 20\n");
  write_with_gaps<ModesOutcome>(*ambient.result, gaps);
  Ran taps = modes_of(folder, "", "excitation = \"taps\"\nstart = 0.0\nlength = 2.0\n");
  write_with_gaps<ModesOutcome>(*taps.result, gaps);
}

TEST(FailedResults, OfSmallModels) {
  using study::ReduceOutcome;
  Ran made = ran(study::load_study_text(R"(
[structure.plate]
x = [0.0, 0.1, 0.2, 0.3]
y = [0.0, 0.1, 0.2]
[reduce]
masters = [{ box = [0.0, 0.0, 0.0, 0.0, 0.2, 0.0] }]
modes = [4, 5]
forces = [{ frequency = 100.0 }]
)",
                                        "plate.toml"));
  write_with_gaps<ReduceOutcome>(
      *made.result, {{"whole", [](ReduceOutcome&) {}},
                     {"no basis", [](ReduceOutcome& r) { r.basis = {}; }},
                     {"no modes", [](ReduceOutcome& r) { r.modes = {}; }},
                     {"no interior modes", [](ReduceOutcome& r) { r.interior = {}; }},
                     {"no curve", [](ReduceOutcome& r) { r.curve.clear(); }},
                     {"no ranking", [](ReduceOutcome& r) { r.ranking = {}; }},
                     {"no mesh", [](ReduceOutcome& r) { r.study.structure.faces.clear(); }},
                     {"nothing", [](ReduceOutcome& r) {
                        static_cast<reduce::ReduceResult&>(r) = reduce::ReduceResult{};
                        r.message = "it failed";
                      }}});
}

TEST(FailedResults, OfObservers) {
  using study::ObserveResult;
  Ran made = ran_project("slider-crank/observe.toml", {});
  write_with_gaps<ObserveResult>(
      *made.result,
      {{"whole", [](ObserveResult&) {}},
       {"no mean", [](ObserveResult& r) { r.estimate.mean.resize(0, 0); }},
       {"no deviations", [](ObserveResult& r) { r.estimate.deviation.resize(0, 0); }},
       {"short mean", [](ObserveResult& r) { r.estimate.mean.conservativeResize(4, 1); }},
       {"nothing smoothed",
        [](ObserveResult& r) {
          r.estimate.smoothed_mean.resize(0, 0);
          r.estimate.smoothed_deviation.resize(0, 0);
        }},
       {"no innovations",
        [](ObserveResult& r) {
          r.estimate.innovation.resize(0, 0);
          r.estimate.innovation_deviation.resize(0, 0);
        }},
       {"no NIS", [](ObserveResult& r) { r.estimate.nis.resize(0); }},
       {"no counts",
        [](ObserveResult& r) {
          r.estimate.used.clear();
          r.estimate.random_walk.clear();
        }},
       {"no outputs", [](ObserveResult& r) { r.estimate.outputs.clear(); }},
       {"unknown outputs",
        [](ObserveResult& r) {
          r.estimate.outputs = {-1, 99};
        }},
       {"no sensors", [](ObserveResult& r) { r.sensors.clear(); }},
       {"no states", [](ObserveResult& r) { r.states.clear(); }},
       {"nothing scored", [](ObserveResult& r) { r.scored = 0; }},
       {"too much scored", [](ObserveResult& r) { r.scored = 1'000'000; }},
       {"no estimate", [](ObserveResult& r) { r.estimate = {}; }},
       {"nothing", [](ObserveResult& r) {
          static_cast<estimate::ObserveResult&>(r) = estimate::ObserveResult{};
          r.message = "it failed";
        }}});
}

TEST(FailedResults, OfSimulationsAndManyRuns) {
  using study::MonteCarloResult;
  using study::SimulateResult;
  Ran simulated = ran(study::load_study_text(kRecord, "simulate.toml"));
  write_with_gaps<SimulateResult>(
      *simulated.result,
      {{"whole", [](SimulateResult&) {}},
       {"no experiments", [](SimulateResult& r) { r.experiments.clear(); }},
       {"no modes", [](SimulateResult& r) { r.modes.clear(); }},
       {"no sensors", [](SimulateResult& r) { r.experiments.front().sensors.clear(); }}});
  Ran many =
      ran(study::load_study_text(kRecord + "[identify]\n[monte-carlo]\nruns = 2\n", "many.toml"));
  write_with_gaps<MonteCarloResult>(*many.result,
                                    {{"whole", [](MonteCarloResult&) {}},
                                     {"no runs", [](MonteCarloResult& r) { r.runs.clear(); }}});
}

}  // namespace failed_results_test
}  // namespace alembert::report
