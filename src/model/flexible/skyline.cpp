#include "model/flexible/skyline.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::model::flexible {
namespace {

// The matrix is symmetric, so that row i of the lower part may stand as column i of the upper one,
// whose entries follow each other in memory.
double dot(const double* a, const double* b, int from, int to) {
  double sum = 0.0;
  for (int k = from; k < to; ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

bool factor_skyline(const std::vector<int>& row_start, Eigen::MatrixXd& A) noexcept {
  const auto n = static_cast<int>(A.cols());
  for (int i = 0; i < n; ++i) {
    double* row = A.data() + static_cast<long>(i) * A.rows();
    const int first = row_start[static_cast<std::size_t>(i)];
    for (int j = first; j < i; ++j) {
      const double* other = A.data() + static_cast<long>(j) * A.rows();
      const int from = std::max(first, row_start[static_cast<std::size_t>(j)]);
      row[j] = (row[j] - dot(row, other, from, j)) * other[j];
    }
    const double pivot = row[i] - dot(row, row, first, i);
    if (!(pivot > 0.0)) return false;
    row[i] = 1.0 / std::sqrt(pivot);  // the inverse of the diagonal
  }
  return true;
}

void solve_skyline(const std::vector<int>& row_start, const Eigen::MatrixXd& L,
                   Eigen::VectorXd& b) noexcept {
  const auto n = static_cast<int>(L.cols());
  for (int i = 0; i < n; ++i) {
    const double* row = L.data() + static_cast<long>(i) * L.rows();
    b(i) = (b(i) - dot(row, b.data(), row_start[static_cast<std::size_t>(i)], i)) * row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* row = L.data() + static_cast<long>(i) * L.rows();
    b(i) *= row[i];
    for (int k = row_start[static_cast<std::size_t>(i)]; k < i; ++k) b(k) -= row[k] * b(i);
  }
}

}  // namespace alembert::model::flexible
