#include "study/tasks/observe/stream/stream_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "io/csv/header.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/table/record_parts.hpp"
#include "io/table/time_column.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/observe/read_observe.hpp"

namespace alembert::study {
namespace {

using io::csv::Cell;
using io::csv::CellKind;
using io::csv::CellValue;
using io::csv::Layout;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kInput = "standard input";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Separators that stand in a header, the likeliest first.
std::vector<char> separators_in(std::string_view header) {
  std::vector<char> found;
  for (const char c : {';', '\t', ','}) {
    if (header.find(c) != std::string_view::npos) found.push_back(c);
  }
  found.push_back(io::csv::kBlanks);
  return found;
}

std::vector<std::string> names_of(const Layout& layout) {
  return mapped(layout.columns, [](const signal::Channel& one) { return one.name; });
}

}  // namespace

StreamTable::StreamTable(ObserveStudy& study) : study_(study) {}

void StreamTable::fail(const std::string& reason, std::size_t column) const {
  throw DataError({.file = kInput, .line = line_, .column = column}, reason);
}

bool StreamTable::has_all_columns(const Layout& layout) const {
  const std::vector<std::string> names = names_of(layout);
  const auto has = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return (study_.time_column.empty() || has(study_.time_column)) &&
         std::all_of(study_.columns.begin(), study_.columns.end(),
                     [&](const SensorColumn& use) { return has(use.column); });
}

void StreamTable::read_header(std::string_view line) {
  bool first = true;
  for (const char separator : separators_in(line)) {
    Layout trial;
    trial.dialect.separator = separator;
    trial.header_line = line_;
    io::csv::read_names(line, 0, kInput, trial);
    const bool complete = has_all_columns(trial);
    if (first || complete) layout_ = trial;
    if (complete) break;
    first = false;
  }
  find_columns();
}

std::size_t StreamTable::column_named(const std::string& name, const std::string& key) const {
  const std::vector<std::string> names = names_of(layout_);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    fail(fmt::format("{}no column \"{}\"{}", key, name, suggestion(name, names)));
  }
  const auto again = std::find(found + 1, names.end(), name);
  if (again != names.end()) {
    fail(fmt::format("{}column \"{}\" stands twice, in columns {} and {}", key, name,
                     found - names.begin() + 1, again - names.begin() + 1));
  }
  return static_cast<std::size_t>(found - names.begin());
}

void StreamTable::find_time() {
  time_at_.reset();
  if (!study_.time_column.empty()) {
    time_at_ = column_named(study_.time_column, "data.time: ");
  } else if (study_.step == 0.0) {
    if (!io::is_time_name(layout_.columns.front().name)) {
      fail("the first column is no time; give data.time or data.step");
    }
    time_at_ = 0;
  }
  if (!time_at_) return;
  const signal::Channel& column = layout_.columns[*time_at_];
  const std::string unit = io::time_unit(column.name, column.unit);
  const std::optional<double> seconds = io::seconds_in(unit);
  if (!seconds) {
    fail(fmt::format("the unit {} of the time {} is not known; use s, ms, us, ns, min, h or d",
                     io::excerpt(unit), io::excerpt(column.name)));
  }
  time_seconds_ = *seconds;
}

void StreamTable::find_sensors() {
  sensor_at_.clear();
  for (std::size_t i = 0; i < study_.columns.size(); ++i) {
    SensorColumn& use = study_.columns[i];
    sensor_at_.push_back(column_named(use.column, ""));
    use.column_unit = layout_.columns[sensor_at_.back()].unit;
    use.factor = reading_factor(
        {.key = "data.sensors", .column = use.column, .place = {.file = kInput, .line = line_}},
        use, study_.mechanism->description().sensors[i], study_.notes);
  }
  readings_.assign(study_.columns.size(), kMissing);
}

void StreamTable::find_columns() {
  find_time();
  find_sensors();
}

