#include "study/tasks/output_error/template_output_error.hpp"

#include <fmt/format.h>

#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

const char* const kOscillator =
    "\"\"\"\n"
    "  y'' = gain*u - 2*zeta*omega*y' - omega^2*y    # an oscillator; write your own\n"
    "\"\"\"";

// What the record of the template is made with.
const char* const kOscillatorRecord = R"(
title = "Oscillator, simulated: omega = 3, zeta = 0.08, gain = 2, y0 = 0.3, noise 0.01"
[model]
equations = "y'' = gain*u - 2*zeta*omega*y' - omega^2*y"
start = { y = "y0" }
[simulate]
step = 0.05
samples = 600
engine = "interpreter"
parameters = { omega = 3.0, zeta = 0.08, gain = 2.0, y0 = 0.3 }
inputs.u = { kind = "prbs", order = 7, clock = 0.5 }
sensors.y = { sigma = 0.01 }
)";

/// Columns and the size of the guesses.
struct OscillatorPlan {
  std::string input = "u", output = "y";
  double omega = 2.0;
};

OscillatorPlan oscillator_plan(const std::optional<TemplateData>& data) {
  OscillatorPlan plan;
  if (!data) return plan;
  const std::vector<signal::Channel>& channels = data->record.channels();
  if (channels.size() < 2) {
    throw DataError({.file = data->file}, "must have a column for an input and one for an output");
  }
  std::size_t input = 0;
  for (std::size_t i = channels.size(); i-- > 0;) {
    if (std::string("uUfF").find(channels[i].name.front()) != std::string::npos) input = i;
  }
  plan.input = channels[input].name;
  plan.output = channels[input == 0 ? 1 : 0].name;
  // A period of some twenty samples is a guess like any other.
  const std::optional<double> step = data->record.time().common_step();
  if (step) plan.omega = std::stod(fmt::format("{:.2g}", 0.1 * std::numbers::pi / *step));
  return plan;
}

std::string template_of(const std::optional<TemplateData>& data, bool free_starts) {
  const OscillatorPlan plan = oscillator_plan(data);
  TemplateWriter writer("identify");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults. The equations and names below are to be replaced by your own.");
  if (free_starts) {
    writer.comment(
        "Every experiment begins from a state of its own, which is fitted, and wrong samples are "
        "kept from deciding. Several records: files = [\"run1.csv\", \"run2.csv\"].");
  }
  writer.table(equation_root_table(), {{"title", "\"Parameters of differential equations\""}});
  TemplateWriter::Assignments used = file_assignments(data);
  used.emplace_back("inputs", fmt::format("{{ u = {} }}", toml_string(plan.input)));
  used.emplace_back("outputs", fmt::format("{{ y = {} }}", toml_string(plan.output)));
  used.emplace_back("validation", "{ fraction = 0.25 }");
  writer.table(equation_data_table(), used);
  TemplateWriter::Assignments model = {{"equations", kOscillator}};
  TemplateWriter::Assignments search = {{"method", "\"output-error\""}, {"between", "\"held\""}};
  TemplateWriter::Assignments unknowns = {
      {"omega", fmt::format("{{ guess = {}, lower = 0.0 }}", shortest(plan.omega))},
      {"zeta", "{ guess = 0.1, lower = 0.0 }"},
      {"gain", "1.0"}};
  if (free_starts) {
    search.emplace_back("start", "\"free\"");
    search.emplace_back("loss", "\"huber\"");
  } else {
    model.emplace_back("start", "{ y = \"y0\" }");
    unknowns.emplace_back("y0", "0.0");
  }
  writer.table(equation_model_table(), model);
  const TableSpec& identify = *equation_root_table().find("identify", nullptr)->table;
  writer.table(identify, search);
  writer.named(*identify.find("parameters", nullptr)->table, unknowns);
  writer.comment("All keys of a parameter: alembert keys identify.parameters");
  return writer.text();
}

}  // namespace

std::string output_error_template(const std::optional<TemplateData>& data) {
  return template_of(data, false);
}

std::string free_starts_template(const std::optional<TemplateData>& data) {
  return template_of(data, true);
}

signal::Record output_error_record() {
  const LoadedStudy loaded = load_study_text(kOscillatorRecord, "template.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const Machines machines;
  const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines, {.threads = 1});
  return result.experiments.empty() ? signal::Record() : result.experiments.front().record;
}

}  // namespace alembert::study
