#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/lvm.hpp"
#include "io/csv/cell.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/lvm/segments.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {
namespace lvm {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kTime = "X_Value";

// All columns of a segment, times included.
struct Table {
  std::vector<std::string> titles;
  Eigen::MatrixXd numbers;
};

double number_of(std::string_view cell, const Dialect& dialect, const Line& line,
                 const std::string& file) {
  const csv::CellValue value = csv::parse_cell(trimmed(cell), dialect.decimal_mark);
  if (value.kind == csv::CellKind::Number) {
    return value.value;
  }
  if (value.kind == csv::CellKind::Missing) {
    return kMissing;
  }
  throw DataError({.file = file, .line = line.number},
                  fmt::format("{} is no number", excerpt(cell)));
}

// Without times the first cell of each row, and the first title, are still there.
Table read_table(const Segment& segment, const Dialect& dialect, const std::string& file,
                 const ReadLimits& limits) {
  Table table{.titles = segment.titles, .numbers = {}};
  const auto columns = static_cast<Eigen::Index>(table.titles.size());
  const auto rows = static_cast<Eigen::Index>(segment.rows.size());
  require_room(file, "a segment", segment.rows.size(), table.titles.size(), sizeof(double), limits);
  table.numbers = Eigen::MatrixXd::Constant(rows, columns, kMissing);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Line& line = segment.rows[static_cast<std::size_t>(row)];
    const std::vector<std::string_view> cells = lvm::cells_of(line.text, dialect.separator);
    const auto there = std::min<Eigen::Index>(columns, static_cast<Eigen::Index>(cells.size()));
    for (Eigen::Index column = 0; column < there; ++column) {
      table.numbers(row, column) =
          number_of(cells[static_cast<std::size_t>(column)], dialect, line, file);
    }
  }
  return table;
}

// A channel, the column of its times (-1: none), and its place in the lists of the head.
struct ChannelPlace {
  Eigen::Index column = 0;
  Eigen::Index time = -1;
  std::size_t number = 0;
};

std::vector<ChannelPlace> channel_places(const Table& table, Dialect::Times times) {
  std::vector<ChannelPlace> places;
  Eigen::Index time = -1;
  for (std::size_t c = 0; c < table.titles.size(); ++c) {
    const auto column = static_cast<Eigen::Index>(c);
    if (table.titles[c] == kTime) {
      time = times == Dialect::Times::None ? -1 : column;
    } else {
      places.push_back({column, time, places.size()});
    }
  }
  return places;
}

// Two columns of times that hold the same, missing cells included.
bool same_times(const Table& table, Eigen::Index a, Eigen::Index b) {
  if (a == b) return true;
  if (a < 0 || b < 0) return false;
  for (Eigen::Index row = 0; row < table.numbers.rows(); ++row) {
    const double first = table.numbers(row, a);
    const double second = table.numbers(row, b);
    if (first != second && !(std::isnan(first) && std::isnan(second))) return false;
  }
  return true;
}

template <typename Value>
Value entry(const std::vector<Value>& values, std::size_t number, Value otherwise) {
  if (values.empty()) return otherwise;
  return values[std::min(number, values.size() - 1)];
}

// Rows before the times end: a channel with times of its own may be shorter than others.
Eigen::Index rows_with_times(const Table& table, Eigen::Index time) {
  Eigen::Index rows = table.numbers.rows();
  while (time >= 0 && rows > 0 && std::isnan(table.numbers(rows - 1, time))) {
    --rows;
  }
  return rows;
}

signal::Record record_of(const Table& table, const Segment& segment,
                         const std::vector<ChannelPlace>& places, const std::string& file,
                         const ReadOptions& options) {
  RecordParts parts{.place = {.file = file, .line = segment.title_line}};
  const Eigen::Index time = places.front().time;
  const Eigen::Index rows = rows_with_times(table, time);
  parts.samples.resize(rows, static_cast<Eigen::Index>(places.size()));
  std::vector<std::string> names;
  for (std::size_t c = 0; c < places.size(); ++c) {
    parts.samples.col(static_cast<Eigen::Index>(c)) =
        table.numbers.col(places[c].column).head(rows);
    const std::string& title = table.titles[static_cast<std::size_t>(places[c].column)];
    names.push_back(title.empty() ? fmt::format("c{}", places[c].number + 1) : title);
  }
  make_unique(names);
  for (std::size_t c = 0; c < places.size(); ++c) {
    parts.channels.push_back({names[c], entry(segment.units, places[c].number, std::string())});
  }
  if (time >= 0) {
    parts.axis =
        axis_of_times(table.numbers.col(time).head(rows), 0.0, std::string(kTime), parts.place);
  } else if (!segment.steps.empty()) {
    parts.axis =
        axis_of_step(rows, entry(segment.steps, places.front().number, 0.0),
                     entry(segment.starts, places.front().number, 0.0), "Delta_X", parts.place);
  }
  return finished_record(std::move(parts), options);
}

// Channels that share their times make one record.
std::vector<std::vector<ChannelPlace>> groups_of(const Table& table,
                                                 const std::vector<ChannelPlace>& places) {
  const bool together = std::all_of(places.begin(), places.end(), [&](const ChannelPlace& place) {
    return same_times(table, place.time, places.front().time);
  });
  if (together) {
    return {places};
  }
  std::vector<std::vector<ChannelPlace>> groups;
  for (const ChannelPlace& place : places) {
    groups.push_back({place});
  }
  return groups;
}

}  // namespace
}  // namespace lvm

signal::Records parse_lvm(std::string_view content, const std::string& name,
                          const ReadOptions& options) {
  const lvm::Content found = lvm::read_segments(content, {.file = name});
  signal::Records records;
  for (const lvm::Segment& segment : found.segments) {
    const lvm::Table table = lvm::read_table(segment, found.dialect, name, options.limits);
    const std::vector<lvm::ChannelPlace> places = lvm::channel_places(table, found.dialect.times);
    if (places.empty()) {
      throw DataError({.file = name, .line = segment.title_line},
                      "there is no channel besides the time");
    }
    for (const std::vector<lvm::ChannelPlace>& group : lvm::groups_of(table, places)) {
      records.push_back(lvm::record_of(table, segment, group, name, options));
    }
  }
  return records;
}

signal::Records read_lvm(const std::filesystem::path& file, const ReadOptions& options) {
  return read_within_memory(
      file, [&] { return parse_lvm(read_content(file, options.limits), file.string(), options); });
}

}  // namespace alembert::io
