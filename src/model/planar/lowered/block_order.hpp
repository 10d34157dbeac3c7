#pragma once

#include <vector>

namespace alembert::model::planar {

/// A part of a system that is solved at once, after those before it.
struct SolveBlock {
  std::vector<int> rows, columns;  ///< as many of each

  [[nodiscard]] int size() const { return static_cast<int>(rows.size()); }
};

/// The block lower triangular form of a square pattern, with the smallest blocks that there are:
/// a matching of rows and columns, then the strong components of what depends on what.
/// @param pattern [row][column]: whether there is an entry.
/// @return empty if the pattern is singular whatever the entries.
[[nodiscard]] std::vector<SolveBlock> block_order(const std::vector<std::vector<bool>>& pattern);

}  // namespace alembert::model::planar
