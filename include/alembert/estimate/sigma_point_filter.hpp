#pragma once

#include <utility>

#include "alembert/estimate/detail/covariance_update.hpp"
#include "alembert/estimate/detail/sampled_filter.hpp"

namespace alembert::estimate {

/// Sigma-point filter with the covariance P, for any set of points.
///
///   X_i = x + chol(P) χ_i
///   predict: Y_i = f(u, X_i),  x⁻ = Σ a_i Y_i,  P⁻ = Σ c_i δY_i δY_iᵀ + Q
///   update:  points redrawn from x⁻, P⁻;  Z_i = h(u, X_i),  S = Σ c_i δZ_i δZ_iᵀ + R,
///            C = Σ c_i δX_i δZ_iᵀ,  K = C S⁻¹,  P = P⁻ - K S Kᵀ
///
/// Count is the number of points, or Dynamic.
template <FilterModel Model, int Count = Eigen::Dynamic>
class SigmaPointFilter
    : public SampledFilter<SigmaPointFilter<Model, Count>, Model, Count, Form::Covariance> {
  using Sampled = SampledFilter<SigmaPointFilter, Model, Count, Form::Covariance>;
  friend FilterBase<SigmaPointFilter, Model, Form::Covariance>;

 public:
  using typename Sampled::Input;
  using typename Sampled::Kernel;
  using typename Sampled::OutputNoise;
  using typename Sampled::ProcessNoise;
  using typename Sampled::State;
  using typename Sampled::StateMatrix;

  /// @throws InvalidInput if the set is not for the model's states or has not Count points, the
  /// sizes are not the model's, the covariance is not one, or an option is out of range.
  SigmaPointFilter(Model model, const State& mean, const StateMatrix& covariance,
                   const SigmaPoints& set, const SigmaPointOptions& options = {})
      : Sampled(std::move(model), mean, covariance, set, options),
        dX_(at_),
        factor_(posterior_),
        cross_(Cross::Zero(states_of(model_), outputs_of(model_))) {}

 private:
  using T = typename Sampled::Scalar;
  using Cross = typename ModelTypes<Model>::Cross;
  using Sampled::at_;
  using Sampled::belief_;
  using Sampled::correction_;
  using Sampled::count;
  using Sampled::model_;
  using Sampled::next_;
  using Sampled::posterior_;
  using Sampled::unit_;
  using Sampled::weights_;
  using Sampled::Y_;
  using Sampled::Z_;

  /// δX = chol(P) χ, X = x + δX; false if P is indefinite.
  [[nodiscard]] bool draw() noexcept {
    const auto n = states_of(model_);
    factor_ = belief_.spread;
    if (!kernels::cholesky(factor_, n, kernels::Pivots::NonNegative)) return false;
    kernels::lower_product(factor_, unit_, dX_, n, count());
    for (int k = 0; k < count(); ++k) {
      for (int i = 0; i < n; ++i) at_(i, k) = belief_.mean(i) + dX_(i, k);
    }
    return true;
  }

  Status propagate(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    if (!draw()) return Status::Indefinite;
    this->map_states(u);
    // P⁻ = Σ c_i δY_i δY_iᵀ + Q
    posterior_ = q.covariance();
    kernels::add_product(Y_, weights_, Y_, posterior_, n, n, count());
    kernels::mirror_lower(posterior_, n);
    const Status status = judge_prediction(next_, posterior_, n);
    if (status != Status::Success || kernel == nullptr) return status;
    return backward(q, *kernel) ? Status::Success : Status::Indefinite;
  }

  /// G = C (P⁻)⁻¹, spread Σ c_i (δX - G δY)(δX - G δY)ᵀ + G Q Gᵀ.
  bool backward(const ProcessNoise& q, Kernel& kernel) noexcept {
    const auto n = states_of(model_);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) kernel.gain(i, j) = T(0);
    }
    kernels::add_product(dX_, weights_, Y_, kernel.gain, n, n, count());
    kernel.spread = posterior_;
    if (!backward_gain(kernel.gain, kernel.spread, n)) return false;
    for (int k = 0; k < count(); ++k) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) dX_(i, k) -= kernel.gain(i, j) * Y_(j, k);
      }
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) kernel.spread(i, j) = T(0);
    }
    kernels::add_product(dX_, weights_, dX_, kernel.spread, n, n, count());
    add_congruent(kernel.spread, kernel.gain, q.covariance(), factor_, n);
    kernels::mirror_lower(kernel.spread, n);
    return true;
  }

  Status expect(const Input& u) noexcept {
    if (!draw()) return Status::Indefinite;
    this->map_outputs(u);
    return Status::Success;
  }

  /// Moves the rows of the outputs in use to the top.
  void compress(const Innovation<T, Sampled::kM>& innovation, int m) noexcept {
    for (int i = 0; i < m; ++i) {
      const int row = innovation.row(i, m);
      for (int k = 0; k < count(); ++k) Z_(i, k) = Z_(row, k);
    }
  }

  template <typename Size>
  UpdateReport correct(Innovation<T, Sampled::kM>& innovation, const Gate& gate,
                       const OutputNoise& r, Size m) noexcept {
    const auto n = states_of(model_);
    for (int b = 0; b < m; ++b) {
      for (int a = 0; a < m; ++a) {
        innovation.factor(a, b) = r.covariance()(innovation.row(a, m), innovation.row(b, m));
      }
      for (int i = 0; i < n; ++i) cross_(i, b) = T(0);
    }
    if constexpr (std::is_same_v<Size, int>) compress(innovation, m);
    kernels::add_product(Z_, weights_, Z_, innovation.factor, m, m, count());
    kernels::add_product(dX_, weights_, Z_, cross_, n, m, count());
    posterior_ = belief_.spread;
    return condition(innovation, gate, cross_, correction_, posterior_, n, m);
  }

  typename Sampled::Points dX_;
  StateMatrix factor_;
  Cross cross_;
};

}  // namespace alembert::estimate
