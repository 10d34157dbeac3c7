#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "alembert/core/error.hpp"
#include "io/csv/layout.hpp"
#include "io/csv/source.hpp"

namespace alembert::io::csv {

/// The rows of numbers of a table, read in chunks of fixed size by several threads. Row k of the
/// table goes to place k whichever thread reads it, so the result does not depend on them.
class Body {
 public:
  /// Counts the rows. Both arguments must outlive this object. @throws DataError
  Body(const Source& source, const Layout& layout, int threads);

  [[nodiscard]] Eigen::Index rows() const noexcept { return rows_; }

  /// Parses all rows: the number in row k, column c goes to targets[c][k]; a column whose target
  /// is nullptr is skipped and may hold anything. Missing cells give NaN.
  /// @param missing_allowed for each column. @throws DataError
  void parse(const std::vector<double*>& targets, const std::vector<bool>& missing_allowed) const;

  /// Where the cell of a row and column (0-based) stands in the file. @throws DataError
  [[nodiscard]] Place place(Eigen::Index row, std::size_t column) const;

 private:
  struct Chunk {
    std::size_t lines = 0;
    std::size_t rows = 0;
    std::size_t first_line = 0;  ///< 1-based
    std::size_t first_row = 0;
  };
  [[nodiscard]] Lines load(std::size_t chunk) const;
  void count(std::size_t chunk);

  const Source& source_;
  const Layout& layout_;
  int threads_;
  std::vector<Chunk> chunks_;
  Eigen::Index rows_ = 0;
};

}  // namespace alembert::io::csv
