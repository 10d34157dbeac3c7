#include "io/structure_matrix/entries.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "alembert/core/text.hpp"

namespace alembert::io {

double fortran_number(std::string_view word, const TextLines& lines) {
  std::string text(trimmed(word));
  for (char& letter : text) {
    if (letter == 'D' || letter == 'd' || letter == 'E') letter = 'e';
  }
  // An exponent of three digits, and any of Nastran, has no letter.
  const std::size_t sign = text.find_last_of("+-");
  if (sign != std::string::npos && sign > 0 && text[sign - 1] != 'e') text.insert(sign, "e");
  if (const std::size_t plus = text.find("e+"); plus != std::string::npos) text.erase(plus + 1, 1);
  const char* begin = text.data() + (!text.empty() && text.front() == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end || begin == end || !std::isfinite(value)) {
    lines.fail(fmt::format("must be a finite number, got '{}'", trimmed(word)));
  }
  return value;
}

std::vector<std::string_view> split_words(std::string_view line) {
  constexpr const char* kBetween = " \t,";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(kBetween, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

FortranFields fortran_fields(std::string_view format, const TextLines& lines) {
  const auto digit = [&](std::size_t i) {
    return i < format.size() && format[i] >= '0' && format[i] <= '9';
  };
  const std::size_t letter = format.find_first_of("IEDFGiedfg");
  FortranFields fields;
  if (letter != std::string_view::npos && digit(letter + 1)) {
    std::size_t begin = letter;
    while (begin > 0 && digit(begin - 1)) --begin;
    const char* text = format.data();
    std::from_chars(text + begin, text + letter, fields.count);
    std::from_chars(text + letter + 1, text + format.size(), fields.width);
  }
  constexpr std::size_t kMost = 1000;
  if (fields.width == 0 || fields.width > kMost || fields.count == 0 || fields.count > kMost) {
    lines.fail(fmt::format("must be a Fortran format of equal numbers such as (4E20.12), got '{}'",
                           trimmed(format)));
  }
  return fields;
}

bool MatrixEntries::is_half() const {
  const auto below = [](const Entry& one) { return one.row > one.column; };
  const auto above = [](const Entry& one) { return one.row < one.column; };
  return std::none_of(entries_.begin(), entries_.end(), below) ||
         std::none_of(entries_.begin(), entries_.end(), above);
}

void MatrixEntries::check_pairs(const TextLines& lines) const {
  std::set<std::pair<long long, long long>> seen;
  for (const Entry& one : entries_) {
    const auto pair = std::minmax(one.row, one.column);
    if (seen.emplace(pair.first, pair.second).second) continue;
    lines.fail(fmt::format("the entry of rows {} and {} stands twice in a symmetric matrix",
                           pair.first + 1, pair.second + 1));
  }
}

Eigen::SparseMatrix<double> MatrixEntries::matrix(long long rows, Halves halves,
                                                  const TextLines& lines) const {
  const long long believable =
      std::max(10'000'000LL, 100 * static_cast<long long>(entries_.size()));
  if (rows > believable) {
    lines.fail(fmt::format("a size of {} rows with only {} entries is not believable", rows,
                           entries_.size()));
  }
  if (halves == Halves::Mirrored && !is_half()) {
    lines.fail("a symmetric matrix must have one triangle only, got entries on both sides");
  }
  if (halves == Halves::MirroredMixed) check_pairs(lines);
  const bool mirrored = halves == Halves::MirroredIfHalf ? is_half() : halves != Halves::AsStored;
  std::vector<Eigen::Triplet<double>> triplets;
  for (const Entry& one : entries_) {
    const auto row = static_cast<int>(one.row);
    const auto column = static_cast<int>(one.column);
    triplets.emplace_back(row, column, one.value);
    if (mirrored && row != column) triplets.emplace_back(column, row, one.value);
  }
  Eigen::SparseMatrix<double> matrix(rows, rows);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

void LabelledEntries::add(RowLabel row, RowLabel column, double value) {
  entries_.push_back({{row, column}, value});
}

StructureMatrix LabelledEntries::matrix(const std::string& name, Halves halves,
                                        const TextLines& lines) const {
  std::map<RowLabel, long long> index;
  for (const auto& [pair, value] : entries_) {
    index.emplace(pair.first, 0);
    index.emplace(pair.second, 0);
  }
  StructureMatrix found{.name = name, .values = {}};
  for (auto& [label, number] : index) {
    number = static_cast<long long>(found.labels.size());
    found.labels.push_back(label);
  }
  MatrixEntries entries;
  for (const auto& [pair, value] : entries_) {
    entries.add(index[pair.first], index[pair.second], value);
  }
  found.values = entries.matrix(static_cast<long long>(index.size()), halves, lines);
  return found;
}

Eigen::SparseMatrix<double> with_rows_of(const StructureMatrix& matrix,
                                         const std::vector<RowLabel>& labels) {
  std::vector<int> place;
  for (const RowLabel& label : matrix.labels) {
    place.push_back(
        static_cast<int>(std::lower_bound(labels.begin(), labels.end(), label) - labels.begin()));
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index c = 0; c < matrix.values.outerSize(); ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator one(matrix.values, c); one; ++one) {
      entries.emplace_back(place[static_cast<std::size_t>(one.row())],
                           place[static_cast<std::size_t>(c)], one.value());
    }
  }
  const auto size = static_cast<Eigen::Index>(labels.size());
  Eigen::SparseMatrix<double> larger(size, size);
  larger.setFromTriplets(entries.begin(), entries.end());
  return larger;
}

}  // namespace alembert::io
