#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/estimate/noise.hpp"
#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

/// Which noise a NoiseAdapter estimates.
struct AdaptOptions {
  int window = 50;       ///< steps that are averaged
  bool process = true;   ///< estimate variances of Q
  bool outputs = false;  ///< estimate variances of R
  /// States whose variance in Q is estimated; empty: all.
  std::vector<int> states = {};
  /// Keep the shape of Q, which need not be diagonal, and estimate one factor of it: the mean over
  /// `states` of the ratios of estimated to given variance. The shape may differ from step to step
  /// if the caller multiplies it by level() himself. States without variance do not count.
  bool scale = false;
  /// Smallest and largest variances, as multiples of the first ones (smallest and largest factor,
  /// with `scale`); an estimate outside is set to the bound.
  double floor = 1e-6;
  double ceiling = 1e6;  ///< likewise, from above
  /// n₀ below, >= 0: samples of the window that the first R counts for.
  double output_trust = 0.0;
};

/// @throws InvalidInput unless window >= 2, 0 < floor <= 1 <= ceiling, output_trust >= 0 and the
/// states are in [0, n).
void check_options(const AdaptOptions& options, int n);

/// Variances of diagonal Q and R (or a factor of Q) on a sliding window, from the filter's own
/// estimates (docs/theory/filters.md, section 7). With the correction δ = x⁺ - x⁻ and the residual
/// ε = z - h(x⁺) = R S⁻¹ν a step says
///
///   Q̂_k = δ_k δ_kᵀ + P⁺_k - (P⁻_k - Q_k),  R̂_k = ε_k ε_kᵀ + H P⁺_k Hᵀ = R (S⁻¹ννᵀS⁻¹ - S⁻¹) R + R
///
/// where P⁻ - Q stands for the F P Fᵀ of this very step, so the rule holds for sigma points too.
/// Q becomes the mean over the window, R (n₀ R₀ + Σ R̂_k)/(n₀ + window): the first R₀ counts for n₀
/// steps. R̂ is never negative, and close to R where S is far above R: readings that say little of
/// their noise change it little.
///
/// Nothing is changed before the window is full of real samples, and estimates outside the bounds
/// are set to them.
///
/// Q and R together are at one's own risk: both rules look at the size of the innovations alone,
/// and a larger R with a smaller Q explains it as well.
///
/// Use: after predict() call predicted(filter, q), after update() updated(filter, report, q, r).
/// No allocation and no exception after construction.
template <typename T, int N, int M>
class NoiseAdapter {
 public:
  /// @throws InvalidInput if an option is out of range.
  NoiseAdapter(const Noise<T, N>& q, const Noise<T, M>& r, const AdaptOptions& options = {})
      : options_(options),
        q_first_(q.covariance().diagonal()),
        r_first_(r.covariance().diagonal()),
        column_(r_first_),
        mean_(Eigen::Matrix<T, N, 1>::Zero(q.size())),
        base_(mean_),
        adapted_(static_cast<std::size_t>(q.size()), options.states.empty() ? 1 : 0) {
    check_options(options, q.size());
    for (const int state : options.states) adapted_[static_cast<std::size_t>(state)] = 1;
    const auto window = static_cast<std::size_t>(options.window);
    q_samples_.assign(window * static_cast<std::size_t>(q.size()), T(0));
    r_samples_.assign(static_cast<std::size_t>(r.size()), Samples{std::vector<T>(window, T(0))});
  }

  /// Notes the prediction: x⁻ and the diagonal of P⁻ - Q.
  template <typename Filter>
  void predicted(const Filter& filter, const Noise<T, N>& q) noexcept {
    mean_ = filter.mean();
    for (int i = 0; i < q.size(); ++i) base_(i) = filter.variance(i) - q.covariance()(i, i);
  }

  /// Takes the update in and sets the variances. Steps whose update was not accepted are left out.
  template <typename Filter>
  void updated(const Filter& filter, const UpdateReport& report, Noise<T, N>& q,
               Noise<T, M>& r) noexcept {
    if (!report.accepted) return;
    if (options_.process) adapt_process(filter, q);
    if (options_.outputs) adapt_outputs(filter.innovation(), r);
  }

  /// The factor of Q found so far, with `scale`; 1 at first.
  [[nodiscard]] T level() const noexcept { return level_; }

 private:
  struct Samples {
    std::vector<T> values;  // a ring
    std::size_t total = 0;
  };

