#include "study/tasks/output_error/template_output_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/printable.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/data_info.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/templates/column_guess.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

// An oscillator, and what of it the output shows.
std::string oscillator(bool driven, const std::string& shown) {
  const std::string right = fmt::format("{}- 2*zeta*omega*y' - omega^2*y", driven ? "gain*u " : "");
  return fmt::format("\"\"\"\n  y'' = {}    # an oscillator; write your own\n{}\"\"\"", right,
                     shown.empty() ? "" : fmt::format("  {}\n", shown));
}

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
  std::string input = "u", output = "y";  ///< columns; input "": a free motion
  std::string signal = "y";               ///< of the model that the output measures
  std::string shown = {};                 ///< the equation of that signal, where it is not y
  double omega = 2.0;
  std::vector<ColumnGuess> guesses = {};
  std::string far = {};  ///< what is said of columns that move little about a value far from zero
};

// A motion is no input and a force no output; what nothing is known of may be either.
const ColumnGuess* output_of(const std::vector<ColumnGuess>& columns, const ColumnGuess* input) {
  const ColumnGuess* found =
      first_of(columns, {ColumnKind::Displacement, ColumnKind::Angle, ColumnKind::Velocity,
                         ColumnKind::AngularRate, ColumnKind::Acceleration,
                         ColumnKind::AngularAcceleration});
  if (found != nullptr) return found;
  for (const ColumnGuess& column : columns) {
    if (column.may_move() && &column != input) return &column;
  }
  return nullptr;
}

const ColumnGuess* input_of(const std::vector<ColumnGuess>& columns) {
  const ColumnGuess* found =
      first_of(columns, {ColumnKind::Force, ColumnKind::Torque, ColumnKind::Signal});
  const auto unknown = std::count_if(columns.begin(), columns.end(), [](const ColumnGuess& one) {
    return one.kind == ColumnKind::Unknown;
  });
  // Of two columns that nothing is known of the first is the input, as in most tables.
  const bool all_unknown = unknown > 1 && unknown == static_cast<long>(columns.size());
  if (found == nullptr && all_unknown) found = &columns.front();
  return found;
}

// What the motion of the oscillator is called where the output is its rate or acceleration.
void set_signal(ColumnKind kind, OscillatorPlan& plan) {
  if (kind == ColumnKind::Velocity || kind == ColumnKind::AngularRate) {
    plan.signal = "rate";
    plan.shown = "rate = y'";
  }
  if (kind == ColumnKind::Acceleration || kind == ColumnKind::AngularAcceleration) {
    plan.signal = "acc";
    plan.shown =
        fmt::format("acc = {}- 2*zeta*omega*y' - omega^2*y", plan.input.empty() ? "" : "gain*u ");
  }
}

// The highest line of the spectrum of the output; else a period of some twenty samples, a guess
// like any other.
double omega_of(const signal::Record& record, const std::string& output) {
  double omega = 2.0;
  const RecordInfo info = describe(record);
  if (info.step) omega = 0.1 * std::numbers::pi / *info.step;
  for (const ChannelInfo& channel : info.channels) {
    if (channel.channel.name == output && !channel.peaks.empty()) {
      omega = 2.0 * std::numbers::pi * channel.peaks.front().frequency_hz;
    }
  }
  return std::stod(fmt::format("{:.2g}", omega));
}

// An oscillator moves about zero. A column whose mean is so many times its scatter does not: counts
// of a converter, a load cell with the weight on it.
constexpr double kFarFromZero = 5.0;

std::string far_from_zero(const signal::Record& record, const OscillatorPlan& plan) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < record.channels().size(); ++i) {
    const std::string& name = record.channels()[i].name;
    if (name != plan.input && name != plan.output) continue;
    const Eigen::VectorXd values = record.samples().col(static_cast<Eigen::Index>(i));
    double sum = 0.0, squares = 0.0, count = 0.0;
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      sum += value;
      count += 1.0;
    }
    const double mean = count > 0.0 ? sum / count : 0.0;
    for (const double value : values) {
      if (std::isfinite(value)) squares += (value - mean) * (value - mean);
    }
    const double scatter = count > 0.0 ? std::sqrt(squares / count) : 0.0;
    if (!(scatter > 0.0) || !(std::abs(mean) > kFarFromZero * scatter)) continue;
    parts.push_back(fmt::format("{} moves by {:.3g} about {:.6g}", name, scatter, mean));
  }
  if (parts.empty()) return {};
  return join(parts, ", ") +
         ": the means are taken off (detrend), as the oscillator below moves about zero.";
}

OscillatorPlan oscillator_plan(const std::optional<TemplateData>& data) {
  OscillatorPlan plan;
  if (!data) return plan;
  plan.guesses = guess_columns(data->record);
  const ColumnGuess* input = input_of(plan.guesses);
  const ColumnGuess* output = output_of(plan.guesses, input);
  if (output == nullptr) {
    throw DataError({.file = data->file},
                    fmt::format("has no column that looks like a motion ({}); write units (m, "
                                "rad, ...) behind the names, or take `alembert new output-error` "
                                "without data",
                                guess_list(plan.guesses)));
  }
  plan.input = input == nullptr ? "" : input->name;
  plan.output = output->name;
  set_signal(output->kind, plan);
  plan.omega = omega_of(data->record, plan.output);
  plan.far = far_from_zero(data->record, plan);
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
  const bool driven = !plan.input.empty();
  if (driven) used.emplace_back("inputs", fmt::format("{{ u = {} }}", toml_string(plan.input)));
  used.emplace_back("outputs", fmt::format("{{ {} = {} }}", plan.signal, toml_string(plan.output)));
  used.emplace_back("validation", "{ fraction = 0.25 }");
  if (!plan.far.empty()) used.emplace_back("detrend", "\"mean\"");
  writer.table(equation_data_table(), used);
  if (data) writer.comment(guess_words(plan.guesses));
  if (!plan.far.empty()) writer.comment(printable(plan.far));
  TemplateWriter::Assignments model = {{"equations", oscillator(driven, plan.shown)}};
  TemplateWriter::Assignments search = {{"method", "\"output-error\""}, {"between", "\"held\""}};
  TemplateWriter::Assignments unknowns = {
      {"omega", fmt::format("{{ guess = {}, lower = 0.0 }}", shortest(plan.omega))},
      {"zeta", "{ guess = 0.1, lower = 0.0 }"}};
  if (driven) unknowns.emplace_back("gain", "1.0");
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
