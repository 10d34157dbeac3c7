#pragma once

#include <vector>

namespace alembert::model::planar {

/// LU factors with row pivoting of a small dense matrix, in memory that is asked for once.
class SmallLu {
 public:
  explicit SmallLu(int size = 0);

  /// Entries to fill before factor(), column after column.
  [[nodiscard]] double* data() noexcept { return entries_.data(); }
  /// False if a pivot is not larger than 1e-13 of the largest one.
  [[nodiscard]] bool factor() noexcept;
  /// Overwrites b by the solution.
  void solve(double* b) const noexcept;
  /// The same with the transposed matrix.
  void solve_transposed(double* b) const noexcept;
  /// Sign of the determinant, 0 if singular.
  [[nodiscard]] int sign() const noexcept { return sign_; }
  /// Smallest pivot over the largest, in magnitude: a cheap measure of distance from singularity.
  [[nodiscard]] double pivot_ratio() const noexcept { return pivot_ratio_; }
  [[nodiscard]] int size() const noexcept { return size_; }

 private:
  int size_ = 0;
  int sign_ = 0;
  double pivot_ratio_ = 0.0;
  std::vector<double> entries_;
  std::vector<int> rows_;        // exchanged with row k
  std::vector<double> inverse_;  // of the pivots
};

}  // namespace alembert::model::planar
