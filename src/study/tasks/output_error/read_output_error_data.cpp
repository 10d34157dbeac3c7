#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/measured_data.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/output_error/read_output_error.hpp"

namespace alembert::study {
namespace {

// How far a time may lie off the samples of the inputs, in steps: decimals of a file round.
constexpr double kOnGrid = 1e-3;

/// Columns of one data set: the estimation or the validation data.
class EquationDataReader {
 public:
  EquationDataReader(const TableReader& data, const FileContext& files,
                     const std::vector<NamedColumn>& inputs,
                     const std::vector<NamedColumn>& outputs,
                     const std::vector<NamedColumn>& weights, OutputErrorStudy& study)
      : data_(data),
        files_(files),
        inputs_(inputs),
        outputs_(outputs),
        weights_(weights),
        study_(study) {}

  void read(const std::vector<DataFile>& files, MeasuredData& measured) {
    std::vector<FileColumn> columns;
    for (const std::vector<NamedColumn>* list : {&inputs_, &outputs_, &weights_}) {
      for (const NamedColumn& one : *list) {
        if (!one.own_file) columns.push_back(one.column);
      }
    }
    for (const DataFile& file : files) {
      for (signal::Record& record : read_columns(data_, file, columns)) {
        add(std::move(record), file, measured);
      }
    }
    check_own_files(measured);
    check_not_empty(measured, files.front());
    try {
      identify::check_experiments("data", measured.experiments);
    } catch (const InvalidInput& error) {
      throw DataError(files.front().place, files.front().key + ": " + error.reason());
    }
  }

 private:
  void add(signal::Record record, const DataFile& file, MeasuredData& measured) {
    check_same_step(even_step(record, file), step_, file);
    for (const NamedColumn& one : inputs_) check_complete(record, one.column);
    Eigen::MatrixXd weight = sample_weights(record);
    record = detrended(data_, std::move(record), file);
    measured.experiments.push_back({.input = values(record, inputs_, study_.inputs),
                                    .output = values(record, outputs_, study_.outputs),
                                    .step = step_,
                                    .start_time = record.time().start(),
                                    .weight = std::move(weight)});
    measured.sources.push_back({.file = file.name, .start_time = record.time().start()});
  }

  // Factors of the samples, by the outputs that they belong to; empty without any.
  Eigen::MatrixXd sample_weights(const signal::Record& record) const {
    if (weights_.empty()) return {};
    Eigen::MatrixXd result =
        Eigen::MatrixXd::Ones(record.size(), static_cast<Eigen::Index>(outputs_.size()));
    for (const NamedColumn& one : weights_) {
      check_complete(record, one.column);
      const Eigen::VectorXd factors = record.values(one.column.column);
      if (factors.minCoeff() < 0.0) {
        throw DataError(one.column.place, fmt::format("{}: column \"{}\" holds a factor below 0",
                                                      one.column.key, one.column.column));
      }
      const auto output = std::find_if(outputs_.begin(), outputs_.end(),
                                       [&](const auto& other) { return other.name == one.name; });
      result.col(output - outputs_.begin()) = factors;
    }
    return result;
  }

