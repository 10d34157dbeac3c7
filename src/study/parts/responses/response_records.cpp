#include "study/parts/responses/response_records.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/signal/detrend.hpp"
#include "study/parts/data/measured_data.hpp"
#include "study/parts/data/named_columns.hpp"

namespace alembert::study {
namespace {

constexpr Eigen::Index kFewestResponseSamples = 64;
constexpr double kLargeDrift = 0.5;  // of the power beside the mean

// The part of the power beside its mean that a line through a channel explains.
double share_of_line(const Eigen::Ref<const Eigen::VectorXd>& values) {
  const double all = signal::detrended(values, 0).squaredNorm();
  return all > 0.0 ? 1.0 - signal::detrended(values, 1).squaredNorm() / all : 0.0;
}

// A drift that is larger than the vibration hides the lowest modes, and nothing else shows it.
signal::Record without_drift(signal::Record record, const DataFile& file,
                             std::vector<std::string>& notes) {
  std::string drifting;
  for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
    if (share_of_line(record.samples().col(c)) < kLargeDrift) continue;
    const std::string& name = record.channels()[static_cast<std::size_t>(c)].name;
    drifting += (drifting.empty() ? "" : ", ") + name;
  }
  if (drifting.empty()) return record;
  notes.push_back(
      fmt::format("{}: {} drifts by more than it vibrates; lines are taken off all "
                  "channels (data.detrend)",
                  file.name, drifting));
  return signal::detrended(std::move(record), 1);
}

class ResponseReader {
 public:
  ResponseReader(const TableReader& data, ChannelColumns columns, ResponseRecords& records)
      : data_(data), columns_(std::move(columns)), records_(records) {
    for (const NamedColumn& one : columns_.inputs) {
      records.inputs.push_back(
          {.name = one.name, .column = one.column.column, .column_unit = "", .unit = ""});
    }
    for (const NamedColumn& one : columns_.outputs) {
      records.outputs.push_back(
          {.name = one.name, .column = one.column.column, .column_unit = "", .unit = ""});
    }
  }

  void add(const DataFile& file) {
    std::vector<FileColumn> wanted;
    for (const NamedColumn& one : columns_.inputs) wanted.push_back(one.column);
    for (const NamedColumn& one : columns_.outputs) wanted.push_back(one.column);
    // Without a force no pulse is meant.
    const signal::SpikeUse spikes =
        columns_.inputs.empty() ? signal::SpikeUse::Bridge : signal::SpikeUse::Keep;
    for (signal::Record& record : read_columns(data_, file, wanted, spikes)) {
      check_same_step(even_step(record, file), records_.step, file);
      for (const NamedColumn& one : columns_.inputs) check_complete(record, one.column);
      for (const NamedColumn& one : columns_.outputs) {
        check_alive(record, one.column);
        if (columns_.inputs.empty()) check_complete(record, one.column);
      }
      const signal::Record ready = columns_.inputs.empty() && !data_.has("detrend")
                                       ? without_drift(std::move(record), file, records_.notes)
                                       : detrended(data_, std::move(record), file);
      if (ready.size() < kFewestResponseSamples) {
        throw DataError(file.place,
                        fmt::format("{}: {} has {} samples; at least {} are needed", file.key,
                                    file.name, ready.size(), kFewestResponseSamples));
      }
      records_.experiments.push_back({values(ready, columns_.inputs, records_.inputs),
                                      values(ready, columns_.outputs, records_.outputs)});
      records_.sources.push_back({.file = file.name, .start_time = ready.time().start()});
    }
  }

 private:
  // A channel that never moves is dead: it has no part in any mode.
  static void check_alive(const signal::Record& record, const FileColumn& column) {
    check_not_infinite(record, column);
    const Eigen::Ref<const Eigen::VectorXd> values = record.values(column.column);
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const double value : values) {
      if (std::isnan(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (least < most) return;
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
      if (records_.experiments.empty()) uses[i].column_unit = uses[i].unit = unit;
      const double factor = column_factor(column, unit, uses[i].unit, records_.notes);
      all.col(static_cast<Eigen::Index>(i)) = factor * record.values(column.column);
    }
    return all;
  }

  const TableReader& data_;
  ChannelColumns columns_;
  ResponseRecords& records_;
};

}  // namespace

ResponseRecords read_response_records(const TableReader& data, const FileContext& files) {
  ResponseRecords records;
  if (!data.has("outputs")) data.fail("outputs", "is missing: it names the responses");
  ResponseReader reader(data, read_channel_columns(data, "F", "y"), records);
  const FileContext noted = files.noting(records.notes);
  const std::vector<DataFile> list = data.has("files")
                                         ? data_files(data, "files", noted)
                                         : std::vector<DataFile>{data_file(data, "file", noted)};
  for (const DataFile& file : list) reader.add(file);
  return records;
}

}  // namespace alembert::study
