#pragma once

#include <cstddef>
#include <span>

namespace alembert::benchmark {

/// Hardly any work of its own: what remains is the filter. Pairs of position and velocity; the
/// first m states are measured, with a slight curvature.
template <int N, int M>
struct Bare {
  using Scalar = double;
  struct Input {};
  static constexpr int kStates = N;
  static constexpr int kOutputs = M;

  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    for (std::size_t i = 0; i + 1 < N; i += 2) {
      next[i] = x[i] + 0.01 * x[i + 1];
      next[i + 1] = x[i + 1] - 0.01 * x[i];
    }
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    for (std::size_t i = 0; i < M; ++i) y[i] = x[i] + 0.001 * x[i] * x[i];
  }
};

/// Noise of its steps and readings.
inline constexpr double kBareProcessDeviation = 0.01;
inline constexpr double kBareOutputDeviation = 0.1;

}  // namespace alembert::benchmark
