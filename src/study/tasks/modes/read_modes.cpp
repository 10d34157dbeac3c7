#include "study/tasks/modes/read_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/signal/detrend.hpp"
#include "study/parts/data/measured_data.hpp"
#include "study/parts/data/named_columns.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/modes/modes_keys.hpp"
#include "study/tasks/modes/read_responses.hpp"

namespace alembert::study {
namespace {

constexpr Eigen::Index kFewestModeSamples = 64;
constexpr double kLargeDrift = 0.5;  // of the power beside the mean

void read_mode_windows(const TableReader& identify, const char* key, bool keep,
                       std::vector<identify::ModeWindow>& windows) {
  if (!identify.has(key)) return;
  const Eigen::MatrixXd rows = identify.rows(key);
  if (rows.cols() != 2) {
    identify.fail(key,
                  fmt::format("must have rows of two frequencies, got rows of {}", rows.cols()));
  }
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    if (!(rows(i, 0) < rows(i, 1))) {
      identify.fail(key, fmt::format("must have rows that rise, got [{:.6g}, {:.6g}]", rows(i, 0),
                                     rows(i, 1)));
    }
    windows.push_back({.from_hz = rows(i, 0), .to_hz = rows(i, 1), .keep = keep});
  }
}

// One key for the fields of several methods.
void share_settings(const TableReader& identify, ModesSettings& settings) {
  const identify::RecordModesOptions& forced = settings.forced;
  settings.ambient.from_hz = settings.taps.from_hz = forced.from_hz;
  settings.ambient.to_hz = settings.taps.to_hz = forced.to_hz;
  settings.ambient.windows = settings.taps.windows = forced.modes.windows;
  settings.taps.false_alarm = forced.modes.false_alarm;
  settings.taps.block_rows = settings.ambient.block_rows;
  if (identify.has("track")) settings.taps.shortest_track = forced.modes.shortest_track;
  if (identify.has("order")) {
    settings.taps.largest_order = forced.modes.plscf.largest_order;
    settings.ambient.largest_order = forced.modes.plscf.largest_order;
    settings.ambient.smallest_order = std::min(10, settings.ambient.largest_order);
  }
}

// What is measured follows from the keys of [data]; what moved the rest is said in [identify].
ModesData kind_of_data(const TableReader& data, const TableReader& identify) {
  const bool said = identify.has("excitation");
  if (data.has("frf") || data.has("inputs")) {
    if (said) {
      identify.fail_at_key("excitation", fmt::format("excitation has no place with {}",
                                                     data.has("frf") ? "data.frf" : "data.inputs"));
    }
    return data.has("frf") ? ModesData::Frf : ModesData::Forces;
  }
  return enum_named<ModesData>(identify.text("excitation")).value_or(ModesData::Ambient);
}

void read_modes_settings(const TableReader& identify, ModesSettings& settings) {
  modes_keys().read(identify, settings);
  modes_keys().refuse_unused(identify, settings);
  identify::RecordModesOptions& forced = settings.forced;
  read_mode_windows(identify, "keep", true, forced.modes.windows);
  read_mode_windows(identify, "drop", false, forced.modes.windows);
  if (forced.from_hz && forced.to_hz && *forced.from_hz >= *forced.to_hz) {
    identify.fail("to", fmt::format("must be above identify.from, got {:.6g} Hz", *forced.to_hz));
  }
  share_settings(identify, settings);
}

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

class ModesReader {
 public:
  ModesReader(const TableReader& data, ChannelColumns columns, ModesStudy& study)
      : data_(data), columns_(std::move(columns)), study_(study) {
    for (const NamedColumn& one : columns_.inputs) {
      study.inputs.push_back(
          {.name = one.name, .column = one.column.column, .column_unit = "", .unit = ""});
    }
    for (const NamedColumn& one : columns_.outputs) {
      study.outputs.push_back(
          {.name = one.name, .column = one.column.column, .column_unit = "", .unit = ""});
    }
  }

  void add(const DataFile& file) {
    std::vector<FileColumn> wanted;
    for (const NamedColumn& one : columns_.inputs) wanted.push_back(one.column);
    for (const NamedColumn& one : columns_.outputs) wanted.push_back(one.column);
    const signal::SpikeUse spikes =
        columns_.inputs.empty() ? signal::SpikeUse::Bridge : signal::SpikeUse::Keep;
    for (signal::Record& record : read_columns(data_, file, wanted, spikes)) {
      check_same_step(even_step(record, file), study_.step, file);
      for (const NamedColumn& one : columns_.inputs) check_complete(record, one.column);
      for (const NamedColumn& one : columns_.outputs) {
        check_alive(record, one.column);
        if (columns_.inputs.empty()) check_complete(record, one.column);
      }
      const signal::Record ready = columns_.inputs.empty() && !data_.has("detrend")
                                       ? without_drift(std::move(record), file, study_.notes)
                                       : detrended(data_, std::move(record), file);
      if (ready.size() < kFewestModeSamples) {
        throw DataError(file.place,
                        fmt::format("{}: {} has {} samples; at least {} are needed", file.key,
                                    file.name, ready.size(), kFewestModeSamples));
      }
      study_.experiments.push_back({values(ready, columns_.inputs, study_.inputs),
                                    values(ready, columns_.outputs, study_.outputs)});
      study_.sources.push_back({.file = file.name, .start_time = ready.time().start()});
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
      if (study_.experiments.empty()) uses[i].column_unit = uses[i].unit = unit;
      const double factor = column_factor(column, unit, uses[i].unit, study_.notes);
      all.col(static_cast<Eigen::Index>(i)) = factor * record.values(column.column);
    }
    return all;
  }

  const TableReader& data_;
  ChannelColumns columns_;
  ModesStudy& study_;
};

void read_modes_records(const TableReader& data, const FileContext& files, ModesStudy& study) {
  if (!data.has("outputs")) data.fail("outputs", "is missing: it names the responses");
  ModesReader reader(data, read_channel_columns(data, "F", "y"), study);
  const FileContext noted = files.noting(study.notes);
  const std::vector<DataFile> list = data.has("files")
                                         ? data_files(data, "files", noted)
                                         : std::vector<DataFile>{data_file(data, "file", noted)};
  for (const DataFile& file : list) reader.add(file);
}

// The band must lie below half the sampling rate.
void check_modes_band(const TableReader& identify, const ModesStudy& study) {
  const double most = 0.5 / study.step;
  for (const char* key : {"from", "to"}) {
    const std::optional<double> f = identify.optional_number(key);
    if (!f || *f < most) continue;
    identify.fail(key, fmt::format("must be below half the sampling rate of {:.6g} Hz, got {:.6g}",
                                   2.0 * most, *f));
  }
}

}  // namespace

ModesStudy read_modes(const TableReader& root, const FileContext& files,
                      std::vector<Problem>& problems) {
  ModesStudy study;
  const TableReader identify = root.table("identify");
  const TableReader data = root.table("data");
  attempt(problems, [&] {
    study.settings.data = kind_of_data(data, identify);
    read_modes_settings(identify, study.settings);
  });
  if (data.has("frf")) {
    attempt(problems, [&] { read_modes_responses(data, files, study); });
    return study;
  }
  const bool read = attempt(problems, [&] { read_modes_records(data, files, study); });
  if (read) attempt(problems, [&] { check_modes_band(identify, study); });
  return study;
}

}  // namespace alembert::study
