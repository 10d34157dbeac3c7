#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/detrend.hpp"
#include "study/mapped.hpp"
#include "study/read_identify.hpp"
#include "study/read_model.hpp"
#include "study/rule_of.hpp"

namespace alembert::study {
namespace {

constexpr double kSameStep = 1e-6;
constexpr Eigen::Index kFewestHeldBack = 2;

std::vector<NamedColumn> listed_columns(const TableReader& data, const std::string& key,
                                        const std::string& letter) {
  const Array& items = *data.value(key)->array();
  const bool names = std::all_of(items.begin(), items.end(),
                                 [](const Value& item) { return is_name(*item.text()); });
  std::vector<NamedColumn> columns;
  for (std::size_t i = 0; i < items.size(); ++i) {
    columns.push_back({.name = names ? *items[i].text() : letter + std::to_string(i + 1),
                       .column = {.key = data.name(key),
                                  .column = *items[i].text(),
                                  .place = data.place_of(items[i].position)},
                       .listed = true});
  }
  return columns;
}

std::vector<NamedColumn> tabled_columns(const TableReader& data, const std::string& key) {
  const TableReader table = data.table(key);
  std::vector<NamedColumn> columns;
  for (const std::string& name : table.keys()) {
    if (!is_name(name)) {
      table.fail_at_key(name, fmt::format("{}: a name must begin with a letter and have no blanks, "
                                          "commas, quotes or brackets",
                                          table.name(name)));
    }
    columns.push_back(
        {.name = name,
         .column = {
             .key = table.name(name), .column = table.text(name), .place = table.place(name)}});
  }
  if (columns.empty()) {
    data.fail(key, "must name at least one column");
  }
  return columns;
}

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
    check_step(step, file);
    for (const FileColumn& input : inputs_) check_complete(record, input);
    check_finite(record);
    record = detrended(std::move(record), file);
    identify::Experiment experiment{
        .input = inputs_of(record), .output = outputs_of(record), .step = step_};
    measured.experiments.push_back(std::move(experiment));
    measured.sources.push_back({.file = file.name, .start_time = record.time().start()});
  }

  void check_step(double step, const DataFile& file) {
    if (step_ == 0.0) step_ = step;
    if (std::abs(step - step_) <= kSameStep * step_) return;
    throw DataError(file.place,
                    fmt::format("{}: {} has a step of {} s, the data before it {} s; resample it "
                                "first",
                                file.key, file.name, shortest(step), shortest(step_)));
  }

  void check_finite(const signal::Record& record) const {
    for (const FileColumn& output : outputs_) {
      const Eigen::Ref<const Eigen::VectorXd> values = record.values(output.column);
      for (Eigen::Index k = 0; k < values.size(); ++k) {
        if (!std::isinf(values(k))) continue;
        throw DataError(output.place,
                        fmt::format("{}: column \"{}\" has an infinite value at sample {}",
                                    output.key, output.column, k + 1));
      }
    }
  }

  [[nodiscard]] signal::Record detrended(signal::Record record, const DataFile& file) const {
    const std::string what = data_.text("detrend");
    if (what == "none") return record;
    try {
      return signal::detrended(std::move(record), what == "mean" ? 0 : 1);
    } catch (const InvalidInput& error) {
      throw DataError(file.place, fmt::format("{}: {}: {}", file.key, file.name, error.what()));
    }
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

// The last part of each experiment becomes validation data.
void hold_back(const TableReader& validation, IdentifyStudy& study) {
  const double fraction = validation.number("fraction");
  for (std::size_t e = 0; fraction > 0.0 && e < study.data.experiments.size(); ++e) {
    identify::Experiment& experiment = study.data.experiments[e];
    const Eigen::Index samples = experiment.samples();
    const auto held = static_cast<Eigen::Index>(fraction * static_cast<double>(samples));
    if (held < kFewestHeldBack || samples - held < kFewestHeldBack) {
      validation.fail("fraction",
                      fmt::format("must leave {} samples or more in both parts of {}, "
                                  "which has {}",
                                  kFewestHeldBack, study.data.sources[e].file, samples));
    }
    study.validation.experiments.push_back({.input = experiment.input.bottomRows(held),
                                            .output = experiment.output.bottomRows(held),
                                            .step = experiment.step});
    ExperimentSource source = study.data.sources[e];
    source.start_time += static_cast<double>(samples - held) * experiment.step;
    study.validation.sources.push_back(std::move(source));
    experiment.input.conservativeResize(samples - held, Eigen::NoChange);
    experiment.output.conservativeResize(samples - held, Eigen::NoChange);
  }
}

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

Eigen::Index MeasuredData::samples() const {
  Eigen::Index sum = 0;
  for (const identify::Experiment& experiment : experiments) sum += experiment.samples();
  return sum;
}

std::vector<NamedColumn> read_named_columns(const TableReader& data, const std::string& key,
                                            const std::string& letter) {
  std::vector<NamedColumn> columns =
      data.form(key) == kTexts ? listed_columns(data, key, letter) : tabled_columns(data, key);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (columns[i].column.column != columns[j].column.column) continue;
      throw StudyError(columns[i].column.place,
                       fmt::format("{} must name different columns, got \"{}\" twice",
                                   data.name(key), columns[i].column.column));
    }
  }
  return columns;
}

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
  reader.read(files_of(data, files), study.data);
  const TableReader validation = data.table("validation");
  if (validation.has("fraction")) {
    hold_back(validation, study);
  } else if (data.has("validation")) {
    reader.read(files_of(validation, files), study.validation);
  }
  reader.keep_units();
}

void examine_data(const TableReader& data, const std::vector<NamedColumn>& inputs,
                  const std::vector<NamedColumn>& outputs, IdentifyStudy& study,
                  std::vector<Problem>& problems) {
  std::vector<identify::DataRemark> found;
  // The midpoint rule takes forces as samples, whatever they do between them.
  const identify::RefineOptions& refinement = study.settings.refinement;
  const bool smooth = study.settings.refine && refinement.hold == integrate::Hold::Cubic &&
                      refinement.method != integrate::Method::Variational;
  try {
    found = identify::examine(study.data.experiments, names_of_columns(inputs),
                              names_of_columns(outputs), study.unknowns.size(), smooth);
  } catch (const InvalidInput& error) {
    const FileColumn place = column_of_remark(data, {}, inputs, outputs);
    problems.push_back({place.place, place.key + ": " + rule_of(error), true});
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
