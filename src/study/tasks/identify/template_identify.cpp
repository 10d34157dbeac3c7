#include "study/tasks/identify/template_identify.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/toml.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/tables_data.hpp"
#include "study/parts/linear/tables_model.hpp"
#include "study/tasks/identify/tables_identify.hpp"
#include "study/tasks/root_table.hpp"
#include "study/templates/column_guess.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

/// What the columns of a file seem to be.
struct ColumnPlan {
  std::vector<std::string> forces, motions;
  std::string measures = "displacement";  ///< of the first motion
  std::vector<ColumnGuess> guesses = {};  ///< of all columns of the file
};

std::string motion_word(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::Acceleration:
    case ColumnKind::AngularAcceleration:
      return "acceleration";
    case ColumnKind::Velocity:
    case ColumnKind::AngularRate:
      return "velocity";
    default:
      return "displacement";
  }
}

[[noreturn]] void refuse(const TemplateData& data, const ColumnPlan& plan) {
  throw DataError(
      {.file = data.file},
      fmt::format("has no column that looks like a {} ({}); write units (N, m, g, ...) behind the "
                  "names, or take `alembert new identify` without data",
                  plan.forces.empty() ? "force" : "motion", guess_list(plan.guesses)));
}

ColumnPlan column_plan(const std::optional<TemplateData>& data) {
  ColumnPlan plan;
  if (!data) {
    return {.forces = {"F1", "F2", "F3"}, .motions = {"x1", "x2", "x3"}};
  }
  plan.guesses = guess_columns(data->record);
  for (const ColumnGuess& column : plan.guesses) {
    if (column.drives()) {
      plan.forces.push_back(column.name);
      continue;
    }
    const std::string measures = motion_word(column.kind);
    if (plan.motions.empty()) plan.measures = measures;
    if (measures == plan.measures) plan.motions.push_back(column.name);
  }
  if (plan.forces.empty() || plan.motions.empty()) refuse(*data, plan);
  return plan;
}

std::string column_list(const std::vector<std::string>& columns) {
  return "[" + join(mapped(columns, toml_string), ", ") + "]";
}

void write_identify_data(TemplateWriter& writer, const std::optional<TemplateData>& data,
                         const ColumnPlan& plan) {
  TemplateWriter::Assignments used = file_assignments(data);
  used.emplace_back("inputs", column_list(plan.forces));
  used.emplace_back("outputs", column_list(plan.motions));
  used.emplace_back("validation", "{ fraction = 0.25 }");
  writer.table(data_table(), used);
  if (data) writer.comment(guess_words(plan.guesses));
}

void write_identify_model(TemplateWriter& writer, const ColumnPlan& plan) {
  TemplateWriter::Assignments used = {{"degrees-of-freedom", std::to_string(plan.motions.size())}};
  if (plan.forces.size() != plan.motions.size()) {
    std::vector<std::string> driven;
    for (std::size_t i = 0; i < plan.forces.size(); ++i) {
      driven.push_back(fmt::format("q{}", i + 1));
    }
    writer.comment("Which coordinates the forces drive is a guess: check the key forces.");
    used.emplace_back("forces", column_list(driven));
  }
  writer.table(model_table(), used);
}

}  // namespace

std::string identify_template(const std::optional<TemplateData>& data) {
  const ColumnPlan plan = column_plan(data);
  TemplateWriter writer("identify");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written "
      "in them show the defaults.");
  writer.table(root_table(), {{"title", "\"Mass, damping and stiffness from records\""}});
  write_identify_data(writer, data, plan);
  write_identify_model(writer, plan);
  writer.named(output_sensors_table(),
               {{"all", fmt::format("{{ measures = \"{}\" }}", plan.measures)}});
  writer.comment("All keys of a sensor: alembert keys sensors");
  writer.table(identify_table(), {{"start", "\"weak-form\""}, {"refine", "\"exact\""}});
  return writer.text();
}

}  // namespace alembert::study
