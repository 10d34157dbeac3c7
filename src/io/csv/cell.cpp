#include "io/csv/cell.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "alembert/core/not_a_number.hpp"
#include "alembert/core/text.hpp"
#include "io/csv/calendar.hpp"

namespace alembert::io::csv {
namespace {

constexpr CellValue kMissing{CellKind::Missing, kNaN};
constexpr CellValue kMalformed{CellKind::Malformed, kNaN};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// What spreadsheets, databases and loggers write where they have no number, in small letters; nan
// in all its forms is known to the parser of numbers, but for those of old C libraries.
constexpr std::array<std::string_view, 16> kMissingMarks{
    "-",       "--",      "---",    "na",   "n/a",  "n.a.",    "#n/a",   "#nv",
    "#div/0!", "#value!", "#wert!", "null", "none", "1.#qnan", "1.#ind", "-1.#ind"};

char small_letter(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool is_missing_mark(std::string_view cell) {
  constexpr std::size_t kLongest = 8;
  if (cell.empty()) return true;
  if (cell.size() > kLongest) return false;
  std::array<char, kLongest> small{};
  std::transform(cell.begin(), cell.end(), small.begin(), small_letter);
  const std::string_view mark(small.data(), cell.size());
  return std::find(kMissingMarks.begin(), kMissingMarks.end(), mark) != kMissingMarks.end();
}

const char* find_separator(const char* from, const char* end, char separator) {
  if (separator == kBlanks) {
    return std::find_if(from, end, is_blank);
  }
  const void* found = std::memchr(from, separator, static_cast<std::size_t>(end - from));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

// The closing quote of the cell whose opening quote stands before `from`, or end.
const char* find_closing_quote(const char* from, const char* end) {
  for (const char* p = from; p != end; ++p) {
    if (*p == '"') {
      if (p + 1 == end || p[1] != '"') {
        return p;
      }
      ++p;
    }
  }
  return end;
}

std::string_view view(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

CellValue parse_cell(std::string_view cell, char decimal_mark) {
  if (is_missing_mark(cell)) {
    return kMissing;
  }
  if (cell.front() == '+') {
    cell.remove_prefix(1);
    if (cell.empty() || cell.front() == '-') {
      return kMalformed;
    }
  }
  // Fortran writes double precision exponents with D.
  std::string with_e;
  const std::size_t exponent = cell.find_first_of("dD");
  if (exponent != std::string_view::npos && exponent > 0 &&
      (is_digit(cell[exponent - 1]) || cell[exponent - 1] == decimal_mark)) {
    with_e = cell;
    with_e[exponent] = 'e';
    cell = with_e;
  }
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  const auto [rest, code] = fast_float::from_chars_advanced(
      cell.data(), end, value, fast_float::parse_options(fast_float::general, decimal_mark));
  if (code == std::errc::invalid_argument || rest != end) {
    return kMalformed;
  }
  if (std::isnan(value)) {
    return kMissing;
  }
  const bool has_digits = is_digit(cell.back()) || cell.back() == decimal_mark;
  return {std::isinf(value) && has_digits ? CellKind::OutOfRange : CellKind::Number, value};
}

CellKind kind_of_cell(std::string_view cell, char decimal_mark) {
  const CellKind kind = parse_cell(cell, decimal_mark).kind;
  return kind == CellKind::Malformed && parse_calendar(cell) ? CellKind::Number : kind;
}

Cell take_cell(const char* begin, const char* end, char separator) {
  begin = skip_blanks(begin, end, separator == kBlanks ? '\0' : separator);
  Cell cell;
  cell.begin = begin;
  if (begin != end && *begin == '"') {
    const char* close = find_closing_quote(begin + 1, end);
    const char* after = close == end ? end : skip_blanks(close + 1, end, separator);
    cell.closed = close != end;
    if (!cell.closed || after == end || *after == separator ||
        (separator == kBlanks && is_blank(*after))) {
      cell.text = view(begin + 1, close);
      cell.next = after;
      cell.quoted = true;
      return cell;
    }
  }
  cell.next = find_separator(begin, end, separator);
  cell.text = trimmed(view(begin, cell.next));
  return cell;
}

void split_line(std::string_view line, char separator, std::vector<Cell>& cells) {
  cells.clear();
  const char* end = line.data() + line.size();
  const char* from = line.data();
  while (true) {
    if (separator == kBlanks) {
      from = std::find_if_not(from, end, is_blank);
      if (from == end) {
        return;
      }
    }
    cells.push_back(take_cell(from, end, separator));
    from = cells.back().next;
    if (from == end) {
      return;
    }
    ++from;
  }
}

std::vector<Cell> split_line(std::string_view line, char separator) {
  std::vector<Cell> cells;
  split_line(line, separator, cells);
  return cells;
}

std::string plain_text(const Cell& cell) {
  std::string text(cell.text);
  if (cell.quoted) {
    for (std::size_t at = text.find("\"\""); at != std::string::npos;
         at = text.find("\"\"", at + 1)) {
      text.erase(at, 1);
    }
  }
  return text;
}

}  // namespace alembert::io::csv
