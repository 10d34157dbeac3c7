#include "alembert/model/planar/detail/small_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alembert::model::planar {

namespace {

// A pivot below this part of the largest counts as zero.
constexpr double kLeastPivotRatio = 1e-13;

}  // namespace

SmallLu::SmallLu(int size)
    : size_(size),
      entries_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)),
      rows_(static_cast<std::size_t>(size)),
      inverse_(static_cast<std::size_t>(size)) {}

// Columns are contiguous: elimination and both solutions run down columns, without the chains of
// dependent sums that dot products would be.
bool SmallLu::factor() noexcept {
  const int n = size_;
  double* const a = entries_.data();
  double least = 0.0;
  double most = 0.0;
  sign_ = 1;
  for (int k = 0; k < n; ++k) {
    double* const column = a + k * n;
    int best = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    }
    rows_[static_cast<std::size_t>(k)] = best;
    if (best != k) {
      for (int j = 0; j < n; ++j) std::swap(a[j * n + k], a[j * n + best]);
      sign_ = -sign_;
    }
    const double pivot = column[k];
    const double size = std::abs(pivot);
    most = std::max(most, size);
    least = k == 0 ? size : std::min(least, size);
    if (!(size > 0.0)) break;  // also a NaN
    if (pivot < 0.0) sign_ = -sign_;
    const double inverse = inverse_[static_cast<std::size_t>(k)] = 1.0 / pivot;
    for (int i = k + 1; i < n; ++i) column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* const other = a + j * n;
      const double factor = other[k];
      if (factor == 0.0) continue;  // constraints touch two bodies: most entries are zero
      for (int i = k + 1; i < n; ++i) other[i] -= factor * column[i];
    }
  }
  pivot_ratio_ = most > 0.0 ? least / most : 0.0;
  if (pivot_ratio_ > kLeastPivotRatio) return true;
  sign_ = 0;
  return false;
}

void SmallLu::solve(double* b) const noexcept {
  const int n = size_;
  const double* const a = entries_.data();
  for (int k = 0; k < n; ++k) std::swap(b[k], b[rows_[static_cast<std::size_t>(k)]]);
  for (int k = 0; k < n; ++k) {
    const double value = b[k];
    if (value == 0.0) continue;
    for (int i = k + 1; i < n; ++i) b[i] -= value * a[k * n + i];
  }
  for (int k = n - 1; k >= 0; --k) {
    const double value = b[k] *= inverse_[static_cast<std::size_t>(k)];
    if (value == 0.0) continue;
    for (int i = 0; i < k; ++i) b[i] -= value * a[k * n + i];
  }
}

// P A = L U, so Aᵀ x = Uᵀ Lᵀ P x = b.
void SmallLu::solve_transposed(double* b) const noexcept {
  const int n = size_;
  const double* const a = entries_.data();
  for (int k = 0; k < n; ++k) {
    double sum = b[k];
    for (int i = 0; i < k; ++i) sum -= a[k * n + i] * b[i];
    b[k] = sum * inverse_[static_cast<std::size_t>(k)];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int i = k + 1; i < n; ++i) b[k] -= a[k * n + i] * b[i];
  }
  for (int k = n - 1; k >= 0; --k) std::swap(b[k], b[rows_[static_cast<std::size_t>(k)]]);
}

}  // namespace alembert::model::planar
