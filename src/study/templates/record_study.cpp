#include "study/templates/record_study.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/toml.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "core/mapped.hpp"
#include "study/templates/column_guess.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

// What the record of the template is made with: a chain of three masses under a random force.
const char* const kShakerRecord = R"(
title = "Three masses on a shaker, simulated: noise 0.005 m/s2"
[model]
coordinates = ["x1", "x2", "x3"]
inputs = ["F"]
mass = { diagonal = [1.0, 1.0, 1.0] }
stiffness = [[20000.0, -10000.0, 0.0], [-10000.0, 20000.0, -10000.0], [0.0, -10000.0, 10000.0]]
damping = { ratios = [0.01, 0.01, 0.01] }
forces = ["x1"]
[simulate]
step = 0.005
samples = 6000
seed = 11
[simulate.inputs]
F = { kind = "spline-noise", sigma = 10.0 }
[simulate.sensors]
a1 = { measures = "acceleration", at = "x1", sigma = 0.005 }
a2 = { measures = "acceleration", at = "x2", sigma = 0.005 }
a3 = { measures = "acceleration", at = "x3", sigma = 0.005 }
)";

/// What the columns of a file seem to be.
struct RecordColumnNames {
  std::vector<std::string> forces, responses;
  std::vector<ColumnGuess> guesses = {};  ///< of all columns of the file
};

RecordColumnNames record_column_names(const std::optional<TemplateData>& data) {
  if (!data) return {.forces = {"F"}, .responses = {"a1", "a2", "a3"}};
  RecordColumnNames columns;
  columns.guesses = guess_columns(data->record);
  for (const ColumnGuess& column : columns.guesses) {
    (column.drives() ? columns.forces : columns.responses).push_back(column.name);
  }
  if (!columns.responses.empty()) return columns;
  throw DataError({.file = data->file},
                  fmt::format("has no column that looks like a response ({}); write units (m/s2, "
                              "g, ...) behind the names",
                              guess_list(columns.guesses)));
}

std::string toml_list(const std::vector<std::string>& columns) {
  return "[" + join(mapped(columns, toml_string), ", ") + "]";
}

}  // namespace

std::string record_study(const RecordStudy& study, const std::optional<TemplateData>& data) {
  const RecordColumnNames columns = record_column_names(data);
  if (study.needs_forces && columns.forces.empty()) {
    throw DataError({.file = data->file},
                    fmt::format("has no column that looks like a force ({}); write units (N, kN, "
                                "...) behind the names",
                                guess_list(columns.guesses)));
  }
  TemplateWriter writer("identify");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults.");
  writer.table(*study.root, {{"title", toml_string(study.title)}});
  TemplateWriter::Assignments used = file_assignments(data);
  if (!columns.forces.empty()) {
    used.emplace_back("inputs", toml_list(columns.forces));
  }
  used.emplace_back("outputs", toml_list(columns.responses));
  if (study.held_back > 0.0) {
    used.emplace_back("validation", fmt::format("{{ fraction = {} }}", study.held_back));
  }
  writer.table(*study.root->find("data", nullptr)->table, used);
  if (data) writer.comment(guess_words(columns.guesses));
  writer.table(*study.root->find("identify", nullptr)->table,
               {{"method", toml_string(study.method)}});
  return writer.text();
}

signal::Record three_mass_record() {
  const LoadedStudy loaded = load_study_text(kShakerRecord, "template.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const Machines machines;
  const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines, {.threads = 1});
  return result.experiments.empty() ? signal::Record() : result.experiments.front().record;
}

}  // namespace alembert::study
