#pragma once

#include <Eigen/Core>

/// Places of the entries of symmetric matrices in half vectors.
namespace alembert::identify {

/// Length of the half vector of an n x n matrix.
[[nodiscard]] constexpr Eigen::Index half_size(Eigen::Index n) { return n * (n + 1) / 2; }

/// Place of (row, column) in the half vector; the transposed entry has the same.
[[nodiscard]] constexpr Eigen::Index half_index(Eigen::Index n, Eigen::Index row,
                                                Eigen::Index column) {
  const Eigen::Index low = row < column ? row : column;
  const Eigen::Index high = row < column ? column : row;
  return low * n - low * (low - 1) / 2 + high - low;
}

}  // namespace alembert::identify
