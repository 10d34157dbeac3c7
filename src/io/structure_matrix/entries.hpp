#pragma once

#include <Eigen/SparseCore>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alembert/io/structure_matrix.hpp"
#include "io/file/text_lines.hpp"

namespace alembert::io {

/// A number as Fortran writes it: 1.5D-3 and 1.5-3 too. @throws DataError at the line last read.
[[nodiscard]] double fortran_number(std::string_view word, const TextLines& lines);

/// The words of a line between blanks, tabs and commas.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view line);

/// A repeated field of a Fortran format, as of "(1P,4E20.12)".
struct FortranFields {
  std::size_t count = 1;  ///< fields of a line
  std::size_t width = 0;
};
/// @throws DataError at the line last read unless it is one field of I, E, D, F or G.
[[nodiscard]] FortranFields fortran_fields(std::string_view format, const TextLines& lines);

/// What stands for the triangle that a file does not have.
enum class Halves {
  AsStored,        ///< the file has all entries
  Mirrored,        ///< one triangle, either of them; both are refused
  MirroredIfHalf,  ///< one triangle or all entries
  MirroredMixed    ///< each pair once, above or below the diagonal
};

/// Collects the entries of a square matrix.
class MatrixEntries {
 public:
  /// Adds an entry of rows counted from 0.
  void add(long long row, long long column, double value) {
    entries_.push_back({row, column, value});
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// The matrix of this many rows. @throws DataError at the line last read if a pair stands on both
  /// sides of the diagonal where it must not, or the size is not believable.
  [[nodiscard]] Eigen::SparseMatrix<double> matrix(long long rows, Halves halves,
                                                   const TextLines& lines) const;

 private:
  struct Entry {
    long long row, column;
    double value;
  };
  [[nodiscard]] bool is_half() const;
  void check_pairs(const TextLines& lines) const;

  std::vector<Entry> entries_;
};

/// Entries whose rows have labels.
class LabelledEntries {
 public:
  void add(RowLabel row, RowLabel column, double value);
  /// @throws DataError as MatrixEntries::matrix().
  [[nodiscard]] StructureMatrix matrix(const std::string& name, Halves halves,
                                       const TextLines& lines) const;

 private:
  std::vector<std::pair<std::pair<RowLabel, RowLabel>, double>> entries_;
};

}  // namespace alembert::io
