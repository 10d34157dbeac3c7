#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Cells of a text table.
namespace alembert::io::csv {

/// The separator that stands for any run of blanks and tabs.
inline constexpr char kBlanks = ' ';

enum class CellKind { Number, Missing, Malformed, OutOfRange };

struct CellValue {
  CellKind kind = CellKind::Missing;
  double value = 0.0;  ///< NaN where missing
};

/// Reads a trimmed cell without quotes: a decimal number (leading +, exponent e, E, d or D,
/// inf), or one of the marks of a missing sample.
[[nodiscard]] CellValue parse_cell(std::string_view cell, char decimal_mark);

/// The same, where a date or a time of day counts as a number too: for telling rows from headers.
[[nodiscard]] CellKind kind_of_cell(std::string_view cell, char decimal_mark);

/// One cell of a line.
struct Cell {
  std::string_view text;        ///< trimmed, without the outer quotes; "" in quotes still doubled
  const char* begin = nullptr;  ///< first letter, the quote included
  const char* next = nullptr;   ///< the separator after it, or the end of the line
  bool quoted = false;
  bool closed = true;  ///< false for a quote that the line does not close
};

/// The cell that starts at begin.
[[nodiscard]] Cell take_cell(const char* begin, const char* end, char separator);

/// All cells of a line; a separator at the end gives an empty last cell.
[[nodiscard]] std::vector<Cell> split_line(std::string_view line, char separator);
/// The same into cells whose memory is used again.
void split_line(std::string_view line, char separator, std::vector<Cell>& cells);

/// The text of a cell with doubled quotes undone.
[[nodiscard]] std::string plain_text(const Cell& cell);

inline bool is_blank(char letter) { return letter == ' ' || letter == '\t'; }

/// The first character that is not a blank, or is the separator.
inline const char* skip_blanks(const char* from, const char* end, char separator) {
  while (from != end && is_blank(*from) && *from != separator) {
    ++from;
  }
  return from;
}

}  // namespace alembert::io::csv
