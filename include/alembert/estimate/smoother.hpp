#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/estimate/detail/covariance_update.hpp"
#include "alembert/estimate/step.hpp"

/// Smoothers. They know nothing of the filter's rule: each prediction leaves a backward kernel, a
/// Gaussian for x_k given x_{k+1}, and smoothing chains these.
namespace alembert::estimate {

/// One step backwards, in place; allocates nothing but in its constructor.
///
///   x̂ = x̂_k + G (x̂_{k+1}ˢ - x⁻_{k+1}),  Pˢ = Pb + G Pˢ_{k+1} Gᵀ,
///   in square-root form Sˢᵀ = qr [ Sˢ_{k+1}ᵀ Gᵀ ; Sbᵀ ].
template <typename Model, Form form>
class BackwardStep {
  using Types = ModelTypes<Model>;
  using T = typename Types::Scalar;
  static constexpr int kN = Types::kN;

 public:
  explicit BackwardStep(const Model& model) {
    const int n = states_of(model);
    difference_ = Types::State::Zero(n);
    upper_ = rows_ = Types::StateMatrix::Zero(n, n);
  }

  void operator()(const Model& model, const BackwardKernel<T, kN>& kernel,
                  Belief<T, kN>& belief) noexcept {
    const auto n = states_of(model);
    for (int i = 0; i < n; ++i) difference_(i) = belief.mean(i) - kernel.predicted(i);
    wrap_state(model, difference_);
    for (int i = 0; i < n; ++i) {
      T sum = kernel.mean(i);
      for (int j = 0; j < n; ++j) sum += kernel.gain(i, j) * difference_(j);
      belief.mean(i) = sum;
    }
    wrap_state(model, belief.mean);
    if constexpr (form == Form::Covariance) {
      upper_ = kernel.spread;
      add_congruent(upper_, kernel.gain, belief.spread, rows_, n);
      kernels::mirror_lower(upper_, n);
      belief.spread = upper_;
    } else {
      reduce(kernel, belief, n);
    }
  }

 private:
  template <typename Size>
  void reduce(const BackwardKernel<T, kN>& kernel, Belief<T, kN>& belief, Size n) noexcept {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        // (G S)ᵀ and Sbᵀ
        T sum = T(0);
        for (int k = i; k < n; ++k) sum += kernel.gain(j, k) * belief.spread(k, i);
        rows_(i, j) = sum;
        upper_(i, j) = i <= j ? kernel.spread(j, i) : T(0);
      }
    }
    kernels::triangularise(upper_, rows_, n, n, n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) belief.spread(i, j) = i >= j ? upper_(j, i) : T(0);
    }
  }

  typename Types::State difference_;
  typename Types::StateMatrix upper_, rows_;
};

/// Rauch-Tung-Striebel smoother: the estimates given all data.
///
/// @param kernels of the predictions from step 0 to 1, ..., N-1 to N.
/// @param filter after the last update, at step N.
/// @return N + 1 beliefs; their spread is of the filter's form (covariance or factor).
template <typename Filter>
std::vector<Belief<typename Filter::Scalar, Filter::kN>> smooth(
    const Filter& filter, std::span<const typename Filter::Kernel> kernels) {
  std::vector<Belief<typename Filter::Scalar, Filter::kN>> beliefs(kernels.size() + 1,
                                                                   filter.belief());
  using Model = std::decay_t<decltype(filter.model())>;
  BackwardStep<Model, Filter::kForm> step(filter.model());
  Belief<typename Filter::Scalar, Filter::kN> belief = filter.belief();
  for (std::size_t k = kernels.size(); k-- > 0;) {
    step(filter.model(), kernels[k], belief);
    beliefs[k] = belief;
  }
  return beliefs;
}

/// Covariance of a belief of the given form.
template <Form form, typename T, int N>
Eigen::Matrix<T, N, N> covariance_of(const Belief<T, N>& belief) {
  if constexpr (form == Form::Covariance) {
    return belief.spread;
  } else {
    return belief.spread * belief.spread.transpose();
  }
}

/// Fixed-lag smoother: after every step the estimate of `lag` steps ago, given the data up to now.
/// Equal to the Rauch-Tung-Striebel smoother of the data so far. A step costs `lag` backward steps,
/// allocates nothing and throws nothing.
///
/// Use it around a filter: predict(u, q, smoother.next_kernel()), update(), then estimate(filter).
template <typename Filter>
class FixedLagSmoother {
 public:
  using Kernel = typename Filter::Kernel;
  using Estimate = Belief<typename Filter::Scalar, Filter::kN>;

  /// @throws InvalidInput unless lag >= 1.
  FixedLagSmoother(const Filter& filter, int lag)
      : step_(filter.model()),
        kernels_(checked(lag), Kernel(states_of(filter.model()))),
        belief_(filter.belief()) {}

  /// The place for the kernel of the next prediction; to be called once for each.
  Kernel& next_kernel() noexcept {
    const std::size_t place = total_++ % kernels_.size();
    return kernels_[place];
  }

  /// How many steps back estimate() reaches: less than `lag` at the start.
  [[nodiscard]] int reach() const noexcept {
    return static_cast<int>(total_ < kernels_.size() ? total_ : kernels_.size());
  }

  /// The estimate reach() steps ago given all data of the filter. Valid until the next call.
  const Estimate& estimate(const Filter& filter) noexcept {
    belief_ = filter.belief();
    for (int back = 1; back <= reach(); ++back) {
      const std::size_t at = total_ - static_cast<std::size_t>(back);
      step_(filter.model(), kernels_[at % kernels_.size()], belief_);
    }
    return belief_;
  }

 private:
  using Model = std::decay_t<decltype(std::declval<const Filter&>().model())>;
  static std::size_t checked(int lag) {
    if (lag < 1) {
      throw InvalidInput(
          {.function = "FixedLagSmoother", .argument = "lag", .rule = "must be >= 1"});
    }
    return static_cast<std::size_t>(lag);
  }

  BackwardStep<Model, Filter::kForm> step_;
  std::vector<Kernel> kernels_;  // a ring
  std::size_t total_ = 0;
  Estimate belief_;
};

}  // namespace alembert::estimate
