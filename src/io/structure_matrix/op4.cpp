#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "alembert/core/text.hpp"
#include "io/mesh/mesh_numbers.hpp"
#include "io/structure_matrix/entries.hpp"

namespace alembert::io {
namespace {

class Op4Reader {
 public:
  Op4Reader(std::string_view content, const std::string& file) : lines_(content, file) {
    if (content.substr(0, 64).find('\0') != std::string_view::npos) {
      throw DataError({.file = file},
                      "is binary; write it as text (ASSIGN OUTPUT4=..., FORMATTED)");
    }
  }

  std::vector<StructureMatrix> read() {
    std::vector<StructureMatrix> found;
    advance();
    while (line_) found.push_back(read_matrix());
    if (found.empty()) throw DataError({.file = lines_.file()}, "has no matrix");
    return found;
  }

 private:
  // The next line that holds something.
  void advance() {
    do {
      line_ = lines_.next();
    } while (line_ && trimmed(*line_).empty());
  }

  std::string_view part(std::size_t from, std::size_t width) const {
    return from < line_->size() ? trimmed(line_->substr(from, width)) : std::string_view{};
  }

  // Columns, rows (negative: rows beyond 65535), form, type, name and format: 4I8, A8, text.
  StructureMatrix read_matrix() {
    const long long columns = whole_number(part(0, 8), lines_);
    rows_ =
        std::abs(std::clamp(whole_number(part(8, 8), lines_), -2'000'000'000LL, 2'000'000'000LL));
    const long long form = whole_number(part(16, 8), lines_);
    const long long type = whole_number(part(24, 8), lines_);
    StructureMatrix found{.name = std::string(part(32, 8)), .values = {}};
    fields_ = fortran_fields(line_->size() > 40 ? line_->substr(40) : "1P,5E16.9", lines_);
    if (columns != rows_ || rows_ < 1) {
      lines_.fail(fmt::format("\"{}\" must be square, got {} x {}", found.name, rows_, columns));
    }
    if (type != 1 && type != 2) {
      lines_.fail(fmt::format("\"{}\" must be real (1 or 2), got type {}", found.name, type));
    }
    words_each_ = type;
    advance();
    MatrixEntries entries;
    while (read_column(columns, entries)) {
    }
    found.values =
        entries.matrix(rows_, form == 6 ? Halves::MirroredIfHalf : Halves::AsStored, lines_);
    return found;
  }

  // Column, first row (0: sparse) and words; false at the column behind the last.
  bool read_column(long long columns, MatrixEntries& entries) {
    const std::vector<std::string_view> head = line_ ? split_words(*line_) : split_words("");
    if (head.size() != 3) lines_.fail("must be the number of a column, its first row and words");
    const long long column = whole_number(head[0], lines_);
    const long long first = whole_number(head[1], lines_);
    const long long words = whole_number(head[2], lines_);
    advance();
    if (column == columns + 1) {
      (void)read_values();
      return false;
    }
    if (column < 1 || column > columns) {
      lines_.fail(fmt::format("columns count from 1 to {}, got {}", columns, column));
    }
    if (first == 0) {
      while (line_ && split_words(*line_).size() < 3) read_string(column, entries);
    } else {
      add(column, first, words, entries);
    }
    return true;
  }

  // A string of rows below each other: words and row, or both in one number.
  void read_string(long long column, MatrixEntries& entries) {
    const std::vector<std::string_view> head = split_words(*line_);
    if (head.empty()) lines_.fail("must be the words and the first row of a string");
    long long words = whole_number(head[0], lines_);
    long long row = 0;
    if (head.size() == 2) {
      row = whole_number(head[1], lines_);
      words -= 1;
    } else {
      // IS = row + 65536 (words + 1)
      row = words % 65536;
      words = words / 65536 - 1;
    }
    advance();
    add(column, row, words, entries);
  }

  // Programs count a double as one word or as two.
  void add(long long column, long long first, long long words, MatrixEntries& entries) {
    const std::vector<double> values = read_values();
    const auto count = static_cast<long long>(values.size());
    if (count != words && count * words_each_ != words) {
      lines_.fail(
          fmt::format("column {} announces {} words, got {} numbers", column, words, count));
    }
    if (first < 1 || first > rows_ || count > rows_ - first + 1) {
      lines_.fail(
          fmt::format("column {} has rows from {} on, outside 1 to {}", column, first, rows_));
    }
    for (long long i = 0; i < count; ++i) {
      if (values[static_cast<std::size_t>(i)] == 0.0) continue;
      entries.add(first - 1 + i, column - 1, values[static_cast<std::size_t>(i)]);
    }
  }

  // A number has its decimal point among the first columns; the words of a column have none, and
  // the header of a matrix has one in its format behind them.
  [[nodiscard]] bool is_value_line() const {
    return line_ && line_->substr(0, 32).find('.') != std::string_view::npos;
  }

  std::vector<double> read_values() {
    std::vector<double> values;
    for (; is_value_line(); advance()) {
      std::string_view rest = *line_;
      while (!trimmed(rest).empty()) {
        values.push_back(fortran_number(rest.substr(0, fields_.width), lines_));
        rest.remove_prefix(std::min(fields_.width, rest.size()));
      }
    }
    return values;
  }

  TextLines lines_;
  std::optional<std::string_view> line_;
  long long rows_ = 0;
  long long words_each_ = 1;
  FortranFields fields_;
};

}  // namespace

std::vector<StructureMatrix> parse_op4(std::string_view content, const std::string& file) {
  return Op4Reader(content, file).read();
}

}  // namespace alembert::io
