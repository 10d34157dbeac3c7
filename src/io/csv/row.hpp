#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv/cell.hpp"
#include "io/csv/layout.hpp"
#include "io/csv/number.hpp"

namespace alembert::io::csv {

/// Parses rows of numbers into columns. One object serves all threads.
class RowParser {
 public:
  /// See Body::parse. The references must outlive this object.
  RowParser(const std::string& file, const Layout& layout, const std::vector<double*>& targets,
            const std::vector<bool>& missing_allowed);

  /// Parses one line (not blank, no comment) as row `row` of the columns.
  /// @param readable memory around the line that may be read. @throws DataError
  void parse(std::string_view line, std::size_t number, std::size_t row,
             std::string_view readable) const;

 private:
  struct Line;  // the line at work

  template <bool blanks, char mark>
  void parse_cells(const Line& line) const;
  template <bool blanks, char mark>
  [[nodiscard]] const char* parse_number(const Line& line, const char* from,
                                         std::size_t column) const;
  const char* parse_any(const Line& line, const char* from, std::size_t column) const;
  template <bool blanks>
  void check_rest(const Line& line, const char* from) const;
  [[noreturn]] void fail(const Line& line, const char* at, const std::string& reason) const;
  [[noreturn]] void fail_count(const Line& line) const;
  [[noreturn]] void fail_cell(const Line& line, const Cell& cell, CellKind kind,
                              std::size_t column) const;

  const std::string& file_;
  const Layout& layout_;
  const std::vector<double*>& targets_;
  const std::vector<bool>& missing_allowed_;
  char separator_;
  char decimal_mark_;
  Separators separators_{};
};

}  // namespace alembert::io::csv
