#include "study/parts/data/file_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/io/table.hpp"
#include "core/mapped.hpp"
#include "study/parts/conditioning/condition_keys.hpp"
#include "study/parts/names.hpp"
#include "study/parts/unit_conversion.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

constexpr const char* kTimeColumn = "t";  // of the files that simulations write
constexpr double kSameStepAsAsked = 1e-6;

// The same as the reader of files gives: the columns asked for, on the times of the record.
signal::Records records_in_memory(const signal::Records& records, const DataFile& file,
                                  const io::ReadOptions& options) {
  const auto refuse = [&](const std::string& what) {
    throw DataError(file.place, fmt::format("{}: {} {}", file.key, file.name, what));
  };
  if (!options.time.empty() && options.time != kTimeColumn) {
    refuse(fmt::format("has no column \"{}\" with times; its times are in \"{}\"", options.time,
                       kTimeColumn));
  }
  signal::Records selected;
  for (const signal::Record& record : records) {
    const double step = record.time().median_step();
    if (options.step && std::abs(*options.step - step) > kSameStepAsAsked * step) {
      refuse(fmt::format("has a step of {} s, not {} s", shortest(step), shortest(*options.step)));
    }
    for (const std::string& name : options.channels) {
      if (!record.find(name)) refuse(fmt::format("has no column \"{}\"", name));
    }
    selected.push_back(options.channels.empty() ? record : record.select(options.channels));
  }
  return selected;
}

std::vector<std::string> distinct_columns(const std::vector<FileColumn>& columns) {
  std::vector<std::string> names;
  for (const FileColumn& column : columns) {
    if (std::find(names.begin(), names.end(), column.column) == names.end()) {
      names.push_back(column.column);
    }
  }
  return names;
}

io::ReadOptions time_options(const TableReader& data) {
  return {.time = data.optional_text("time").value_or(""),
          .step = data.optional_number("step"),
          .dataset = data.optional_text("dataset").value_or("")};
}

// What a file holds: on disk, or in memory where it was made by the run itself.
signal::Records file_records(const DataFile& file, const io::ReadOptions& options) {
  if (file.records == nullptr) return io::read_records(file.path, options);
  return records_in_memory(*file.records, file, options);
}

// A column that the file does not have is reported at the key that names it. Called after reading
// those columns failed; returns if the failure had another reason.
void report_missing_column(const DataFile& file, const std::vector<FileColumn>& columns,
                           io::ReadOptions options) {
  options.channels.clear();
  signal::Records whole;
  try {
    whole = file_records(file, options);
  } catch (const DataError&) {
    return;
  }
  for (const signal::Record& record : whole) {
    const std::vector<std::string> known =
        mapped(record.channels(), [](const signal::Channel& channel) { return channel.name; });
    for (const FileColumn& column : columns) {
      if (index_of(known, column.column) >= 0) {
        continue;
      }
      throw DataError(column.place,
                      fmt::format("{}: {} has no column \"{}\"{}", column.key, file.name,
                                  column.column, suggestion(column.column, known)));
    }
  }
}

signal::Records read_or_explain(const DataFile& file, const std::vector<FileColumn>& columns,
                                io::ReadOptions options) {
  options.channels = distinct_columns(columns);
  options.limits = file.limits;
  try {
    return file_records(file, options);
  } catch (const DataError&) {
    report_missing_column(file, columns, options);
    throw;
  }
}

signal::Record conditioned_record(signal::Record record, const signal::ConditionOptions& options,
                                  const DataFile& file) {
  try {
    signal::Conditioned made = signal::condition(std::move(record), options);
    for (const std::string& note : made.notes) {
      if (file.notes != nullptr) file.notes->push_back(fmt::format("{}: {}", file.name, note));
    }
    return std::move(made.record);
  } catch (const InvalidInput& error) {
    throw DataError(file.place, fmt::format("{}: {}: {}", file.key, file.name, error.reason()));
  }
}

// What an untouched spike does to a result is not seen in the result.
void note_spikes(const signal::Record& record, const DataFile& file) {
  if (file.notes == nullptr) return;
  for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
    const Eigen::Ref<const Eigen::VectorXd> values = record.samples().col(c);
    const std::vector<Eigen::Index> spikes = signal::find_spikes(values);
    if (spikes.empty()) continue;
    file.notes->push_back(
        fmt::format("{}: {} is {}, far beyond all others; if that is no measurement, data.spikes = "
                    "\"bridge\" takes the line between the samples beside it",
                    file.name, record.channels()[static_cast<std::size_t>(c)].name,
                    signal::spike_words(record.time(), values, spikes)));
  }
}

signal::Records conditioned(const TableReader& data, signal::Records records, const DataFile& file,
                            signal::SpikeUse spikes) {
  signal::ConditionOptions options = read_condition(data);
  if (!data.has("spikes")) options.spikes = spikes;
  if (!data.has("spikes") && spikes == signal::SpikeUse::Keep) {
    for (const signal::Record& record : records) note_spikes(record, file);
  }
  if (!options.any()) return records;
  for (signal::Record& record : records) {
    record = conditioned_record(std::move(record), options, file);
  }
  return records;
}

}  // namespace