  template <typename Filter>
  void adapt_process(const Filter& filter, Noise<T, N>& q) noexcept {
    const std::size_t place = q_total_++ % static_cast<std::size_t>(options_.window);
    for (int i = 0; i < q.size(); ++i) {
      T change = filter.mean()(i) - mean_(i);
      if (state_is_angle(filter.model(), i)) change = wrap_angle(change);
      // δ² + P⁺ - (P⁻ - Q), with `scale` as a multiple of the first Q
      T& sample =
          q_samples_[place * static_cast<std::size_t>(q.size()) + static_cast<std::size_t>(i)];
      sample = change * change + filter.variance(i) - base_(i);
      if (options_.scale) sample *= level_ * kernels::inverse_or_zero(q.covariance()(i, i));
    }
    if (q_total_ < static_cast<std::size_t>(options_.window)) return;
    if (options_.scale) {
      rescale(q);
    } else {
      for (int i = 0; i < q.size(); ++i) {
        if (adapted(i)) q.set_variance(i, bounded(window_mean(i, q.size()), q_first_(i)));
      }
    }
  }

  [[nodiscard]] bool adapted(int state) const noexcept {
    return adapted_[static_cast<std::size_t>(state)] != 0;
  }

  [[nodiscard]] T window_mean(int state, int n) const noexcept {
    T sum = T(0);
    for (std::size_t k = static_cast<std::size_t>(state); k < q_samples_.size();
         k += static_cast<std::size_t>(n)) {
      sum += q_samples_[k];
    }
    return sum / static_cast<T>(options_.window);
  }

  void rescale(Noise<T, N>& q) noexcept {
    T levels = T(0);
    int count = 0;
    for (int i = 0; i < q.size(); ++i) {
      if (!adapted(i) || q.covariance()(i, i) == T(0)) continue;
      levels += bounded(window_mean(i, q.size()), T(1));
      ++count;
    }
    if (count == 0) return;
    const T level = levels / static_cast<T>(count);
    q.scale(level / level_);
    level_ = level;
  }

  void adapt_outputs(const Innovation<T, M>& innovation, Noise<T, M>& r) noexcept {
    const int m = innovation.count;
    for (int k = 0; k < m; ++k) {
      // u = L⁻¹ e_k, so that (S⁻¹)_kk = uᵀu and (S⁻¹ν)_k = uᵀ L⁻¹ν; zero above k
      T precision = T(0), pull = T(0);
      for (int i = k; i < m; ++i) {
        T sum = i == k ? T(1) : T(0);
        for (int j = k; j < i; ++j) sum -= innovation.factor(i, j) * column_(j);
        column_(i) = sum / innovation.factor(i, i);
        precision += column_(i) * column_(i);
        pull += column_(i) * innovation.whitened(i);
      }
      const int row = innovation.rows[static_cast<std::size_t>(k)];
      Samples& samples = r_samples_[static_cast<std::size_t>(row)];
      const T variance = r.covariance()(row, row);
      // ε² + (H P⁺ Hᵀ)_kk = R + R² ((S⁻¹ν)_k² - (S⁻¹)_kk)
      samples.values[samples.total++ % samples.values.size()] =
          variance + variance * variance * (pull * pull - precision);
      if (samples.total >= samples.values.size()) r.set_variance(row, likely_variance(row));
    }
  }

  // (n₀ R₀ + Σ R̂_k)/(n₀ + window)
  [[nodiscard]] T likely_variance(int row) const noexcept {
    const T first = r_first_(row);
    const auto trust = static_cast<T>(options_.output_trust);
    T sum = trust * first;
    for (const T one : r_samples_[static_cast<std::size_t>(row)].values) sum += one;
    return bounded(sum / (trust + static_cast<T>(options_.window)), first);
  }

  [[nodiscard]] T bounded(T level, T first) const noexcept {
    return std::clamp(level, static_cast<T>(options_.floor) * first,
                      static_cast<T>(options_.ceiling) * first);
  }

  AdaptOptions options_;
  Eigen::Matrix<T, N, 1> q_first_;
  Eigen::Matrix<T, M, 1> r_first_, column_;
  Eigen::Matrix<T, N, 1> mean_, base_;
  std::vector<char> adapted_;
  std::vector<T> q_samples_;  // a ring of n values
  std::size_t q_total_ = 0;
  T level_ = T(1);
  std::vector<Samples> r_samples_;  // each output has its own clock
};

}  // namespace alembert::estimate
