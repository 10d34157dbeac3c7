#include "alembert/io/row_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/core/text.hpp"
#include "io/csv/cell.hpp"
#include "io/csv/header.hpp"
#include "io/csv/layout.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/record_parts.hpp"
#include "io/record/time_column.hpp"

namespace alembert::io {
namespace {

using csv::Cell;
using csv::CellKind;
using csv::CellValue;
using csv::Layout;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Separators that stand in a header, the likeliest first.
std::vector<char> separators_in(std::string_view header) {
  std::vector<char> found;
  for (const char c : {';', '\t', ','}) {
    if (header.find(c) != std::string_view::npos) found.push_back(c);
  }
  found.push_back(csv::kBlanks);
  return found;
}

std::vector<std::string> column_names(const Layout& layout) {
  std::vector<std::string> names;
  for (const signal::Channel& column : layout.columns) names.push_back(column.name);
  return names;
}

}  // namespace

class RowReader::Content {
 public:
  explicit Content(RowReaderOptions options) : options_(std::move(options)) {}

  Line take(std::string_view line);
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<std::string>& units() const { return units_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t lines() const { return line_; }

 private:
  [[noreturn]] void fail(const std::string& reason, std::size_t column = 0) const {
    throw DataError({.file = options_.source, .line = line_, .column = column}, reason);
  }
  void read_header(std::string_view line);
  [[nodiscard]] bool has_all_columns(const Layout& layout) const;
  [[nodiscard]] std::size_t column_named(const std::string& name, const std::string& key) const;
  void find_columns();
  void find_time();
  [[nodiscard]] bool is_units(std::string_view line) const;
  void choose_blanks(std::string_view row);
  void settle_mark(std::string_view text);
  [[nodiscard]] double number(std::string_view line, const Cell& cell);
  [[noreturn]] void fail_cell(std::string_view line, const Cell& cell, CellKind kind) const;
  [[nodiscard]] double next_time(std::string_view line);
  void check_cells() const;
  void take_row(std::string_view line);

  RowReaderOptions options_;
  std::size_t line_ = 0, rows_ = 0;
  bool begun_ = false;
  Layout layout_;
  bool mark_known_ = false;  // a number with a decimal mark has been seen
  std::vector<Cell> cells_;  // of the line at work
  std::optional<std::size_t> time_at_;
  double time_seconds_ = 1.0;  // in the unit of the times
  std::vector<std::size_t> value_at_;
  std::vector<std::string> units_;
  std::vector<double> values_;
  double time_ = 0.0;
  bool timed_ = false;  // time_ is that of a row
};

bool RowReader::Content::has_all_columns(const Layout& layout) const {
  const std::vector<std::string> names = column_names(layout);
  const auto has = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return (options_.time.empty() || has(options_.time)) &&
         std::all_of(options_.columns.begin(), options_.columns.end(), has);
}

void RowReader::Content::read_header(std::string_view line) {
  bool first = true;
  for (const char separator : separators_in(line)) {
    Layout trial;
    trial.dialect.separator = separator;
    trial.header_line = line_;
    csv::read_names(line, 0, options_.source, trial);
    const bool complete = has_all_columns(trial);
    if (first || complete) layout_ = trial;
    if (complete) break;
    first = false;
  }
  find_columns();
}

std::size_t RowReader::Content::column_named(const std::string& name,
                                             const std::string& key) const {
  const std::vector<std::string> names = column_names(layout_);
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

void RowReader::Content::find_time() {
  time_at_.reset();
  if (!options_.time.empty()) {
    time_at_ = column_named(options_.time, options_.time_key + ": ");
  } else if (options_.step == 0.0) {
    if (!is_time_name(layout_.columns.front().name)) {
      fail(fmt::format("the first column is no time; give {} or {}", options_.time_key,
                       options_.step_key));
    }
    time_at_ = 0;
  }
  if (!time_at_) return;
  const signal::Channel& column = layout_.columns[*time_at_];
  const std::string unit = time_unit(column.name, column.unit);
  const std::optional<double> seconds = seconds_in(unit);
  if (!seconds) {
    fail(fmt::format("the unit {} of the time {} is not known; use s, ms, us, ns, min, h or d",
                     excerpt(unit), excerpt(column.name)));
  }
  time_seconds_ = *seconds;
}

void RowReader::Content::find_columns() {
  find_time();
  value_at_.clear();
  units_.clear();
  for (const std::string& name : options_.columns) {
    value_at_.push_back(column_named(name, ""));
    units_.push_back(layout_.columns[value_at_.back()].unit);
  }
  values_.assign(options_.columns.size(), kNaN);
}

// A line below the names without any number in it, whatever the decimal mark.
bool RowReader::Content::is_units(std::string_view line) const {
  Layout other = layout_;
  other.dialect.decimal_mark = layout_.dialect.decimal_mark == '.' ? ',' : '.';
  return csv::is_line_of_units(line, layout_) && csv::is_line_of_units(line, other);
}

// A header with commas may stand over columns that blanks separate.
void RowReader::Content::choose_blanks(std::string_view row) {
  if (layout_.columns.size() < 2) return;
  csv::split_line(row, layout_.dialect.separator, cells_);
  if (cells_.size() > 1) return;
  csv::split_line(row, csv::kBlanks, cells_);
  if (cells_.size() > 1) layout_.dialect.separator = csv::kBlanks;
}

void RowReader::Content::settle_mark(std::string_view text) {
  for (const char mark : {'.', ','}) {
    if (text.find(mark) == std::string_view::npos) continue;
    if (csv::parse_cell(text, mark).kind != CellKind::Number) continue;
    layout_.dialect.decimal_mark = mark;
    mark_known_ = true;
    return;
  }
}

void RowReader::Content::fail_cell(std::string_view line, const Cell& cell, CellKind kind) const {
  const std::size_t column = static_cast<std::size_t>(cell.begin - line.data()) + 1;
  const char mark = layout_.dialect.decimal_mark;
  const bool other_mark =
      csv::parse_cell(cell.text, mark == '.' ? ',' : '.').kind == CellKind::Number;
  const std::string reason =
      kind == CellKind::OutOfRange ? "beyond the range of a double"
      : kind == CellKind::Number   ? "not finite"
      : other_mark ? fmt::format("not a number; the decimal mark was '{}' before", mark)
                   : "not a number";
  fail(fmt::format("\"{}\" is {}", cell.text, reason), column);
}

double RowReader::Content::number(std::string_view line, const Cell& cell) {
  if (!mark_known_) settle_mark(cell.text);
  if (!cell.closed) fail_cell(line, cell, CellKind::Malformed);
  const CellValue found = csv::parse_cell(cell.text, layout_.dialect.decimal_mark);
  if (found.kind == CellKind::Missing) return kNaN;
  if (found.kind == CellKind::Number && std::isfinite(found.value)) return found.value;
  fail_cell(line, cell, found.kind);
}

double RowReader::Content::next_time(std::string_view line) {
  if (!time_at_) return timed_ ? time_ + options_.step : 0.0;
  double now = number(line, cells_[*time_at_]);
  scale_times(Eigen::Map<Eigen::VectorXd>(&now, 1), time_seconds_);
  if (std::isnan(now)) fail("the row has no time");
  if (rows_ > 0 && !(now > time_)) {
    fail(fmt::format("times must rise, got {} s after {} s", shortest(now), shortest(time_)));
  }
  return now;
}

// Behind the named cells empty ones may follow, as many as the header has.
void RowReader::Content::check_cells() const {
  const std::size_t columns = layout_.columns.size();
  const bool good = cells_.size() >= columns && cells_.size() <= columns + layout_.spare &&
                    std::all_of(cells_.begin() + static_cast<std::ptrdiff_t>(columns), cells_.end(),
                                [](const Cell& cell) { return cell.text.empty(); });
  if (good) return;
  fail(fmt::format("the row has {} cells, the header {}", cells_.size(), columns));
}

void RowReader::Content::take_row(std::string_view line) {
  csv::split_line(line, layout_.dialect.separator, cells_);
  // A row without a time of its own takes its time even if it cannot be read; the others leave no
  // trace then.
  if (!time_at_) time_ = next_time(line), timed_ = true;
  check_cells();
  const double now = time_at_ ? next_time(line) : time_;
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = number(line, cells_[value_at_[i]]);
  time_ = now;
  ++rows_;
}

RowReader::Line RowReader::Content::take(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (layout_.dialect.kind(line) != csv::LineKind::Data) return Line::Blank;
  if (!begun_) {
    read_header(line);
    begun_ = true;
    return Line::Names;
  }
  if (rows_ == 0) {
    choose_blanks(line);
    if (is_units(line)) {
      csv::read_units(line, layout_);
      find_columns();
      return Line::Units;
    }
  }
  take_row(line);
  return Line::Row;
}

RowReader::RowReader(RowReaderOptions options)
    : content_(std::make_unique<Content>(std::move(options))) {}
RowReader::~RowReader() = default;
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;

RowReader::Line RowReader::take(std::string_view line) { return content_->take(line); }
double RowReader::time() const { return content_->time(); }
const std::vector<double>& RowReader::values() const { return content_->values(); }
const std::vector<std::string>& RowReader::units() const { return content_->units(); }
std::size_t RowReader::rows() const { return content_->rows(); }
std::size_t RowReader::lines() const { return content_->lines(); }

}  // namespace alembert::io