DataFile data_file(const TableReader& table, const std::string& key, const FileContext& files) {
  return {.key = table.name(key),
          .name = table.text(key),
          .place = table.place(key),
          .path = files.find(table, key),
          .limits = files.limits,
          .records = files.in_memory(table.text(key)),
          .notes = files.notes};
}

std::vector<DataFile> data_files(const TableReader& table, const std::string& key,
                                 const FileContext& files) {
  std::vector<DataFile> list;
  for (const Value& item : *table.value(key)->array()) {
    const Place place = table.place_of(item.position);
    list.push_back({.key = table.name(key),
                    .name = *item.text(),
                    .place = place,
                    .path = files.find(*item.text(), table.name(key), place),
                    .limits = files.limits,
                    .records = files.in_memory(*item.text()),
                    .notes = files.notes});
  }
  return list;
}

signal::Records read_all_columns(const TableReader& data, const DataFile& file) {
  return conditioned(data, file_records(file, time_options(data)), file, signal::SpikeUse::Keep);
}

signal::Records read_columns(const TableReader& data, const DataFile& file,
                             const std::vector<FileColumn>& columns) {
  return read_columns(data, file, columns, signal::SpikeUse::Keep);
}

signal::Records read_columns(const TableReader& data, const DataFile& file,
                             const std::vector<FileColumn>& columns, signal::SpikeUse spikes) {
  return conditioned(data, read_or_explain(file, columns, time_options(data)), file, spikes);
}

signal::Records read_columns_without_time(const TableReader& table, const DataFile& file,
                                          const std::vector<FileColumn>& columns) {
  return read_or_explain(file, columns,
                         {.step = 1.0, .dataset = table.optional_text("dataset").value_or("")});
}

signal::Record only_record(signal::Records records, const DataFile& file) {
  if (records.size() == 1) return std::move(records.front());
  throw DataError(file.place, fmt::format("{}: {} must hold exactly one record, got {}", file.key,
                                          file.name, records.size()));
}

double even_step(const signal::Record& record, const DataFile& file) {
  const auto fail = [&](const std::string& reason) {
    throw DataError(file.place, fmt::format("{}: {} {}", file.key, file.name, reason));
  };
  if (record.size() < 2) {
    fail("holds fewer than two samples");
  }
  const std::vector<signal::Gap> gaps = record.gaps();
  if (!gaps.empty()) {
    fail(
        fmt::format("has a gap from {:.6g} s to {:.6g} s; inputs need an even step: take one side "
                    "of it with data.to or data.from, or write both sides into files of their own",
                    gaps.front().begin, gaps.front().end));
  }
  const std::optional<double> step = record.time().common_step();
  if (!step) {
    const double jitter = signal::largest_jitter(record.time());
    fail(
        fmt::format("has uneven times, up to {:.2g} of a step off an even grid; {}set "
                    "data.resample, inputs need an even step",
                    jitter,
                    jitter < 0.5 ? fmt::format("data.jitter = {:.1g} takes them for even, or ",
                                               std::min(1.2 * jitter, 0.5))
                                 : ""));
  }
  return *step;
}

void check_complete(const signal::Record& record, const FileColumn& column) {
  const Eigen::Ref<const Eigen::VectorXd> values = record.values(column.column);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::isfinite(values(k))) {
      continue;
    }
    throw DataError(column.place,
                    fmt::format("{}: column \"{}\" has {} at sample {} (t = {:.6g} s), and must be "
                                "complete; cut the record with data.from and data.to",
                                column.key, column.column,
                                std::isnan(values(k)) ? "no value" : "an infinite value", k + 1,
                                record.time()[k]));
  }
}

double column_factor(const FileColumn& column, const std::string& column_unit,
                     const std::string& model_unit, std::vector<std::string>& notes) {
  const auto note = [&notes](const std::string& text) {
    // Several files say the same.
    if (std::find(notes.begin(), notes.end(), text) == notes.end()) {
      notes.push_back(text);
    }
  };
  if (column_unit.empty()) {
    note(fmt::format("column \"{}\" has no unit in the file; taken as {}", column.column,
                     model_unit));
    return 1.0;
  }
  const std::optional<double> factor = conversion(column_unit, model_unit);
  if (!factor) {
    throw DataError(column.place,
                    fmt::format("{}: column \"{}\" is in {}, which does not convert to {}",
                                column.key, column.column, column_unit, model_unit));
  }
  if (*factor != 1.0) {
    note(fmt::format("column \"{}\" converted from {} to {} (factor {:.6g})", column.column,
                     column_unit, model_unit, *factor));
  }
  return *factor;
}

}  // namespace alembert::study
