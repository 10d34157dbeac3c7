#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/check_keys.hpp"
#include "study/mapped.hpp"
#include "study/read_output_error.hpp"
#include "study/rule_of.hpp"

namespace alembert::study {
namespace {

constexpr double kOneStep = 1e-6;

/// Columns of one data set: the estimation or the validation data.
class EquationDataReader {
 public:
  EquationDataReader(const TableReader& data, const std::vector<NamedColumn>& inputs,
                     const std::vector<NamedColumn>& outputs, OutputErrorStudy& study)
      : data_(data), inputs_(inputs), outputs_(outputs), study_(study) {}

  void read(const std::vector<DataFile>& files, MeasuredData& measured) {
    std::vector<FileColumn> columns;
    for (const NamedColumn& one : inputs_) columns.push_back(one.column);
    for (const NamedColumn& one : outputs_) columns.push_back(one.column);
    for (const DataFile& file : files) {
      for (const signal::Record& record : read_columns(data_, file, columns)) {
        add(record, file, measured);
      }
    }
    try {
      identify::check_experiments("data", measured.experiments);
    } catch (const InvalidInput& error) {
      throw DataError(files.front().place, files.front().key + ": " + rule_of(error));
    }
  }

 private:
  void add(const signal::Record& record, const DataFile& file, MeasuredData& measured) {
    const double step = even_step(record, file);
    if (step_ == 0.0) step_ = step;
    if (std::abs(step - step_) > kOneStep * step_) {
      throw DataError(file.place,
                      fmt::format("{}: {} has a step of {} s, the data before it {} s; resample "
                                  "it first",
                                  file.key, file.name, shortest(step), shortest(step_)));
    }
    for (const NamedColumn& one : inputs_) check_complete(record, one.column);
    measured.experiments.push_back({.input = values(record, inputs_, study_.inputs),
                                    .output = values(record, outputs_, study_.outputs),
                                    .step = step_});
    measured.sources.push_back({.file = file.name, .start_time = record.time().start()});
  }

  // Columns in the units of the model; without a unit of the model they are taken as they are.
  Eigen::MatrixXd values(const signal::Record& record, const std::vector<NamedColumn>& columns,
                         std::vector<ColumnUse>& uses) {
    Eigen::MatrixXd result(record.size(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const FileColumn& column = columns[i].column;
      const auto channel = static_cast<std::size_t>(record.find(column.column).value());
      uses[i].column_unit = record.channels()[channel].unit;
      const bool known = !uses[i].unit.empty();
      uses[i].factor =
          known ? column_factor(column, uses[i].column_unit, uses[i].unit, study_.notes) : 1.0;
      const Eigen::Ref<const Eigen::VectorXd> samples = record.values(column.column);
      for (Eigen::Index k = 0; k < samples.size(); ++k) {
        if (std::isinf(samples(k))) {
          throw DataError(column.place,
                          fmt::format("{}: column \"{}\" has an infinite value at sample {}",
                                      column.key, column.column, k + 1));
        }
        result(k, static_cast<Eigen::Index>(i)) = uses[i].factor * samples(k);
      }
    }
    return result;
  }

  const TableReader& data_;
  const std::vector<NamedColumn>& inputs_;
  const std::vector<NamedColumn>& outputs_;
  OutputErrorStudy& study_;
  double step_ = 0.0;
};

std::vector<DataFile> files_named(const TableReader& table, const TableReader& otherwise,
                                  const FileContext& files) {
  if (table.has("files")) return data_files(table, "files", files);
  if (table.has("file")) return {data_file(table, "file", files)};
  return files_named(otherwise, otherwise, files);
}

// The same model names with other columns, in the order of the model.
std::vector<NamedColumn> validation_columns(const TableReader& validation, const std::string& key,
                                            const std::vector<NamedColumn>& known) {
  if (!validation.has(key)) return known;
  const std::vector<NamedColumn> given = read_named_columns(validation, key, "");
  if (validation.form(key) == kTexts) {
    if (given.size() != known.size()) {
      validation.fail(key, fmt::format("must name {} columns like data.{}, got {}", known.size(),
                                       key, given.size()));
    }
    std::vector<NamedColumn> columns = given;
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].name = known[i].name;
    return columns;
  }
  const auto names = [](const NamedColumn& one) { return one.name; };
  const std::vector<std::string> all = mapped(known, names);
  for (const NamedColumn& one : given) {
    if (std::find(all.begin(), all.end(), one.name) != all.end()) continue;
    throw StudyError(one.column.place, fmt::format("{}: data.{} has no \"{}\"{}", one.column.key,
                                                   key, one.name, suggestion(one.name, all)));
  }
  std::vector<NamedColumn> columns;
  for (const std::string& name : all) {
    const auto found = std::find_if(given.begin(), given.end(),
                                    [&](const NamedColumn& one) { return one.name == name; });
    if (found == given.end()) {
      validation.fail(key, fmt::format("must name a column for \"{}\" too", name));
    }
    columns.push_back(*found);
  }
  return columns;
}

Eigen::Index free_parameters(const OutputErrorStudy& study) {
  return std::count_if(
      study.parameters.begin(), study.parameters.end(),
      [](const optimize::Parameter& one) { return !one.fixed && !one.tie.has_value(); });
}

}  // namespace

void read_equation_data(const TableReader& data, const std::vector<NamedColumn>& inputs,
                        const std::vector<NamedColumn>& outputs, const FileContext& files,
                        OutputErrorStudy& study) {
  const std::vector<DataFile> measured = files_named(data, data, files);
  if (data.has("validation")) {
    // First, so that what the study keeps of the columns is that of the estimation data.
    const TableReader validation = data.table("validation");
    const std::vector<NamedColumn> held_inputs = validation_columns(validation, "inputs", inputs);
    const std::vector<NamedColumn> held_outputs =
        validation_columns(validation, "outputs", outputs);
    EquationDataReader(data, held_inputs, held_outputs, study)
        .read(files_named(validation, data, files), study.validation);
  }
  EquationDataReader(data, inputs, outputs, study).read(measured, study.data);
  const Eigen::Index samples = identify::measured_samples(study.data.experiments);
  const Eigen::Index unknowns = free_parameters(study);
  if (samples <= unknowns) {
    throw DataError(measured.front().place,
                    fmt::format("{}: {} measured samples are too few for {} parameters",
                                measured.front().key, samples, unknowns));
  }
}

}  // namespace alembert::study
