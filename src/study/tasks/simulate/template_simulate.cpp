#include "study/tasks/simulate/template_simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/toml.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/tables_data.hpp"
#include "study/parts/data/tables_inputs.hpp"
#include "study/parts/linear/tables_model.hpp"
#include "study/tasks/root_table.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"
#include "study/templates/column_guess.hpp"

namespace alembert::study {
namespace {

constexpr std::size_t kMostInputs = 16;
constexpr double kStepWithoutData = 0.005;

/// What the template is made for.
struct Plan {
  double step = kStepWithoutData;
  std::vector<signal::Channel> columns;  ///< of the data file; empty without one
  std::vector<ColumnGuess> guesses = {};
  std::size_t masses = 3;
  double duration = 20.0;
};

Plan plan_for(const std::optional<TemplateData>& data) {
  Plan plan;
  if (!data) {
    return plan;
  }
  const std::optional<double> step = data->record.time().common_step();
  if (!step || !data->record.gaps().empty()) {
    throw DataError({.file = data->file}, "has uneven times; a simulation needs an even step");
  }
  plan.step = *step;
  plan.guesses = guess_columns(data->record);
  // Where some columns are forces, the others are motions, which drive nothing.
  const bool any_drives = std::any_of(plan.guesses.begin(), plan.guesses.end(),
                                      [](const ColumnGuess& one) { return one.drives(); });
  for (Eigen::Index c = 0; c < data->record.channel_count(); ++c) {
    const bool drives = plan.guesses[static_cast<std::size_t>(c)].drives();
    if (!data->record.samples().col(c).allFinite() || (any_drives && !drives)) {
      continue;
    }
    if (plan.columns.size() == kMostInputs) {
      break;
    }
    plan.columns.push_back(data->record.channels()[static_cast<std::size_t>(c)]);
  }
  plan.guesses = mapped(plan.columns, guess_column);
  if (plan.columns.empty()) {
    throw DataError({.file = data->file}, "has no complete channel");
  }
  plan.masses = plan.columns.size();
  return plan;
}

std::string text_list(const std::vector<std::string>& texts) {
  return "[" + join(mapped(texts, toml_string), ", ") + "]";
}

// A number with three digits that count, since a template is to be read.
std::string short_number(double value) {
  // Read back, so that 24700 is not written as 2.47e+04.
  const std::string text = shortest(std::stod(fmt::format("{:.3g}", value)));
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// A chain of unit masses between two walls: K = k tridiag(-1, 2, -1). Its highest mode is below
// 2 √k rad/s; a tenth of half the sampling rate is well sampled.
std::string chain_stiffness(const Plan& plan) {
  const double highest = 2.0 * std::numbers::pi * 0.05 / plan.step;
  const std::string diagonal = short_number(highest * highest / 2.0);
  const std::string off = short_number(-highest * highest / 4.0);
  std::vector<std::string> rows;
  rows.reserve(plan.masses);
  for (std::size_t i = 0; i < plan.masses; ++i) {
    std::vector<std::string> row(plan.masses, "0.0");
    row[i] = diagonal;
    if (i > 0) {
      row[i - 1] = off;
    }
    if (i + 1 < plan.masses) {
      row[i + 1] = off;
    }
    rows.push_back("[" + join(row, ", ") + "]");
  }
  return rows.size() == 1 ? "[" + rows.front() + "]" : "[\n  " + join(rows, ",\n  ") + ",\n]";
}

std::string force_units(const Plan& plan) {
  return text_list(mapped(plan.columns, [](const signal::Channel& column) {
    return column.unit.empty() ? std::string("N") : column.unit;
  }));
}

void write_data(TemplateWriter& writer, const TemplateData& data, const Plan& plan) {
  TemplateWriter::Assignments used = file_assignments(data);
  std::vector<std::string> pairs;
  pairs.reserve(plan.columns.size());
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    pairs.push_back(fmt::format("u{} = {}", i + 1, toml_string(plan.columns[i].name)));
  }
  used.emplace_back("inputs", "{ " + join(pairs, ", ") + " }");
  writer.table(data_table(), used);
  writer.comment(guess_words(plan.guesses));
}

void write_model(TemplateWriter& writer, const Plan& plan) {
  const std::vector<std::string> ones(plan.masses, "1.0");
  TemplateWriter::Assignments used = {{"mass", "{ diagonal = [" + join(ones, ", ") + "] }"},
                                      {"stiffness", chain_stiffness(plan)},
                                      {"damping", "{ ratios = 0.02 }"}};
  if (!plan.columns.empty()) {
    used.emplace_back("units", "{ displacement = \"m\", force = " + force_units(plan) + " }");
  }
  writer.table(model_table(), used);
}

void write_simulate(TemplateWriter& writer, const Plan& plan) {
  TemplateWriter::Assignments used;
  if (plan.columns.empty()) {
    used = {{"step", shortest(plan.step)}, {"duration", short_number(plan.duration)}};
  }
  used.emplace_back("seed", "1");
  writer.table(simulate_table(), used);
  if (plan.columns.empty()) {
    writer.named(*simulate_table().find("inputs", nullptr)->table,
                 {{"all", "{ kind = \"spline-noise\", knots = 0.05, sigma = 1.0 }"}});
    const std::vector<std::string> kinds =
        mapped(input_table().variants, [](const Variant& variant) { return variant.tag_value; });
    writer.comment("Kinds: " + join(kinds, ", ") + ". Their keys: alembert keys simulate.inputs");
  }
  writer.named(*simulate_table().find("sensors", nullptr)->table,
               {{"all", "{ measures = \"displacement\", snr = 20.0 }"},
                {"a1", "{ measures = \"acceleration\", at = \"q1\", snr = 40.0 }"}});
  writer.comment("All keys of a sensor: alembert keys simulate.sensors");
}

}  // namespace

TemplateWriter response_template(const std::string& task, const std::string& title,
                                 const std::optional<TemplateData>& data) {
  const Plan plan = plan_for(data);
  TemplateWriter writer(task);
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written "
      "in them show the defaults.");
  writer.table(root_table(), {{"title", title}});
  if (data) write_data(writer, *data, plan);
  write_model(writer, plan);
  write_simulate(writer, plan);
  return writer;
}

std::string simulate_template(const std::optional<TemplateData>& data) {
  return response_template(
             "simulate",
             data ? "\"Response to measured forces\"" : "\"Response of a chain of masses\"", data)
      .text();
}

}  // namespace alembert::study
