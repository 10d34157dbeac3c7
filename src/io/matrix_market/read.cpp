#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "alembert/core/text.hpp"
#include "alembert/io/matrix_market.hpp"
#include "io/file/file_content.hpp"
#include "io/file/memory_limit.hpp"
#include "io/file/text_lines.hpp"

namespace alembert::io {

namespace {

enum class MatrixLayout { Coordinate, Array };
enum class Field { Real, Integer, Pattern };
enum class Symmetry { General, Symmetric, SkewSymmetric };

struct Header {
  MatrixLayout layout = MatrixLayout::Coordinate;
  Field field = Field::Real;
  Symmetry symmetry = Symmetry::General;
  long long rows = 0;
  long long columns = 0;
  long long entries = 0;  // announced lines of a coordinate file, counted values of an array
};

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return result;
}

// The next line that holds something.
std::optional<std::string_view> next_content(TextLines& lines) {
  while (const auto line = lines.next()) {
    const std::string_view text = trimmed(*line);
    if (!text.empty() && text.front() != '%') {
      return text;
    }
  }
  return std::nullopt;
}

long long integer_of(std::string_view word, const TextLines& lines, std::string_view what) {
  long long value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end) {
    lines.fail(fmt::format("{} must be an integer, got '{}'", what, word));
  }
  return value;
}

double number_of(std::string_view word, const TextLines& lines, Field field) {
  if (!word.empty() && word.front() == '+') {
    word.remove_prefix(1);
  }
  if (field == Field::Integer) {
    return static_cast<double>(integer_of(word, lines, "entry"));
  }
  double value = 0.0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    lines.fail(fmt::format("entry '{}' is beyond the range of a double", word));
  }
  if (error != std::errc{} || stop != end) {
    lines.fail(fmt::format("entry must be a number, got '{}'", word));
  }
  return value;
}

template <typename Choice>
Choice choice_of(std::string_view word, const TextLines& lines, std::string_view what,
                 std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  const std::string wanted = lower_case(word);
  std::vector<std::string> names;
  for (const auto& [name, choice] : choices) {
    if (wanted == name) {
      return choice;
    }
    names.emplace_back(name);
  }
  lines.fail(fmt::format("{} must be one of {}, got '{}'", what, join(names, ", "), word));
}

// %%MatrixMarket matrix LAYOUT FIELD SYMMETRY
Header read_banner(TextLines& lines) {
  std::string_view line = lines.next().value_or("");
  if (lower_case(take_word(line)) != "%%matrixmarket") {
    throw DataError({.file = lines.file(), .line = 1},
                    "the first line must begin with %%MatrixMarket");
  }
  if (const auto object = take_word(line); lower_case(object) != "matrix") {
    lines.fail(fmt::format("only objects of kind 'matrix' can be read, got '{}'", object));
  }
  Header header;
  header.layout = choice_of<MatrixLayout>(
      take_word(line), lines, "layout",
      {{"coordinate", MatrixLayout::Coordinate}, {"array", MatrixLayout::Array}});
  header.field = choice_of<Field>(take_word(line), lines, "field",
                                  {{"real", Field::Real},
                                   {"double", Field::Real},
                                   {"integer", Field::Integer},
                                   {"pattern", Field::Pattern}});
  header.symmetry = choice_of<Symmetry>(take_word(line), lines, "symmetry",
                                        {{"general", Symmetry::General},
                                         {"symmetric", Symmetry::Symmetric},
                                         {"skew-symmetric", Symmetry::SkewSymmetric}});
  if (header.layout == MatrixLayout::Array && header.field == Field::Pattern) {
    lines.fail("an array cannot be a pattern");
  }
  return header;
}

long long size_of(std::string_view word, const TextLines& lines, std::string_view what) {
  const long long value = integer_of(word, lines, what);
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    lines.fail(
        fmt::format("{} must be in [0, {}], got {}", what, std::numeric_limits<int>::max(), value));
  }
  return value;
}

// Values in the file of an n x n array: all, the lower triangle, or that without its diagonal.
long long array_values(const Header& header) {
  const long long n = header.rows;
  switch (header.symmetry) {
    case Symmetry::Symmetric:
      return n * (n + 1) / 2;
    case Symmetry::SkewSymmetric:
      return n * (n - 1) / 2;
    default:
      return n * header.columns;
  }
}

// ROWS COLUMNS [ENTRIES]. The counts are weighed against the bytes that follow before anything is
// allocated: a value needs a digit and a separator, a coordinate entry at least "1 1" and one.
void read_sizes(TextLines& lines, Header& header) {
  auto line = next_content(lines);
  if (!line) {
    lines.fail("the file ends before the line with the sizes");
  }
  header.rows = size_of(take_word(*line), lines, "number of rows");
  header.columns = size_of(take_word(*line), lines, "number of columns");
  if (header.symmetry != Symmetry::General && header.rows != header.columns) {
    lines.fail(
        fmt::format("a symmetric matrix must be square, got {} x {}", header.rows, header.columns));
  }
  if (header.layout == MatrixLayout::Coordinate) {
    header.entries = integer_of(take_word(*line), lines, "number of entries");
  } else {
    header.entries = array_values(header);
  }
  if (!trimmed(*line).empty()) {
    lines.fail(fmt::format("unexpected text '{}' behind the sizes", trimmed(*line)));
  }
  const long long least = header.layout == MatrixLayout::Array ? 2 : 4;
  const long long room = (static_cast<long long>(lines.bytes_left()) + 1) / least;
  if (header.entries < 0 || header.entries > room) {
    lines.fail(fmt::format("the file announces {} entries, it has room for at most {}",
                           header.entries, room));
  }
}