  // Columns in the units of the model; without a unit of the model they are taken as they are.
  Eigen::MatrixXd values(const signal::Record& record, const std::vector<NamedColumn>& columns,
                         std::vector<ColumnUse>& uses) {
    Eigen::MatrixXd result(record.size(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      result.col(static_cast<Eigen::Index>(i)) =
          columns[i].own_file ? on_samples_of(record, columns[i], uses[i])
                              : in_model_unit(record, columns[i].column, uses[i]);
    }
    return result;
  }

  Eigen::VectorXd in_model_unit(const signal::Record& record, const FileColumn& column,
                                ColumnUse& use) {
    check_not_infinite(record, column);
    const auto channel = static_cast<std::size_t>(record.find(column.column).value());
    const std::string& unit = record.channels()[channel].unit;
    if (use.unit.empty()) {
      check_same_unit(column, unit, use);
      return record.values(column.column);
    }
    const double factor = column_factor(column, unit, use.unit, study_.notes);
    if (use.column_unit.empty()) {  // the first file speaks for all in the result
      use.column_unit = unit;
      use.factor = factor;
    }
    return factor * record.values(column.column);
  }

  // Without a unit of the model nothing is converted, so that all files must agree.
  static void check_same_unit(const FileColumn& column, const std::string& unit, ColumnUse& use) {
    if (!use.column_unit.empty() && !unit.empty() && unit != use.column_unit) {
      throw DataError(
          column.place,
          fmt::format("{}: column \"{}\" is in {}, but {} is in {} elsewhere; give "
                      "model.units.{} and both are converted",
                      column.key, column.column, unit, use.name, use.column_unit, use.name));
    }
    if (use.column_unit.empty()) use.column_unit = unit;
  }

  // An output without any sample has nothing to say.
  void check_not_empty(const MeasuredData& measured, const DataFile& file) const {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const bool there = std::any_of(measured.experiments.begin(), measured.experiments.end(),
                                     [&](const auto& experiment) {
                                       return !experiment.output.col(column).array().isNaN().all();
                                     });
      if (there) continue;
      throw DataError(file.place, fmt::format("{}: column \"{}\" has no numbers",
                                              outputs_[i].column.key, outputs_[i].column.column));
    }
  }

  // An output with times of its own, on the samples of the inputs; NaN between its samples.
  Eigen::VectorXd on_samples_of(const signal::Record& grid, const NamedColumn& output,
                                ColumnUse& use) {
    const DataFile file = data_file(*output.own_file, "file", files_);
    signal::Records records = read_columns(*output.own_file, file, {output.column});
    if (records.size() != 1) {
      throw DataError(file.place, fmt::format("{}: {} must hold exactly one record, got {}",
                                              file.key, file.name, records.size()));
    }
    const signal::Record record = detrended(data_, std::move(records.front()), file);
    const Eigen::VectorXd samples = in_model_unit(record, output.column, use);
    const Eigen::VectorXd times = record.time().times();
    Eigen::VectorXd result =
        Eigen::VectorXd::Constant(grid.size(), std::numeric_limits<double>::quiet_NaN());
    for (Eigen::Index k = 0; k < samples.size(); ++k) {
      result(sample_at(times(k), k, grid, file)) = samples(k);
    }
    return result;
  }

  // The sample of the inputs at a time.
  Eigen::Index sample_at(double time, Eigen::Index number, const signal::Record& grid,
                         const DataFile& file) const {
    const double position = (time - grid.time().start()) / step_;
    const double nearest = std::round(position);
    const auto last = static_cast<double>(grid.size() - 1);
    if (nearest >= 0.0 && nearest <= last && std::abs(position - nearest) <= kOnGrid) {
      return static_cast<Eigen::Index>(nearest);
    }
    const double below = grid.time().start() + std::clamp(std::floor(position), 0.0, last) * step_;
    throw DataError(file.place,
                    fmt::format("{}: sample {} of {} is at {:.9g} s, where the inputs have none; "
                                "the nearest before it is at {:.9g} s, their step {} s",
                                file.key, number + 1, file.name, time, below, shortest(step_)));
  }

  // One file cannot belong to several experiments.
  void check_own_files(const MeasuredData& measured) const {
    if (measured.experiments.size() < 2) return;
    for (const NamedColumn& one : outputs_) {
      if (!one.own_file) continue;
      throw StudyError(one.column.place,
                       fmt::format("{}: an output with a file of its own needs data of one "
                                   "experiment, got {}",
                                   one.column.key, measured.experiments.size()));
    }
  }

