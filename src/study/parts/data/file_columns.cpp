#include "study/parts/data/file_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/io/table.hpp"
#include "core/mapped.hpp"
#include "study/parts/names.hpp"
#include "study/parts/unit_conversion.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

std::vector<std::string> distinct_columns(const std::vector<FileColumn>& columns) {
  std::vector<std::string> names;
  for (const FileColumn& column : columns) {
    if (std::find(names.begin(), names.end(), column.column) == names.end()) {
      names.push_back(column.column);
    }
  }
  return names;
}

// A column that the file does not have is reported at the key that names it. Called after reading
// those columns failed; returns if the failure had another reason.
void report_missing_column(const DataFile& file, const std::vector<FileColumn>& columns,
                           io::ReadOptions options) {
  options.channels.clear();
  signal::Records whole;
  try {
    whole = io::read_records(file.path, options);
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
    return io::read_records(file.path, options);
  } catch (const DataError&) {
    report_missing_column(file, columns, options);
    throw;
  }
}

}  // namespace

DataFile data_file(const TableReader& table, const std::string& key, const FileContext& files) {
  return {.key = table.name(key),
          .name = table.text(key),
          .place = table.place(key),
          .path = files.find(table, key),
          .limits = files.limits};
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
                    .limits = files.limits});
  }
  return list;
}

signal::Records read_columns(const TableReader& data, const DataFile& file,
                             const std::vector<FileColumn>& columns) {
  return read_or_explain(file, columns,
                         {.time = data.optional_text("time").value_or(""),
                          .step = data.optional_number("step"),
                          .dataset = data.optional_text("dataset").value_or("")});
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
    fail(fmt::format("has a gap from {:.6g} s to {:.6g} s; inputs need an even step",
                     gaps.front().begin, gaps.front().end));
  }
  const std::optional<double> step = record.time().common_step();
  if (!step) {
    fail("has uneven times; resample it first, inputs need an even step");
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
                    fmt::format("{}: column \"{}\" has {} at sample {} (t = {:.6g} s); an input "
                                "must be complete",
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
