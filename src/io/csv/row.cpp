#include "io/csv/row.hpp"

#include <fast_float/fast_float.h>
#include <fmt/core.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "io/csv/calendar.hpp"
#include "io/csv/number.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::csv {

struct RowParser::Line {
  const char* begin;
  const char* end;
  bool plain;  // the plain number parser may be used: enough memory around is readable
  std::size_t number;
  std::size_t row;
};

namespace {

// Any finite decimal number, as far as the general parser knows them; returns `from` for others.
template <char mark>
inline const char* parse_long(const char* from, const char* end, double& value) {
  const auto [rest, code] = fast_float::from_chars_advanced(
      from, end, value, fast_float::parse_options(fast_float::general, mark));
  // A branch, so that the next number does not wait for the value of this one.
  if (code != std::errc() || !std::isfinite(value)) [[unlikely]] {
    return from;
  }
  return rest;
}

// Seconds since the midnight before the first row.
CellValue calendar_value(std::string_view text, std::int64_t first_day) {
  const std::optional<CalendarTime> found = parse_calendar(text);
  if (!found || !found->seconds) return {CellKind::Malformed, 0.0};
  const std::int64_t days = found->day.value_or(first_day) - first_day;
  return {CellKind::Number, 86400.0 * static_cast<double>(days) + *found->seconds};
}

}  // namespace

RowParser::RowParser(const std::string& file, const Layout& layout,
                     const std::vector<double*>& targets, const std::vector<bool>& missing_allowed)
    : file_(file),
      layout_(layout),
      targets_(targets),
      missing_allowed_(missing_allowed),
      separator_(layout.dialect.separator),
      decimal_mark_(layout.dialect.decimal_mark) {
  separators_.fill(separator_);
}

void RowParser::parse(std::string_view line, std::size_t number, std::size_t row,
                      std::string_view readable) const {
  const char* end = line.data() + line.size();
  const char* readable_end = readable.data() + readable.size();
  const Line work{
      .begin = line.data(),
      .end = end,
      .plain = line.data() - readable.data() >= kPlainReach && readable_end - end >= kPlainReach,
      .number = number,
      .row = row};
  if (separator_ == kBlanks) {
    decimal_mark_ == '.' ? parse_cells<true, '.'>(work) : parse_cells<true, ','>(work);
  } else {
    decimal_mark_ == '.' ? parse_cells<false, '.'>(work) : parse_cells<false, ','>(work);
  }
}

// The common case: a decimal number, perhaps with blanks around it. Returns the end of the cell.
template <bool blanks, char mark>
inline const char* RowParser::parse_number(const Line& line, const char* from,
                                           std::size_t column) const {
  const char* start = from;
  if (!blanks && from != line.end && is_blank(*from)) {
    start = skip_blanks(from, line.end, separator_);
  }
  double value = 0.0;
  const char* p = line.plain ? parse_plain(start, mark, separators_, value) : nullptr;
  if (p == nullptr) [[unlikely]] {
    p = parse_long<mark>(start, line.end, value);
  }
  if (p != line.end && *p != separator_) [[unlikely]] {
    const char* after = skip_blanks(p, line.end, blanks ? '\0' : separator_);
    const bool ends = after == line.end || (blanks ? after != p : *after == separator_);
    p = ends ? after : start;
  }
  if (p == start) [[unlikely]] {
    return parse_any(line, from, column);
  }
  targets_[column][line.row] = value;
  return p;
}

template <bool blanks, char mark>
void RowParser::parse_cells(const Line& line) const {
  const char* p = line.begin;
  const std::size_t columns = targets_.size();
  for (std::size_t column = 0; column < columns; ++column) {
    if constexpr (blanks) {
      p = skip_blanks(p, line.end, '\0');
      if (p == line.end) {
        fail_count(line);
      }
    } else if (column > 0) {
      if (p == line.end) {
        fail_count(line);
      }
      ++p;
    }
    p = targets_[column] != nullptr ? parse_number<blanks, mark>(line, p, column)
                                    : take_cell(p, line.end, separator_).next;
  }
  check_rest<blanks>(line, p);
}

const char* RowParser::parse_any(const Line& line, const char* from, std::size_t column) const {
  const Cell cell = take_cell(from, line.end, separator_);
  CellValue result =
      cell.closed ? parse_cell(cell.text, decimal_mark_) : CellValue{CellKind::Malformed, 0.0};
  if (result.kind == CellKind::Malformed && layout_.calendar && column == layout_.calendar->time) {
    result = calendar_value(cell.text, layout_.calendar->first_day);
  }
  const bool usable = result.kind == CellKind::Number ||
                      (result.kind == CellKind::Missing && missing_allowed_[column]);
  if (!usable) {
    fail_cell(line, cell, result.kind, column);
  }
  targets_[column][line.row] = result.value;
  return cell.next;
}

// Behind the last column only empty cells may follow, as many as the header has.
template <bool blanks>
void RowParser::check_rest(const Line& line, const char* from) const {
  if (blanks) {
    if (skip_blanks(from, line.end, '\0') != line.end) {
      fail_count(line);
    }
    return;
  }
  for (std::size_t extra = 0; from != line.end; ++extra) {
    const Cell cell = take_cell(from + 1, line.end, separator_);
    if (extra == layout_.spare || !cell.text.empty()) {
      fail_count(line);
    }
    from = cell.next;
  }
}

void RowParser::fail(const Line& line, const char* at, const std::string& reason) const {
  throw DataError(Place{.file = file_,
                        .line = line.number,
                        .column = static_cast<std::size_t>(at - line.begin) + 1},
                  reason);
}

void RowParser::fail_count(const Line& line) const {
  const std::size_t columns = targets_.size();
  const auto cells =
      split_line({line.begin, static_cast<std::size_t>(line.end - line.begin)}, separator_);
  const char* at = cells.size() > columns ? cells[columns].begin : line.end;
  fail(line, at,
       fmt::format("{} cell{} in this line, expected {} ({})", cells.size(),
                   cells.size() == 1 ? "" : "s", columns,
                   layout_.header_line > 0 ? fmt::format("named in line {}", layout_.header_line)
                                           : "as in the lines before"));
}

void RowParser::fail_cell(const Line& line, const Cell& cell, CellKind kind,
                          std::size_t column) const {
  const std::string name = layout_.columns[column].name;
  if (kind == CellKind::Missing) {
    fail(line, cell.begin, fmt::format("the cell is missing (column '{}')", name));
  }
  if (kind == CellKind::OutOfRange) {
    fail(line, cell.begin,
         fmt::format("cell {} is beyond the range of a double (column '{}')", excerpt(cell.text),
                     name));
  }
  const char other = decimal_mark_ == '.' ? ',' : '.';
  const bool other_mark = parse_cell(cell.text, other).kind == CellKind::Number;
  fail(line, cell.begin,
       fmt::format(
           "cell {} is not a number{} (column '{}')", excerpt(cell.text),
           other_mark ? fmt::format("; the decimal mark of this file is '{}'", decimal_mark_) : "",
           name));
}

}  // namespace alembert::io::csv