// Hands every entry (row, column, value), from 0, mirrored ones included, to `add`.
class EntryReader {
 public:
  EntryReader(TextLines& lines, const Header& header) : lines_(lines), header_(header) {}

  template <typename Add>
  void read(const Add& add) {
    if (header_.layout == MatrixLayout::Array) {
      read_array(add);
    } else {
      read_coordinates(add);
    }
    if (const auto extra = next_content(lines_)) {
      lines_.fail(fmt::format("unexpected text '{}' behind the last of {} entries",
                              extra->substr(0, 40), header_.entries));
    }
  }

 private:
  template <typename Add>
  void read_array(const Add& add) {
    const bool whole = header_.symmetry == Symmetry::General;
    const long long below = header_.symmetry == Symmetry::SkewSymmetric ? 1 : 0;
    for (long long j = 0; j < header_.columns; ++j) {
      for (long long i = whole ? 0 : j + below; i < header_.rows; ++i) {
        std::string_view line = entry_line();
        const double value = number_of(take_word(line), lines_, header_.field);
        require_end(line);
        add_mirrored(add, i, j, value);
      }
    }
  }

  template <typename Add>
  void read_coordinates(const Add& add) {
    for (long long entry = 0; entry < header_.entries; ++entry) {
      std::string_view line = entry_line();
      const long long i = index_of(take_word(line), "row", header_.rows);
      const long long j = index_of(take_word(line), "column", header_.columns);
      check_triangle(i, j);
      const double value =
          header_.field == Field::Pattern ? 1.0 : number_of(take_word(line), lines_, header_.field);
      require_end(line);
      add_mirrored(add, i, j, value);
    }
  }

  std::string_view entry_line() {
    const auto line = next_content(lines_);
    if (!line) {
      lines_.fail(
          fmt::format("the file ends after {} of {} entries", entries_seen_, header_.entries));
    }
    ++entries_seen_;
    return *line;
  }

  long long index_of(std::string_view word, std::string_view what, long long size) const {
    const long long index = integer_of(word, lines_, what);
    if (index < 1 || index > size) {
      lines_.fail(fmt::format("{} must be in [1, {}], got {}", what, size, index));
    }
    return index - 1;
  }

  void check_triangle(long long i, long long j) {
    if (header_.symmetry == Symmetry::General || (i == j && !is_skew())) {
      return;
    }
    if (i == j) {
      lines_.fail("a skew-symmetric matrix has no entries on its diagonal");
    }
    (i > j ? lower_seen_ : upper_seen_) = true;
    if (lower_seen_ && upper_seen_) {
      lines_.fail("a symmetric file must give one triangle only, got entries on both sides");
    }
  }

  template <typename Add>
  void add_mirrored(const Add& add, long long i, long long j, double value) const {
    add(i, j, value);
    if (header_.symmetry != Symmetry::General && i != j) {
      add(j, i, is_skew() ? -value : value);
    }
  }

  void require_end(std::string_view line) const {
    if (!trimmed(line).empty()) {
      lines_.fail(fmt::format("unexpected text '{}' behind the entry", trimmed(line)));
    }
  }

  [[nodiscard]] bool is_skew() const { return header_.symmetry == Symmetry::SkewSymmetric; }

  TextLines& lines_;
  const Header& header_;
  long long entries_seen_ = 0;
  bool lower_seen_ = false;
  bool upper_seen_ = false;
};

}  // namespace

Eigen::MatrixXd parse_matrix_market(std::string_view content, const std::string& file,
                                    const ReadLimits& limits) {
  TextLines lines(content, file);
  Header header = read_banner(lines);
  read_sizes(lines, header);
  const bool sparse = header.layout == MatrixLayout::Coordinate;
  if (sparse && header.rows * header.columns > kLargestDenseMatrix) {
    lines.fail(fmt::format("a dense matrix of {} x {} is too large: read this file as sparse",
                           header.rows, header.columns));
  }
  require_room(file, "a matrix", static_cast<std::uintmax_t>(header.rows),
               static_cast<std::uintmax_t>(header.columns), sizeof(double), limits);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(header.rows, header.columns);
  // An array gives each entry once; adding to zero would lose the sign of -0.
  EntryReader(lines, header).read([&](long long i, long long j, double value) {
    matrix(i, j) = sparse ? matrix(i, j) + value : value;
  });
  return matrix;
}

Eigen::SparseMatrix<double> parse_matrix_market_sparse(std::string_view content,
                                                       const std::string& file) {
  TextLines lines(content, file);
  Header header = read_banner(lines);
  read_sizes(lines, header);
  const long long largest = std::max(10'000'000LL, 100 * header.entries);
  if (std::max(header.rows, header.columns) > largest) {
    lines.fail(fmt::format("a size of {} x {} with only {} entries is not believable", header.rows,
                           header.columns, header.entries));
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(header.entries));
  EntryReader(lines, header).read([&](long long i, long long j, double value) {
    entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  });
  Eigen::SparseMatrix<double> matrix(header.rows, header.columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::MatrixXd read_matrix_market(const std::filesystem::path& file, const ReadLimits& limits) {
  return read_within_memory(
      file, [&] { return parse_matrix_market(read_content(file, limits), file.string(), limits); });
}

Eigen::SparseMatrix<double> read_matrix_market_sparse(const std::filesystem::path& file) {
  return parse_matrix_market_sparse(read_content(file), file.string());
}

}  // namespace alembert::io
