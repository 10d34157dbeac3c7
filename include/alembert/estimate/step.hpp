#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/estimate/angle.hpp"
#include "alembert/estimate/model.hpp"

/// What the steps of all filters share: gates, missing outputs, reports.
namespace alembert::estimate {

/// When a measurement is taken for an outlier and left out.
struct GateOptions {
  /// A measurement passes if its NIS is below the χ² value of this probability; 1: all pass.
  double probability = 1.0;
  /// Judge each output alone, by its own innovation and variance, and drop single outputs; false:
  /// all outputs of a step together.
  bool each_output = true;
};

/// χ² limits for 1..m outputs, computed beforehand.
class Gate {
 public:
  /// @throws InvalidInput unless 0 < probability <= 1.
  Gate(const GateOptions& options, int outputs);

  [[nodiscard]] bool each_output() const noexcept { return options_.each_output && active(); }
  /// Whether a measurement of `count` outputs with this NIS is used.
  [[nodiscard]] bool passes(double nis, int count) const noexcept {
    return each_output() || !active() || nis <= limits_[static_cast<std::size_t>(count)];
  }
  /// Whether a single output is used, for the rule of each_output.
  [[nodiscard]] bool output_passes(double innovation, double variance) const noexcept {
    return innovation * innovation <= limits_[1] * variance;
  }

 private:
  [[nodiscard]] bool active() const noexcept { return options_.probability < 1.0; }

  GateOptions options_;
  std::vector<double> limits_;
};

/// What an update did. Unless `status` is Success the estimate is as it was before.
struct [[nodiscard]] UpdateReport {
  Status status = Status::Success;  ///< or NotFinite, Indefinite
  bool accepted = false;            ///< false: gated out, or nothing was measured
  int used = 0;                     ///< outputs that entered
  int rejected = 0;                 ///< outputs that the gate kept out
  double nis = 0.0;                 ///< normalised innovation squared of these, νᵀ S⁻¹ ν
};

/// How a filter keeps the spread of its estimate: as the covariance P or as its lower factor S,
/// P = S Sᵀ.
enum class Form { Covariance, SquareRoot };

/// A mean and its spread in the form of the filter.
template <typename T, int N>
struct Belief {
  Eigen::Matrix<T, N, 1> mean;
  Eigen::Matrix<T, N, N> spread;
};

/// What a prediction leaves for a smoother: x_k given x_{k+1} is Gaussian with
///   mean + G (x_{k+1} - predicted)   and the spread P_k - G P⁻_{k+1} Gᵀ (or its factor).
template <typename T, int N>
struct BackwardKernel {
  Eigen::Matrix<T, N, 1> mean;
  Eigen::Matrix<T, N, 1> predicted;
  Eigen::Matrix<T, N, N> gain;
  Eigen::Matrix<T, N, N> spread;

  explicit BackwardKernel(int n = N == Eigen::Dynamic ? 0 : N)
      : mean(Eigen::Matrix<T, N, 1>::Zero(n)),
        predicted(Eigen::Matrix<T, N, 1>::Zero(n)),
        gain(Eigen::Matrix<T, N, N>::Zero(n, n)),
        spread(Eigen::Matrix<T, N, N>::Zero(n, n)) {}
};

/// The innovation of the last update, of the outputs that were measured and passed their gate.
template <typename T, int M>
class Innovation {
 public:
  explicit Innovation(int outputs)
      : values(Eigen::Matrix<T, M, 1>::Zero(outputs)),
        whitened(Eigen::Matrix<T, M, 1>::Zero(outputs)),
        factor(Eigen::Matrix<T, M, M>::Zero(outputs, outputs)),
        gated_values(values),
        gated_variances(values) {
    if constexpr (M == Eigen::Dynamic) {
      rows.resize(static_cast<std::size_t>(outputs));
      gated_rows.resize(static_cast<std::size_t>(outputs));
    }
  }

  using Rows =
      std::conditional_t<M == Eigen::Dynamic, std::vector<int>,
                         std::array<int, static_cast<std::size_t>(M == Eigen::Dynamic ? 1 : M)>>;

