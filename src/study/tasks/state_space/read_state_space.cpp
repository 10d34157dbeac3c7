#include "study/tasks/state_space/read_state_space.hpp"

#include <fmt/format.h>

#include <utility>

#include "alembert/core/error.hpp"
#include "study/parts/data/measured_data.hpp"
#include "study/parts/data/named_columns.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/state_space/state_space_keys.hpp"

namespace alembert::study {
namespace {

constexpr Eigen::Index kFewestStateSamples = 100;

class StateSpaceReader {
 public:
  StateSpaceReader(const TableReader& data, ChannelColumns columns, StateSpaceStudy& study)
      : data_(data), columns_(std::move(columns)), study_(study) {
    name(columns_.inputs, study.inputs);
    name(columns_.outputs, study.outputs);
  }

  void read(const TableReader& table, const FileContext& files, MeasuredData& measured) {
    const std::vector<DataFile> list = table.has("files")
                                           ? data_files(table, "files", files)
                                           : std::vector<DataFile>{data_file(table, "file", files)};
    for (const DataFile& file : list) add(file, measured);
  }

 private:
  static void name(const std::vector<NamedColumn>& columns, std::vector<ColumnUse>& uses) {
    for (const NamedColumn& one : columns) {
      uses.push_back(
          {.name = one.name, .column = one.column.column, .column_unit = "", .unit = ""});
    }
  }

  void add(const DataFile& file, MeasuredData& measured) {
    std::vector<FileColumn> wanted;
    for (const NamedColumn& one : columns_.inputs) wanted.push_back(one.column);
    for (const NamedColumn& one : columns_.outputs) wanted.push_back(one.column);
    for (signal::Record& record : read_columns(data_, file, wanted)) {
      const double step = even_step(record, file);
      check_same_step(step, step_, file);
      for (const FileColumn& column : wanted) check_usable(record, column);
      const signal::Record ready = detrended(data_, std::move(record), file);
      if (ready.size() < kFewestStateSamples) {
        throw DataError(file.place,
                        fmt::format("{}: {} has {} samples; at least {} are needed", file.key,
                                    file.name, ready.size(), kFewestStateSamples));
      }
      measured.experiments.push_back({.input = values(ready, columns_.inputs, study_.inputs),
                                      .output = values(ready, columns_.outputs, study_.outputs),
                                      .step = step_,
                                      .start_time = ready.time().start()});
      measured.sources.push_back({.file = file.name, .start_time = ready.time().start()});
      first_ = false;
    }
  }

  // A channel that never changes drives nothing and shows nothing.
  static void check_usable(const signal::Record& record, const FileColumn& column) {
    check_not_infinite(record, column);
    check_complete(record, column);
    const Eigen::Ref<const Eigen::VectorXd> values = record.values(column.column);
    if (values.size() > 0 && values.minCoeff() < values.maxCoeff()) return;
    throw DataError(column.place,
                    fmt::format("{}: column \"{}\" never changes; a dead channel? leave it out",
                                column.key, column.column));
  }

  // The columns in the unit of the first file.
  Eigen::MatrixXd values(const signal::Record& record, const std::vector<NamedColumn>& columns,
                         std::vector<ColumnUse>& uses) {
    Eigen::MatrixXd all(record.size(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const FileColumn& column = columns[i].column;
      const auto channel = static_cast<std::size_t>(record.find(column.column).value());
      const std::string& unit = record.channels()[channel].unit;
      if (first_) uses[i].column_unit = uses[i].unit = unit;
      const double factor =
          unit == uses[i].unit ? 1.0 : column_factor(column, unit, uses[i].unit, study_.notes);
      all.col(static_cast<Eigen::Index>(i)) = factor * record.values(column.column);
    }
    return all;
  }

  const TableReader& data_;
  ChannelColumns columns_;
  StateSpaceStudy& study_;
  double step_ = 0.0;
  bool first_ = true;
};

void read_state_space_data(const TableReader& data, const FileContext& files,
                           StateSpaceStudy& study) {
  StateSpaceReader reader(data, read_channel_columns(data, "u", "y"), study);
  const FileContext noted = files.noting(study.notes);
  reader.read(data, noted, study.data);
  if (!data.has("validation")) return;
  const TableReader validation = data.table("validation");
  if (validation.has("fraction")) {
    hold_back(validation, study.data, study.validation);
  } else {
    reader.read(validation, noted, study.validation);
  }
}

void check_state_space_band(const TableReader& identify, const StateSpaceStudy& study) {
  const identify::StateSpaceOptions& options = study.options;
  if (options.from_hz && options.to_hz && *options.from_hz >= *options.to_hz) {
    identify.fail("to", fmt::format("must be above identify.from, got {:.6g} Hz", *options.to_hz));
  }
  if (study.data.empty() || !options.from_hz) return;
  const double rate = 1.0 / study.data.experiments.front().step;
  if (*options.from_hz < 0.5 * rate) return;
  identify.fail("from", fmt::format("must be below half the sampling rate of {:.6g} Hz, got {:.6g}",
                                    rate, *options.from_hz));
}

}  // namespace

StateSpaceStudy read_state_space(const TableReader& root, const FileContext& files,
                                 std::vector<Problem>& problems) {
  StateSpaceStudy study;
  const TableReader identify = root.table("identify");
  const TableReader data = root.table("data");
  attempt(problems, [&] {
    state_space_keys().read(identify, study.options);
    state_space_keys().refuse_unused(identify, study.options);
  });
  attempt(problems, [&] { read_state_space_data(data, files, study); });
  attempt(problems, [&] { check_state_space_band(identify, study); });
  return study;
}

}  // namespace alembert::study
