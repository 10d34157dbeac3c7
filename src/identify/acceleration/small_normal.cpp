#include "identify/acceleration/small_normal.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::identify {

namespace {

// L Lᵀ = S in place (lower triangle, row by row); returns the smallest pivot.
double factorise(std::vector<double>& S, std::size_t n) {
  double smallest = 1.0;
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = S[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= S[j * n + k] * S[j * n + k];
    smallest = std::min(smallest, pivot);
    if (!(pivot >= kSmallestPivot)) return std::isnan(pivot) ? 0.0 : smallest;
    const double root = std::sqrt(pivot);
    S[j * n + j] = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = S[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= S[i * n + k] * S[j * n + k];
      S[i * n + j] = sum / root;
    }
  }
  return smallest;
}

void substitute(const std::vector<double>& L, std::size_t n, std::vector<double>& z) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) z[i] -= L[i * n + k] * z[k];
    z[i] /= L[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) z[i] -= L[k * n + i] * z[k];
    z[i] /= L[i * n + i];
  }
}

}  // namespace

double solve_normal(const Eigen::MatrixXd& H, const Eigen::VectorXd& g, std::size_t used,
                    std::size_t first, double damping, std::vector<double>& delta) {
  const auto at = [](std::size_t k) { return static_cast<Eigen::Index>(k); };
  std::vector<double> scale(used);
  for (std::size_t j = 0; j < used; ++j) {
    const double length = H(at(j), at(j));
    if (!(length > 0.0) || !std::isfinite(length)) return 0.0;
    scale[j] = 1.0 / std::sqrt(length);
  }
  std::vector<double> S(used * used);
  std::vector<double> z(used);
  for (std::size_t j = 0; j < used; ++j) {
    for (std::size_t i = j; i < used; ++i) S[i * used + j] = H(at(i), at(j)) * scale[i] * scale[j];
    if (j >= first) S[j * used + j] += damping;
    z[j] = g(at(j)) * scale[j];
  }
  const double pivot = factorise(S, used);
  if (pivot < kSmallestPivot) return pivot;
  substitute(S, used, z);
  delta.assign(static_cast<std::size_t>(g.size()), 0.0);
  for (std::size_t j = 0; j < used; ++j) delta[j] = z[j] * scale[j];
  return pivot;
}

}  // namespace alembert::identify
