#pragma once

#include <algorithm>

#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

/// The orthogonal arrays that all square-root filters share; only reflections, no downdates.
///
///   time:   qr [ (AS)ᵀ Sᵀ ; E 0 ; Lqᵀ 0 ] = [ S⁻ᵀ Kbᵀ ; 0 Sbᵀ ]
///   update: qr [ (BS)ᵀ Sᵀ ; E 0 ; Lrᵀ 0 ] = [ Szᵀ Ktᵀ ; 0 S⁺ᵀ ]
///
/// with the regressions x⁺ ≈ A x, y ≈ B x of the step and the rows E that they leave over; none for
/// linearised models. The noise, which is triangular, starts the triangle, the other rows are
/// reduced into it. docs/theory/filters.md derives them.
///
/// P is the number of rows above the noise: n for linearised models, more for sigma points.
template <typename T, int N, int M, int P>
class SquareRootArrays {
  static constexpr int kWide =
      N == Eigen::Dynamic || M == Eigen::Dynamic ? Eigen::Dynamic : std::max(N, M);
  static constexpr int kColumns = kernels::sum(kWide, N);

 public:
  SquareRootArrays(int n, int m, int rows)
      : upper_(Upper::Zero(std::max(n, m), std::max(n, m) + n)),
        rows_(Rows::Zero(rows, std::max(n, m) + n)),
        lower_(Square::Zero(n, n)),
        scratch_(Eigen::Matrix<T, M, 1>::Zero(m)) {}

  /// The rows above the noise, to be filled by the filter: n or m columns for (AS)ᵀ, E or (BS)ᵀ, E.
  auto& rows() noexcept { return rows_; }

  /// Number of those rows.
  [[nodiscard]] auto height() const noexcept { return kernels::extent<P>(rows_.rows()); }

  /// Time update from the filled rows: S⁻ into `posterior`; with a kernel also G = Kb (S⁻)⁻¹ and
  /// Sb.
  /// @param spread S. @param noise Lq. @param next x⁻, which must be finite.
  template <typename Spread, typename Factor, typename State, typename Size>
  Status predict(const Spread& spread, const Factor& noise, const State& next, Spread& posterior,
                 BackwardKernel<T, N>* kernel, Size n) noexcept {
    if (kernel != nullptr) append_spread(spread, n, n);
    if (!kernels::all_finite(next, n)) return Status::NotFinite;
    return time(noise, posterior, kernel, n) ? Status::Success : Status::NotFinite;
  }

  /// Update from the filled rows: δ and S⁺ if the report says accepted.
  /// @param spread S. @param noise Lr of all outputs.
  template <typename Spread, typename Factor, int Outputs, typename Correction, typename States,
            typename Size>
  UpdateReport correct(const Spread& spread, const Factor& noise,
                       Innovation<T, Outputs>& innovation, const Gate& gate, Correction& correction,
                       Spread& posterior, States n, Size m) noexcept {
    append_spread(spread, n, m);
    const UpdateReport report = judge(innovation, gate, noise, n, m);
    if (report.accepted) finish(innovation, correction, posterior, n, m);
    return report;
  }

 private:
  using Upper = Eigen::Matrix<T, kWide, kColumns>;
  using Rows = Eigen::Matrix<T, P, kColumns>;
  using Square = Eigen::Matrix<T, N, N>;

