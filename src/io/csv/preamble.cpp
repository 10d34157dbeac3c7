#include "io/csv/preamble.hpp"

#include <algorithm>

#include "io/csv/cell.hpp"
#include "io/csv/header.hpp"

namespace alembert::io::csv {
namespace {

std::size_t filled_cells(std::string_view line, const Dialect& dialect) {
  std::vector<Cell> cells = split_line(line, dialect.separator);
  while (cells.size() > 1 && cells.back().text.empty()) {
    cells.pop_back();
  }
  return cells.size();
}

// Several numbers or missing samples, nothing else.
bool is_row_of_numbers(std::string_view line, const Dialect& dialect) {
  int numbers = 0;
  for (const Cell& cell : split_line(line, dialect.separator)) {
    const CellKind kind = kind_of_cell(cell.text, dialect.decimal_mark);
    if (kind == CellKind::Malformed) return false;
    numbers += kind == CellKind::Number ? 1 : 0;
  }
  return numbers > 1;
}

}  // namespace

bool has_row(const std::vector<std::string_view>& lines, const Dialect& dialect) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view line) { return is_row_of_numbers(line, dialect); });
}

std::size_t preamble_lines(const std::vector<std::string_view>& lines, const Dialect& dialect) {
  const auto is_header = [&](std::size_t at, std::size_t cells) {
    return is_line_of_words(lines[at], dialect) && filled_cells(lines[at], dialect) == cells;
  };
  std::size_t row = 0;
  while (row + 1 < lines.size() &&
         !(is_row_of_numbers(lines[row], dialect) && is_row_of_numbers(lines[row + 1], dialect))) {
    ++row;
  }
  if (row + 1 >= lines.size() || row < 2) return 0;
  const std::size_t cells = filled_cells(lines[row], dialect);
  if (!is_header(row - 1, cells)) return 0;
  // Settings, `Interval,0.002`, may have as many cells as the rows; names have no number beside.
  const bool settings =
      std::any_of(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(row - 1),
                  [&](std::string_view line) { return !is_line_of_words(line, dialect); });
  if (filled_cells(lines.front(), dialect) == cells && !settings) return 0;
  // The line above the rows may hold the units of the names above it.
  return row >= 3 && is_header(row - 2, cells) ? row - 2 : row - 1;
}

}  // namespace alembert::io::csv
