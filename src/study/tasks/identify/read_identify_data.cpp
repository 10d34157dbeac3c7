#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/measured_data.hpp"
#include "study/tasks/identify/read_identify.hpp"

namespace alembert::study {
namespace {

std::vector<DataFile> files_of(const TableReader& table, const FileContext& files) {
  if (table.has("files")) {
    return data_files(table, "files", files);
  }
  return {data_file(table, "file", files)};
}

/// Turns records into experiments.
class DataReader {
 public:
  DataReader(const TableReader& data, const std::vector<NamedColumn>& inputs,
             const std::vector<NamedColumn>& outputs, IdentifyStudy& study)
      : data_(data), study_(study) {
    for (const NamedColumn& input : inputs) inputs_.push_back(input.column);
    for (const NamedColumn& output : outputs) outputs_.push_back(output.column);
  }

  void read(const std::vector<DataFile>& files, MeasuredData& measured) {
    std::vector<FileColumn> columns = inputs_;
    columns.insert(columns.end(), outputs_.begin(), outputs_.end());
    for (const DataFile& file : files) {
      for (signal::Record& record : read_columns(data_, file, columns)) {
        add(std::move(record), file, measured);
      }
    }
  }

 private:
  void add(signal::Record record, const DataFile& file, MeasuredData& measured) {
    const double step = even_step(record, file);
    check_same_step(step, step_, file);
    for (const FileColumn& input : inputs_) check_complete(record, input);
    for (const FileColumn& output : outputs_) check_not_infinite(record, output);
    record = detrended(data_, std::move(record), file);
    identify::Experiment experiment{
        .input = inputs_of(record), .output = outputs_of(record), .step = step_};
    measured.experiments.push_back(std::move(experiment));
    measured.sources.push_back({.file = file.name, .start_time = record.time().start()});
  }

  // The factor of a column; a unit that the study gives beats that of the file.
  double use(const FileColumn& column, const signal::Record& record, ColumnUse& known) {
    const auto channel = static_cast<std::size_t>(record.find(column.column).value());
    const std::string unit =
        known.column_unit.empty() ? record.channels()[channel].unit : known.column_unit;
    known.factor = column_factor(column, unit, known.unit, study_.notes);
    units_.push_back(unit);
    return known.factor;
  }

  Eigen::MatrixXd inputs_of(const signal::Record& record) {
    Eigen::MatrixXd values(record.size(), static_cast<Eigen::Index>(inputs_.size()));
    units_.clear();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const double factor = use(inputs_[i], record, study_.inputs[i]);
      values.col(static_cast<Eigen::Index>(i)) = factor * record.values(inputs_[i].column);
    }
    input_units_ = units_;
    return values;
  }

  Eigen::MatrixXd outputs_of(const signal::Record& record) {
    Eigen::MatrixXd values(record.size(), static_cast<Eigen::Index>(outputs_.size()));
    units_.clear();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const double factor = use(outputs_[i], record, study_.outputs[i].column);
      values.col(static_cast<Eigen::Index>(i)) = factor * record.values(outputs_[i].column);
    }
    output_units_ = units_;
    return values;
  }

 public:
  /// Keeps the units that the last file has, for the result.
  void keep_units() {
    for (std::size_t i = 0; i < input_units_.size(); ++i) {
      study_.inputs[i].column_unit = input_units_[i];
    }
    for (std::size_t i = 0; i < output_units_.size(); ++i) {
      ColumnUse& column = study_.outputs[i].column;
      column.column_unit = output_units_[i];
      if (study_.outputs[i].sigma) *study_.outputs[i].sigma *= std::abs(column.factor);
    }
  }

 private:
  const TableReader& data_;
  IdentifyStudy& study_;
  std::vector<FileColumn> inputs_, outputs_;
  std::vector<std::string> units_, input_units_, output_units_;
  double step_ = 0.0;
};

FileColumn column_of_remark(const TableReader& data, const identify::DataRemark& remark,
                            const std::vector<NamedColumn>& inputs,
                            const std::vector<NamedColumn>& outputs) {
  for (const std::vector<NamedColumn>* list : {&inputs, &outputs}) {
    for (const NamedColumn& one : *list) {
      if (one.name == remark.channel) return one.column;
    }
  }
  const std::string key = data.has("files") ? "files" : "file";
  return {.key = data.name(key), .column = "", .place = data.place(key)};
}

std::vector<std::string> names_of_columns(const std::vector<NamedColumn>& columns) {
  return mapped(columns, [](const NamedColumn& one) { return one.name; });
}

}  // namespace

void read_measured(const TableReader& data, const std::vector<NamedColumn>& inputs,
                   const std::vector<NamedColumn>& outputs, const FileContext& files,
                   IdentifyStudy& study) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    study.inputs.push_back({.name = inputs[i].name,
                            .column = inputs[i].column.column,
                            .column_unit = "",
                            .unit = study.model.force_units[i]});
  }
  DataReader reader(data, inputs, outputs, study);
  const FileContext noted = files.noting(study.notes);
  reader.read(files_of(data, noted), study.data);
  const TableReader validation = data.table("validation");
  if (validation.has("fraction")) {
    hold_back(validation, study.data, study.validation);
  } else if (data.has("validation")) {
    reader.read(files_of(validation, noted), study.validation);
  }
  reader.keep_units();
}

void examine_data(const TableReader& data, const std::vector<NamedColumn>& inputs,
                  const std::vector<NamedColumn>& outputs, IdentifyStudy& study,
                  std::vector<Problem>& problems) {
  std::vector<identify::DataRemark> found;
  try {
    found = identify::examine(study.data.experiments, names_of_columns(inputs),
                              names_of_columns(outputs), study.settings.unknowns.size(),
                              identify::takes_smooth_forces(study.settings));
  } catch (const InvalidInput& error) {
    const FileColumn place = column_of_remark(data, {}, inputs, outputs);
    problems.push_back({place.place, place.key + ": " + error.reason(), true});
  }
  for (identify::DataRemark& remark : found) {
    if (!remark.fatal) {
      study.remarks.push_back(std::move(remark));
      continue;
    }
    const FileColumn at = column_of_remark(data, remark, inputs, outputs);
    const std::string channel = at.column.empty() ? "" : fmt::format("column \"{}\" ", at.column);
    problems.push_back({at.place, fmt::format("{}: {}{}", at.key, channel, remark.text), true});
  }
}

}  // namespace alembert::study
