#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::identify {

/// The columns of a matrix by those that come first: X = X(:, independent) factors.
struct DependentColumns {
  std::vector<int> independent;  ///< columns that no sum of those before them gives
  std::vector<int> zero;         ///< columns of zeros
  Eigen::MatrixXd factors;       ///< independent x all columns; the unit matrix for the first
};

/// Walks through the columns in their order. One that is less than 1e-6 of its size away from the
/// space of those before it depends on them.
[[nodiscard]] DependentColumns dependent_columns(const Eigen::MatrixXd& columns);

}  // namespace alembert::identify
