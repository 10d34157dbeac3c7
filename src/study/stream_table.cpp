#include "study/stream_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/csv.hpp"
#include "study/check_keys.hpp"
#include "study/file_columns.hpp"
#include "study/mapped.hpp"
#include "study/read_observe.hpp"
#include "study/read_simulate.hpp"

namespace alembert::study {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kInput = "standard input";

std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "-" || cell == "NA" || cell == "nan" || cell == "NaN" ||
         cell == "NAN";
}

char separator_of(std::string_view header) {
  for (const char c : {'\t', ';', ','}) {
    if (header.find(c) != std::string_view::npos) return c;
  }
  return ',';
}

// A decimal comma is one where the separator leaves it free.
std::optional<double> number_in(std::string_view cell, char separator) {
  std::array<char, 64> copy{};
  if (cell.size() > copy.size()) return std::nullopt;
  std::copy(cell.begin(), cell.end(), copy.begin());
  char* const end = copy.data() + cell.size();
  const bool has_point = cell.find('.') != std::string_view::npos;
  if (separator != ',' && !has_point) std::replace(copy.data(), end, ',', '.');
  const char* const begin = copy.data() + (cell.front() == '+' ? 1 : 0);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Names and units as the reader of files understands them: it is shown a table of one row.
std::vector<signal::Channel> header_channels(std::string text, char separator) {
  const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
  const auto separators =
      static_cast<std::size_t>(std::count(first.begin(), first.end(), separator));
  text += "\n0";
  for (std::size_t i = 0; i < separators; ++i) text += std::string(1, separator) + "0";
  return io::read_csv_text(text + "\n", {.step = 1.0},
                           {.separator = separator,
                            .decimal_mark = '.',
                            .header = io::CsvHeader::Present,
                            .threads = 1},
                           kInput)
      .channels();
}

bool looks_like_time(const std::string& name) {
  return name == "t" || name == "T" || name == "time" || name == "Time";
}

}  // namespace

StreamTable::StreamTable(ObserveStudy& study) : study_(study) {}

void StreamTable::fail(const std::string& reason, std::size_t column) const {
  throw DataError({.file = kInput, .line = line_, .column = column}, reason);
}

void StreamTable::find_time() {
  time_at_.reset();
  const auto names = mapped(columns_, [](const signal::Channel& one) { return one.name; });
  if (!study_.time_column.empty()) {
    const auto found = std::find(names.begin(), names.end(), study_.time_column);
    if (found == names.end()) {
      fail(fmt::format("data.time: no column \"{}\"{}", study_.time_column,
                       suggestion(study_.time_column, names)));
    }
    time_at_ = static_cast<std::size_t>(found - names.begin());
  } else if (study_.step == 0.0) {
    if (!looks_like_time(names.front())) {
      fail("the first column is no time; give data.time or data.step");
    }
    time_at_ = 0;
  }
  if (!time_at_ || columns_[*time_at_].unit.empty()) return;
  const std::optional<double> factor = conversion(columns_[*time_at_].unit, "s");
  if (!factor) fail(fmt::format("column \"{}\" is no time in s", names[*time_at_]));
  time_factor_ = *factor;
}

void StreamTable::find_sensors() {
  sensor_at_.clear();
  const auto names = mapped(columns_, [](const signal::Channel& one) { return one.name; });
  for (std::size_t i = 0; i < study_.columns.size(); ++i) {
    SensorColumn& use = study_.columns[i];
    const auto found = std::find(names.begin(), names.end(), use.column);
    if (found == names.end()) {
      fail(fmt::format("no column \"{}\"{}", use.column, suggestion(use.column, names)));
    }
    sensor_at_.push_back(static_cast<std::size_t>(found - names.begin()));
    use.column_unit = columns_[sensor_at_.back()].unit;
    use.factor = reading_factor(
        {.key = "data.sensors", .column = use.column, .place = {.file = kInput, .line = line_}},
        use, study_.mechanism->description().sensors[i], study_.notes);
  }
  readings_.assign(study_.columns.size(), kMissing);
}

void StreamTable::find_columns(const std::string& text) {
  columns_ = header_channels(text, separator_);
  find_time();
  find_sensors();
}

// A line below the names without any number in it.
bool StreamTable::is_units(const std::vector<std::string_view>& cells) const {
  return std::none_of(cells.begin(), cells.end(),
                      [&](std::string_view cell) {
                        return !cell.empty() && number_in(cell, separator_).has_value();
                      }) &&
         std::any_of(cells.begin(), cells.end(),
                     [](std::string_view cell) { return !is_missing(cell); });
}

double StreamTable::number(std::string_view line, std::string_view cell) const {
  if (is_missing(cell)) return kMissing;
  if (const std::optional<double> value = number_in(cell, separator_)) return *value;
  fail(fmt::format("\"{}\" is not a number", cell),
       static_cast<std::size_t>(cell.data() - line.data()) + 1);
}

double StreamTable::next_time(std::string_view line,
                              const std::vector<std::string_view>& cells) const {
  if (!time_at_) return rows_ == 0 ? 0.0 : time_ + study_.step;
  const double now = time_factor_ * number(line, cells[*time_at_]);
  if (std::isnan(now)) fail("the row has no time");
  if (rows_ > 0 && !(now > time_)) {
    fail(fmt::format("times must rise, got {} s after {} s", shortest(now), shortest(time_)));
  }
  return now;
}

void StreamTable::take_row(std::string_view line, const std::vector<std::string_view>& cells) {
  if (cells.size() != columns_.size()) {
    fail(fmt::format("the row has {} cells, the header {}", cells.size(), columns_.size()));
  }
  time_ = next_time(line, cells);
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    readings_[i] = study_.columns[i].factor * number(line, cells[sensor_at_[i]]);
  }
  ++rows_;
}

StreamTable::Line StreamTable::take(std::string_view line) {
  ++line_;
  const std::string_view text = trimmed(line);
  if (text.empty() || text.front() == '#') return Line::Blank;
  if (!begun_) {
    separator_ = separator_of(text);
    names_ = text;
    find_columns(names_);
    begun_ = true;
    return Line::Names;
  }
  const std::string_view row = line.back() == '\r' ? line.substr(0, line.size() - 1) : line;
  const std::vector<std::string_view> cells = cells_of(row, separator_);
  if (rows_ == 0 && is_units(cells)) {
    find_columns(names_ + "\n" + std::string(row));
    return Line::Units;
  }
  take_row(row, cells);
  return Line::Row;
}

}  // namespace alembert::study
