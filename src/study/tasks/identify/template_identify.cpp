#include "study/tasks/identify/template_identify.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/units.hpp"
#include "alembert/study/detail/toml.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/tables_data.hpp"
#include "study/parts/linear/tables_model.hpp"
#include "study/tasks/identify/tables_identify.hpp"
#include "study/tasks/root_table.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

using signal::Channel;
using signal::UnitRelation;

/// What the columns of a file seem to be.
struct ColumnPlan {
  std::vector<std::string> forces, motions;
  std::string measures = "displacement";  ///< of the first motion
};

bool fits(const Channel& channel, const char* unit) {
  const UnitRelation relation = signal::compare_units(channel.unit, unit);
  return relation == UnitRelation::Same || relation == UnitRelation::Convertible;
}

std::string motion_word(const Channel& channel) {
  for (const char* unit : {"m/s^2", "rad/s^2"}) {
    if (fits(channel, unit)) return "acceleration";
  }
  for (const char* unit : {"m/s", "rad/s"}) {
    if (fits(channel, unit)) return "velocity";
  }
  return "displacement";
}

// Forces by their unit, or by the usual letters where the file names no units.
bool is_force(const Channel& channel) {
  if (fits(channel, "N") || fits(channel, "N m")) return true;
  return channel.unit.empty() &&
         std::string("uUfF").find(channel.name.front()) != std::string::npos;
}

ColumnPlan column_plan(const std::optional<TemplateData>& data) {
  ColumnPlan plan;
  if (!data) {
    return {.forces = {"F1", "F2", "F3"}, .motions = {"x1", "x2", "x3"}};
  }
  for (const Channel& channel : data->record.channels()) {
    if (is_force(channel)) {
      plan.forces.push_back(channel.name);
      continue;
    }
    const std::string measures = motion_word(channel);
    if (plan.motions.empty()) plan.measures = measures;
    if (measures == plan.measures) plan.motions.push_back(channel.name);
  }
  if (plan.forces.empty() || plan.motions.empty()) {
    throw DataError({.file = data->file},
                    fmt::format("has no column that looks like a {}: its unit tells (N, m, g, ...)",
                                plan.forces.empty() ? "force" : "motion"));
  }
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