// A line below the names without any number in it, whatever the decimal mark.
bool StreamTable::is_units(std::string_view line) const {
  Layout other = layout_;
  other.dialect.decimal_mark = layout_.dialect.decimal_mark == '.' ? ',' : '.';
  return io::csv::is_line_of_units(line, layout_) && io::csv::is_line_of_units(line, other);
}

// A header with commas may stand over columns that blanks separate.
void StreamTable::choose_blanks(std::string_view row) {
  if (layout_.columns.size() < 2) return;
  io::csv::split_line(row, layout_.dialect.separator, cells_);
  if (cells_.size() > 1) return;
  io::csv::split_line(row, io::csv::kBlanks, cells_);
  if (cells_.size() > 1) layout_.dialect.separator = io::csv::kBlanks;
}

void StreamTable::settle_mark(std::string_view text) {
  for (const char mark : {'.', ','}) {
    if (text.find(mark) == std::string_view::npos) continue;
    if (io::csv::parse_cell(text, mark).kind != CellKind::Number) continue;
    layout_.dialect.decimal_mark = mark;
    mark_known_ = true;
    return;
  }
}

void StreamTable::fail_cell(std::string_view line, const Cell& cell, CellKind kind) const {
  const std::size_t column = static_cast<std::size_t>(cell.begin - line.data()) + 1;
  const char mark = layout_.dialect.decimal_mark;
  const bool other_mark =
      io::csv::parse_cell(cell.text, mark == '.' ? ',' : '.').kind == CellKind::Number;
  const std::string reason =
      kind == CellKind::OutOfRange ? "beyond the range of a double"
      : kind == CellKind::Number   ? "not finite"
      : other_mark ? fmt::format("not a number; the decimal mark was '{}' before", mark)
                   : "not a number";
  fail(fmt::format("\"{}\" is {}", cell.text, reason), column);
}

double StreamTable::number(std::string_view line, const Cell& cell) {
  if (!mark_known_) settle_mark(cell.text);
  if (!cell.closed) fail_cell(line, cell, CellKind::Malformed);
  const CellValue found = io::csv::parse_cell(cell.text, layout_.dialect.decimal_mark);
  if (found.kind == CellKind::Missing) return kMissing;
  if (found.kind == CellKind::Number && std::isfinite(found.value)) return found.value;
  fail_cell(line, cell, found.kind);
}

double StreamTable::next_time(std::string_view line) {
  if (!time_at_) return rows_ == 0 ? 0.0 : time_ + study_.step;
  double now = number(line, cells_[*time_at_]);
  io::scale_times(Eigen::Map<Eigen::VectorXd>(&now, 1), time_seconds_);
  if (std::isnan(now)) fail("the row has no time");
  if (rows_ > 0 && !(now > time_)) {
    fail(fmt::format("times must rise, got {} s after {} s", shortest(now), shortest(time_)));
  }
  return now;
}

// Behind the named cells empty ones may follow, as many as the header has.
void StreamTable::check_cells() const {
  const std::size_t columns = layout_.columns.size();
  const bool good = cells_.size() >= columns && cells_.size() <= columns + layout_.spare &&
                    std::all_of(cells_.begin() + static_cast<std::ptrdiff_t>(columns), cells_.end(),
                                [](const Cell& cell) { return cell.text.empty(); });
  if (good) return;
  fail(fmt::format("the row has {} cells, the header {}", cells_.size(), columns));
}

void StreamTable::take_row(std::string_view line) {
  io::csv::split_line(line, layout_.dialect.separator, cells_);
  check_cells();
  time_ = next_time(line);
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    readings_[i] = study_.columns[i].factor * number(line, cells_[sensor_at_[i]]);
  }
  ++rows_;
}

StreamTable::Line StreamTable::take(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (layout_.dialect.kind(line) != io::csv::LineKind::Data) return Line::Blank;
  if (!begun_) {
    read_header(line);
    begun_ = true;
    return Line::Names;
  }
  if (rows_ == 0) {
    choose_blanks(line);
    if (is_units(line)) {
      io::csv::read_units(line, layout_);
      find_columns();
      return Line::Units;
    }
  }
  take_row(line);
  return Line::Row;
}

}  // namespace alembert::study
