#include "study/tasks/acceleration/template_acceleration.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/units.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "study/tasks/acceleration/tables_acceleration.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

// What the record of the template is made with.
const char* const kDecayRecord = R"(
title = "Free decay, simulated: a = 0.3, b = 400, c = 3e4, released at 0.03 m, noise 0.01 m/s2"
[model]
equations = "x'' = -a*x' - b*x - c*x^3"
constants = { x0 = 0.03 }
start = { x = "x0" }
units = { x = "m", x0 = "m" }
[simulate]
step = 0.002
duration = 3.0
engine = "interpreter"
parameters = { a = 0.3, b = 400.0, c = 3e4 }
sensors.acceleration = { measures = "x''", sigma = 0.01 }
)";

// The column that looks most like an acceleration: by its unit, by its name, else the first.
std::string acceleration_column(const std::optional<TemplateData>& data) {
  if (!data) return "acceleration";
  const std::vector<signal::Channel>& channels = data->record.channels();
  if (channels.empty()) throw DataError({.file = data->file}, "has no column besides the time");
  for (const signal::Channel& one : channels) {
    const signal::UnitRelation relation = signal::compare_units(one.unit, "m/s2");
    if (relation == signal::UnitRelation::Same || relation == signal::UnitRelation::Convertible) {
      return one.name;
    }
  }
  for (const signal::Channel& one : channels) {
    if (!one.name.empty() && (one.name.front() == 'a' || one.name.front() == 'A')) return one.name;
  }
  return channels.front().name;
}

}  // namespace

std::string acceleration_template(const std::optional<TemplateData>& data) {
  const TableSpec& root = acceleration_root_table();
  const auto inner = [&](const char* name) -> const TableSpec& {
    return *root.find(name, nullptr)->table;
  };
  TemplateWriter writer("identify");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults. The equation below is that of a cubic spring; write your own.");
  writer.table(root, {{"title", "\"Stiffness and damping from an acceleration record\""}});
  TemplateWriter::Assignments used = file_assignments(data);
  used.emplace_back("acceleration", toml_string(acceleration_column(data)));
  writer.table(inner("data"), used);
  writer.table(inner("model"), {{"equations", "\"x'' + a*x' + b*x + c*x^3 = 0\""}});
  writer.table(inner("identify"), {{"method", "\"acceleration\""}});
  writer.named(*inner("identify").find("compare", nullptr)->table,
               {{"linear", "\"x'' + a*x' + b*x = 0\""},
                {"friction", "\"x'' + a*x' + b*x + d*sign(x') = 0\""}});
  return writer.text();
}

signal::Record acceleration_record() {
  const LoadedStudy loaded = load_study_text(kDecayRecord, "template.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const Machines machines;
  const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines, {.threads = 1});
  return result.experiments.empty() ? signal::Record() : result.experiments.front().record;
}

}  // namespace alembert::study