  /// Writes Sᵀ and zeros from column `first` on.
  template <typename Spread, typename Size>
  void append_spread(const Spread& spread, Size n, int first) noexcept {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < height(); ++i) {
        rows_(i, first + j) = i <= j && i < n ? spread(j, i) : T(0);
      }
    }
  }

  /// S⁻ into `spread`; with a kernel also G = Kb (S⁻)⁻¹ and Sb. False if not finite.
  template <typename Spread, typename Factor, typename Size>
  bool time(const Factor& noise, Spread& spread, BackwardKernel<T, N>* kernel, Size n) noexcept {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i <= j; ++i) upper_(i, j) = noise(j, i);
      for (int i = j + 1; i < n; ++i) upper_(i, j) = T(0);
      for (int i = 0; kernel != nullptr && i < n; ++i) upper_(i, n + j) = T(0);
    }
    if (kernel == nullptr) {
      kernels::triangularise(upper_, rows_, n, height(), n);
    } else {
      kernels::triangularise(upper_, rows_, n, height(), 2 * n);
    }
    T sum = T(0);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < j; ++i) spread(i, j) = T(0);
      for (int i = j; i < n; ++i) sum += T(0) * (spread(i, j) = upper_(j, i));
    }
    if (!(sum == T(0))) return false;
    if (kernel != nullptr) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) kernel->gain(i, j) = upper_(j, n + i);
      }
      kernels::solve_right(spread, kernel->gain, n, n);
      reduce_rest(kernel->spread, n, n);
    }
    return true;
  }

  /// First part of an update: the innovation's factor and whitened values, and its NIS. The outputs
  /// in use have the columns 0..m-1 of rows().
  template <int Outputs, typename Factor, typename States, typename Size>
  UpdateReport judge(Innovation<T, Outputs>& innovation, const Gate& gate, const Factor& noise,
                     States n, Size m) noexcept {
    if constexpr (std::is_same_v<Size, int>) {
      start_selected(innovation, noise, m);
    } else {
      for (int j = 0; j < m; ++j) {
        for (int i = 0; i <= j; ++i) upper_(i, j) = noise(j, i);
        for (int i = j + 1; i < m; ++i) upper_(i, j) = T(0);
      }
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) upper_(i, m + j) = T(0);
    }
    kernels::triangularise(upper_, rows_, m, height(), m + n);
    UpdateReport report;
    report.used = m;
    for (int j = 0; j < m; ++j) {
      innovation.whitened(j) = innovation.values(j);
      for (int i = j; i < m; ++i) innovation.factor(i, j) = upper_(j, i);
      if (!(upper_(j, j) > T(0))) report.status = Status::Indefinite;
    }
    kernels::solve_lower(innovation.factor, innovation.whitened, m);
    T nis = T(0);
    for (int j = 0; j < m; ++j) nis += innovation.whitened(j) * innovation.whitened(j);
    report.nis = static_cast<double>(nis);
    if (!std::isfinite(nis)) report.status = Status::NotFinite;
    report.accepted = report.status == Status::Success && gate.passes(report.nis, m);
    return report;
  }

  /// Second part: δ = Kt Sz⁻¹ ν and S⁺.
  template <int Outputs, typename Correction, typename Spread, typename States, typename Size>
  void finish(const Innovation<T, Outputs>& innovation, Correction& correction, Spread& spread,
              States n, Size m) noexcept {
    for (int i = 0; i < n; ++i) {
      T sum = T(0);
      for (int k = 0; k < m; ++k) sum += upper_(k, m + i) * innovation.whitened(k);
      correction(i) = sum;
    }
    reduce_rest(spread, n, m);
  }

  /// The noise of some outputs only: selected rows of Lr, which are triangular no more.
  template <int Outputs, typename Factor>
  void start_selected(const Innovation<T, Outputs>& innovation, const Factor& noise,
                      int m) noexcept {
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i) upper_(i, j) = T(0);
    }
    // One row of Lrᵀ at a time by rotations.
    for (int k = 0; k < noise.cols(); ++k) {
      for (int j = 0; j < m; ++j) scratch_(j) = noise(innovation.row(j, m), k);
      for (int q = 0; q < m; ++q) {
        const T a = upper_(q, q);
        const T b = scratch_(q);
        const T norm = std::sqrt(a * a + b * b);
        if (norm == T(0)) continue;
        for (int j = q; j < m; ++j) {
          const T above = upper_(q, j);
          upper_(q, j) = (a * above + b * scratch_(j)) / norm;
          scratch_(j) = (a * scratch_(j) - b * above) / norm;
        }
      }
    }
  }

  /// S with Sᵀ the triangle of the rows' columns from `first` on.
  template <typename Spread, typename Size>
  void reduce_rest(Spread& spread, Size n, int first) noexcept {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) lower_(i, j) = T(0);
    }
    kernels::triangularise(lower_, rows_, n, height(), n, first);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < j; ++i) spread(i, j) = T(0);
      for (int i = j; i < n; ++i) spread(i, j) = lower_(j, i);
    }
  }

  Upper upper_;
  Rows rows_;
  Square lower_;
  Eigen::Matrix<T, M, 1> scratch_;
};

}  // namespace alembert::estimate