  const TableReader& data_;
  const FileContext& files_;
  const std::vector<NamedColumn>& inputs_;
  const std::vector<NamedColumn>& outputs_;
  const std::vector<NamedColumn>& weights_;
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

// Other data need other files for the outputs that have files of their own.
void check_own_files_are_renewed(const TableReader& validation,
                                 const std::vector<NamedColumn>& outputs) {
  if (validation.has("outputs")) return;
  const std::string key = validation.has("files") ? "files" : "file";
  for (const NamedColumn& one : outputs) {
    if (!one.own_file || !validation.has(key)) continue;
    validation.fail(key, fmt::format("needs data.validation.outputs too: {} has a file of its own, "
                                     "which belongs to the other data",
                                     one.name));
  }
}

// The columns with factors of samples, each for an output of the same files.
std::vector<NamedColumn> weight_columns(const TableReader& data,
                                        const std::vector<NamedColumn>& outputs) {
  if (!data.has("weights")) return {};
  for (const char* key : {"filter", "every", "resample"}) {
    if (!data.has(key)) continue;
    data.fail("weights", fmt::format("belongs to samples as they are in the file, which {} changes",
                                     data.name(key)));
  }
  std::vector<NamedColumn> weights = read_named_columns(data, "weights", "");
  const std::vector<std::string> names =
      mapped(outputs, [](const NamedColumn& one) { return one.name; });
  for (const NamedColumn& one : weights) {
    const auto output = std::find_if(outputs.begin(), outputs.end(), [&](const NamedColumn& other) {
      return other.name == one.name;
    });
    if (output == outputs.end()) {
      throw StudyError(one.column.place,
                       fmt::format("{}: data.outputs has no \"{}\"{}", one.column.key, one.name,
                                   suggestion(one.name, names)));
    }
    if (output->own_file) {
      throw StudyError(one.column.place,
                       fmt::format("{}: {} has a file of its own; leave samples there empty",
                                   one.column.key, one.name));
    }
  }
  return weights;
}

// One factor for each experiment.
void check_experiment_weights(const TableReader& data, const OutputErrorStudy& study) {
  const auto given = study.options.output_error.experiment_weights.size();
  const auto experiments = static_cast<Eigen::Index>(study.data.experiments.size());
  if (given == 0 || given == experiments) return;
  throw StudyError(data.place(""),
                   fmt::format("identify.experiment-weights: must hold one number for each "
                               "experiment, {}, got {}",
                               experiments, given));
}

Eigen::Index free_parameters(const OutputErrorStudy& study) {
  return std::count_if(
      study.parameters.begin(), study.parameters.end(),
      [](const optimize::Parameter& one) { return !one.fixed && !one.tie.has_value(); });
}

// Something must be left to score in every held-back experiment.
void check_skip(const TableReader& validation, const OutputErrorStudy& study) {
  for (const identify::Experiment& experiment : study.validation.experiments) {
    if (study.options.validation.skip + 1 < experiment.samples()) continue;
    validation.fail("skip", fmt::format("must leave two samples or more of {}, got {}",
                                        experiment.samples(), study.options.validation.skip));
  }
}

}  // namespace

void read_equation_data(const TableReader& data, const std::vector<NamedColumn>& inputs,
                        const std::vector<NamedColumn>& outputs, const FileContext& files,
                        OutputErrorStudy& study) {
  const std::vector<DataFile> measured = files_named(data, data, files);
  const TableReader validation = data.table("validation");
  const bool part = validation.has("fraction");
  if (data.has("validation") && !part) {
    // First, so that what the study keeps of the columns is that of the estimation data.
    const std::vector<NamedColumn> held_inputs = validation_columns(validation, "inputs", inputs);
    const std::vector<NamedColumn> held_outputs =
        validation_columns(validation, "outputs", outputs);
    check_own_files_are_renewed(validation, held_outputs);
    EquationDataReader(data, files, held_inputs, held_outputs, {}, study)
        .read(files_named(validation, data, files), study.validation);
  }
  const std::vector<NamedColumn> weights = weight_columns(data, outputs);
  EquationDataReader(data, files, inputs, outputs, weights, study).read(measured, study.data);
  check_experiment_weights(data, study);
  if (part) hold_back(validation, study.data, study.validation);
  check_skip(validation, study);
  const Eigen::Index samples = identify::measured_samples(study.data.experiments);
  const Eigen::Index unknowns = free_parameters(study);
  if (samples <= unknowns) {
    throw DataError(measured.front().place,
                    fmt::format("{}: {} measured samples are too few for {} parameters",
                                measured.front().key, samples, unknowns));
  }
}

}  // namespace alembert::study
