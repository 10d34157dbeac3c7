#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/text.hpp"
#include "io/mesh/mesh_numbers.hpp"
#include "io/structure_matrix/entries.hpp"

namespace alembert::io {
namespace {

RowLabel label_of(std::string_view node, std::string_view direction, const TextLines& lines) {
  const RowLabel label{whole_number(node, lines),
                       static_cast<int>(std::clamp(whole_number(direction, lines), -1LL, 7LL))};
  if (label.direction < 1 || label.direction > 6) {
    lines.fail(fmt::format("directions count from 1 (x) to 6 (rz), got {}", direction));
  }
  return label;
}

long long numbered_row(std::string_view word, const TextLines& lines) {
  const long long row = whole_number(word, lines);
  if (row < 1) lines.fail(fmt::format("rows and columns count from 1, got {}", row));
  constexpr long long kMost = 2'000'000'000;
  if (row > kMost) lines.fail(fmt::format("has row {}, more than can be read", row));
  return row - 1;
}

}  // namespace

StructureMatrix parse_triplets(std::string_view content, const std::string& file) {
  TextLines lines(content, file);
  MatrixEntries numbered;
  LabelledEntries labelled;
  std::size_t form = 0;  // words of each line
  long long rows = 0;
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (text.empty() || text.front() == '*') continue;
    const std::vector<std::string_view> words = split_words(text);
    if (form == 0) form = words.size();
    if ((form != 3 && form != 5) || words.size() != form) {
      lines.fail(
          "must be \"row column value\" or \"node direction node direction value\", as in "
          "the first line");
    }
    const double value = fortran_number(words.back(), lines);
    if (form == 5) {
      labelled.add(label_of(words[0], words[1], lines), label_of(words[2], words[3], lines), value);
      continue;
    }
    const long long row = numbered_row(words[0], lines);
    const long long column = numbered_row(words[1], lines);
    rows = std::max({rows, row + 1, column + 1});
    numbered.add(row, column, value);
  }
  if (form == 0) throw DataError({.file = file}, "has no entries");
  if (form == 5) return labelled.matrix("", Halves::MirroredIfHalf, lines);
  return {.name = "", .values = numbered.matrix(rows, Halves::MirroredIfHalf, lines)};
}

// "12.3": node 12, direction 3; CalculiX writes nothing else in a line.
std::vector<RowLabel> parse_calculix_rows(std::string_view content, const std::string& file) {
  TextLines lines(content, file);
  std::vector<RowLabel> labels;
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (text.empty()) continue;
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) {
      lines.fail(fmt::format("must be a node and its direction such as 12.3, got '{}'", text));
    }
    labels.push_back(label_of(text.substr(0, dot), text.substr(dot + 1), lines));
  }
  return labels;
}

}  // namespace alembert::io
