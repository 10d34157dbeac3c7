#pragma once

#include "alembert/estimate/step.hpp"

/// The parts of a step that the plain (covariance) filters share.
namespace alembert::estimate {

/// Conditions a Gaussian on the innovation.
///
///   S = L Lᵀ,  W = C L⁻ᵀ,  e = L⁻¹ ν,  δ = W e,  P⁺ = P - W Wᵀ
///
/// @param cross in: C = cov(x, y), n x m; out: W.
/// @param innovation in: ν and, in `factor`, the lower triangle of S; out: L and e.
/// @param correction out: δ, not added to the mean.
/// @param covariance P, overwritten by P⁺ only if the report says accepted.
template <typename T, int M, typename Cross, typename Correction, typename Covariance,
          typename States, typename Size>
UpdateReport condition(Innovation<T, M>& innovation, const Gate& gate, Cross& cross,
                       Correction& correction, Covariance& covariance, States n, Size m) noexcept {
  UpdateReport report;
  report.used = m;
  for (int i = 0; i < m; ++i) innovation.whitened(i) = innovation.values(i);
  if (!kernels::cholesky(innovation.factor, m, kernels::Pivots::Positive)) {
    report.status = Status::Indefinite;
    if (!kernels::all_finite(innovation.values, m)) report.status = Status::NotFinite;
    return report;
  }
  kernels::solve_lower(innovation.factor, innovation.whitened, m);
  T nis = T(0);
  for (int i = 0; i < m; ++i) nis += innovation.whitened(i) * innovation.whitened(i);
  report.nis = static_cast<double>(nis);
  if (!std::isfinite(nis)) {
    report.status = Status::NotFinite;
    return report;
  }
  if (!gate.passes(report.nis, m)) return report;
  report.accepted = true;
  kernels::solve_right_transposed(innovation.factor, cross, n, m);
  for (int i = 0; i < n; ++i) correction(i) = T(0);
  for (int k = 0; k < m; ++k) {
    const T e = innovation.whitened(k);
    for (int i = 0; i < n; ++i) correction(i) += cross(i, k) * e;
    for (int j = 0; j < n; ++j) {
      const T factor = cross(j, k);
      for (int i = j; i < n; ++i) covariance(i, j) -= cross(i, k) * factor;
    }
  }
  kernels::mirror_lower(covariance, n);
  return report;
}

/// Whether a predicted mean and covariance can be used: NotFinite, or Indefinite for a negative
/// variance.
template <typename State, typename Matrix, typename States>
Status judge_prediction(const State& mean, const Matrix& covariance, States n) noexcept {
  using T = typename Matrix::Scalar;
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(mean(i)) || !std::isfinite(covariance(i, i))) return Status::NotFinite;
    if (covariance(i, i) < T(0)) return Status::Indefinite;
  }
  return Status::Success;
}

/// What a prediction of a plain filter leaves for a smoother: G = C (P⁻)⁻¹, with C = cov(x, x⁺).
/// @param cross in: C; out: G. @param factor in: P⁻; out: its Cholesky factor.
template <typename Matrix, typename States>
bool backward_gain(Matrix& cross, Matrix& factor, States n) noexcept {
  if (!kernels::cholesky(factor, n, kernels::Pivots::NonNegative)) return false;
  kernels::solve_right_transposed(factor, cross, n, n);
  kernels::solve_right(factor, cross, n, n);
  return true;
}

/// a += G B Gᵀ, lower triangle only; b is symmetric.
template <typename Matrix, typename States>
void add_congruent(Matrix& a, const Matrix& g, const Matrix& b, Matrix& work, States n) noexcept {
  using T = typename Matrix::Scalar;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) work(i, j) = T(0);
    for (int k = 0; k < n; ++k) {
      const T factor = b(k, j);
      for (int i = 0; i < n; ++i) work(i, j) += g(i, k) * factor;
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < n; ++k) {
      const T factor = g(j, k);
      for (int i = j; i < n; ++i) a(i, j) += work(i, k) * factor;
    }
  }
}

}  // namespace alembert::estimate