  int count = 0;                    ///< how many; the first `count` entries below are valid
  Rows rows{};                      ///< which outputs
  Eigen::Matrix<T, M, 1> values;    ///< ν = z - ȳ
  Eigen::Matrix<T, M, 1> whitened;  ///< L⁻¹ ν, standard normal if the filter is consistent
  Eigen::Matrix<T, M, M> factor;    ///< lower L, S = L Lᵀ the covariance of ν

  int absent = 0;  ///< outputs that were measured but for which the model has no value
  int gated = 0;   ///< outputs that failed their own gate; the first so many below are valid
  Rows gated_rows{};
  Eigen::Matrix<T, M, 1> gated_values;     ///< ν
  Eigen::Matrix<T, M, 1> gated_variances;  ///< S_ii

  /// ln p(z | past) = -Σ ln L_ii - |L⁻¹ν|²/2 - (count/2) ln 2π.
  [[nodiscard]] double log_likelihood() const {
    double sum = -0.5 * count * std::log(2.0 * std::numbers::pi);
    for (int i = 0; i < count; ++i) {
      const double e = static_cast<double>(whitened(i));
      sum -= std::log(static_cast<double>(factor(i, i))) + 0.5 * e * e;
    }
    return sum;
  }

  /// Nothing was read.
  void clear() noexcept { count = absent = gated = 0; }

  /// Takes ν of the outputs that are not NaN in z, nor in y.
  template <typename Model, typename Size>
  void select(const Model& model, const Eigen::Matrix<T, M, 1>& z, const Eigen::Matrix<T, M, 1>& y,
              Size m) noexcept {
    clear();
    for (int i = 0; i < m; ++i) {
      if (std::isnan(z(i))) continue;
      T difference = z(i) - y(i);
      if (std::isnan(difference)) {
        ++absent;
        continue;
      }
      if constexpr (kHasOutputAngles<Model>) {
        if (model.output_is_angle(i)) difference = wrap_angle(difference);
      }
      values(count) = difference;
      rows[static_cast<std::size_t>(count++)] = i;
    }
  }

  /// Drops the outputs that fail their own gate; variance(i) is that of output i.
  template <typename Variance>
  void gate_each(const Gate& gate, const Variance& variance) noexcept {
    int kept = 0;
    for (int k = 0; k < count; ++k) {
      const int row = rows[static_cast<std::size_t>(k)];
      const T expected = variance(row);
      if (!gate.output_passes(static_cast<double>(values(k)), static_cast<double>(expected))) {
        gated_rows[static_cast<std::size_t>(gated)] = row;
        gated_values(gated) = values(k);
        gated_variances(gated++) = expected;
        continue;
      }
      values(kept) = values(k);
      rows[static_cast<std::size_t>(kept++)] = row;
    }
    count = kept;
  }

  /// Leaves only the outputs that another innovation uses, which must be some of these.
  void keep_rows(const Innovation& other) noexcept {
    int kept = 0;
    for (int k = 0; k < count && kept < other.count; ++k) {
      const auto at = static_cast<std::size_t>(kept);
      if (rows[static_cast<std::size_t>(k)] != other.rows[at]) continue;
      values(kept++) = values(k);
      rows[at] = other.rows[at];
    }
    count = kept;
  }

  /// Index in the model's outputs of used output k; k itself where the size says that all are used.
  template <typename Size>
  [[nodiscard]] int row(int k, Size) const noexcept {
    if constexpr (std::is_same_v<Size, int>) {
      return rows[static_cast<std::size_t>(k)];
    } else {
      return k;
    }
  }

  /// Calls step(size) with the size a constant where all outputs are used and M is one.
  template <typename Step>
  auto with_size(const Step& step) {
    if constexpr (M != Eigen::Dynamic) {
      if (count == M) return step(kernels::Fixed<M>{});
    }
    return step(count);
  }
};

/// Brings the angles of a state into [-π, π].
template <typename Model, typename State>
void wrap_state(const Model& model, State& x) noexcept {
  if constexpr (kHasStateAngles<Model>) {
    const auto n = states_of(model);
    for (int i = 0; i < n; ++i) {
      if (model.state_is_angle(i)) x(i) = wrap_angle(x(i));
    }
  }
}

}  // namespace alembert::estimate
