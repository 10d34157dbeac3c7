#include <algorithm>
#include <array>
#include <utility>

#include "io/csv/cell.hpp"
#include "io/csv/layout.hpp"

namespace alembert::io::csv {
namespace {

using Marks = std::pair<char, char>;  // separator, decimal mark

// In the order of preference: where two explain the sample equally well, the first is taken.
// A comma between numbers is a separator rather than a decimal mark.
constexpr std::array<Marks, 8> kMarks{{{';', '.'},
                                       {';', ','},
                                       {'\t', '.'},
                                       {'\t', ','},
                                       {',', '.'},
                                       {kBlanks, '.'},
                                       {kBlanks, ','},
                                       {',', ','}}};  // decimal commas in quoted cells

struct Score {
  int rows = 0;     // lines with several cells, all of them numbers or missing
  int numbers = 0;  // numbers in lines with several cells

  bool operator>(const Score& other) const {
    return rows != other.rows ? rows > other.rows : numbers > other.numbers;
  }
};

Score score(const std::vector<std::string_view>& sample, const Marks& marks) {
  Score result;
  for (const std::string_view line : sample) {
    const std::vector<Cell> cells = split_line(line, marks.first);
    const bool same = marks.first == marks.second && line.find('"') == std::string_view::npos;
    if (cells.size() < 2 || same) {
      continue;
    }
    int numbers = 0;
    bool clean = true;
    for (const Cell& cell : cells) {
      const CellKind kind = kind_of_cell(cell.text, marks.second);
      numbers += kind == CellKind::Number ? 1 : 0;
      clean = clean && kind != CellKind::Malformed;
    }
    result.numbers += numbers;
    result.rows += clean && numbers > 0 ? 1 : 0;
  }
  return result;
}

bool occurs(const std::vector<std::string_view>& sample, char letter) {
  return std::any_of(sample.begin(), sample.end(), [letter](std::string_view line) {
    return line.find(letter) != std::string_view::npos;
  });
}

// For lines without any number, or with one each: the first candidate that stands in them.
char separator_without_rows(const std::vector<std::string_view>& sample, char decimal_mark) {
  for (const char separator : {';', '\t', ','}) {
    if (occurs(sample, separator) && separator != decimal_mark) {
      return separator;
    }
  }
  return ';';
}

}  // namespace

void choose_marks(const std::vector<std::string_view>& sample, const CsvOptions& options,
                  Dialect& dialect) {
  Marks best{separator_without_rows(sample, options.decimal_mark), '.'};
  Score best_score;
  for (const Marks& marks : kMarks) {
    if ((options.separator != '\0' && options.separator != marks.first) ||
        (options.decimal_mark != '\0' && options.decimal_mark != marks.second)) {
      continue;
    }
    const Score candidate = score(sample, marks);
    if (candidate > best_score) {
      best = marks;
      best_score = candidate;
    }
  }
  dialect.separator = options.separator != '\0' ? options.separator : best.first;
  dialect.decimal_mark = options.decimal_mark != '\0' ? options.decimal_mark : best.second;
}

}  // namespace alembert::io::csv
