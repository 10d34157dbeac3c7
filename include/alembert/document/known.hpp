#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <limits>
#include <vector>

/// Entries of a result that may not be there. A method that failed leaves what it did not reach
/// empty: writers ask here and never trust a size. What is missing is NaN, which tables show as
/// "-" and files as null.
namespace alembert::document {

/// Stands where a number is not known.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// An entry, kMissing beyond the ends.
[[nodiscard]] inline double entry(const Eigen::VectorXd& values, Eigen::Index i) {
  return i >= 0 && i < values.size() ? values(i) : kMissing;
}

/// The same of a matrix.
[[nodiscard]] inline double entry(const Eigen::MatrixXd& values, Eigen::Index i, Eigen::Index j) {
  const bool known = i >= 0 && i < values.rows() && j >= 0 && j < values.cols();
  return known ? values(i, j) : kMissing;
}

/// Column j with so many rows, NaN where the matrix has none.
[[nodiscard]] inline Eigen::VectorXd column(const Eigen::MatrixXd& values, Eigen::Index j,
                                            Eigen::Index rows) {
  Eigen::VectorXd found = Eigen::VectorXd::Constant(rows, kMissing);
  if (j < 0 || j >= values.cols()) return found;
  const Eigen::Index known = rows < values.rows() ? rows : values.rows();
  found.head(known) = values.col(j).head(known);
  return found;
}

/// Item i of a list, nullptr if there is none.
template <typename Item>
[[nodiscard]] const Item* item(const std::vector<Item>& items, std::size_t i) {
  return i < items.size() ? &items[i] : nullptr;
}

}  // namespace alembert::document
