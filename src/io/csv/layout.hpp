#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/csv.hpp"
#include "io/csv/notes.hpp"
#include "io/csv/source.hpp"

/// What the first lines of a text table say about the rest.
namespace alembert::io::csv {

enum class LineKind { Blank, Comment, Data };

/// How lines and cells are told apart.
struct Dialect {
  char terminator = '\n';  ///< '\r' for files without any line feed
  char separator = ',';
  char decimal_mark = '.';
  std::string comment;  ///< "": any of # % //

  /// What a line (without its terminator) is.
  [[nodiscard]] LineKind kind(std::string_view line) const;
  /// The comment without its mark.
  [[nodiscard]] std::string_view comment_text(std::string_view line) const;
};

/// A column of times of day or of dates with times, and that of the dates where they stand apart.
struct CalendarColumns {
  std::size_t time = 0;
  std::optional<std::size_t> date = {};
  std::int64_t first_day = 0;  ///< of the first row: times count from its midnight
};

/// The columns of a table and where its numbers begin.
struct Layout {
  Dialect dialect;
  std::vector<signal::Channel> columns;
  std::size_t spare = 1;        ///< cells without name that may follow in each row, if empty
  std::size_t header_line = 0;  ///< 1-based; 0 without header
  std::size_t body_offset = 0;  ///< byte where the first line after the header starts
  std::size_t body_line = 1;    ///< its number
  std::optional<CalendarColumns> calendar = {};
  Notes notes;
};

/// Cuts the first line off the text and returns it without its end.
[[nodiscard]] std::string_view take_line(std::string_view& text, char terminator);

/// Looks at the beginning of the source, skips a byte-order mark, and finds the layout.
/// @throws DataError for an empty, binary or UTF-16 file, or one without a row of numbers.
[[nodiscard]] Layout find_layout(Source& source, const CsvOptions& options);

/// Separator and decimal mark that make most of the sample lines rows of numbers; what the
/// options fix is kept.
void choose_marks(const std::vector<std::string_view>& sample, const CsvOptions& options,
                  Dialect& dialect);

}  // namespace alembert::io::csv
