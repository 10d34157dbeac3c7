#pragma once

#include <utility>

#include "alembert/estimate/detail/covariance_update.hpp"
#include "alembert/estimate/detail/linearised_filter.hpp"

namespace alembert::estimate {

/// Extended and iterated extended Kalman filter with the covariance P.
///
///   predict: x⁻ = f(u, x),  P⁻ = F P Fᵀ + Q
///   update:  S = H P⁻ Hᵀ + R,  K = P⁻ Hᵀ S⁻¹,  x = x⁻ + K(z - h(x⁻)),  P = P⁻ - K S Kᵀ
template <LinearisableModel Model>
class Ekf : public LinearisedFilter<Ekf<Model>, Model, Form::Covariance> {
  using Linearised = LinearisedFilter<Ekf, Model, Form::Covariance>;
  friend FilterBase<Ekf, Model, Form::Covariance>;

 public:
  using typename Linearised::Input;
  using typename Linearised::Kernel;
  using typename Linearised::OutputNoise;
  using typename Linearised::ProcessNoise;
  using typename Linearised::State;
  using typename Linearised::StateMatrix;

  /// @throws InvalidInput if the sizes are not the model's, the covariance is not one, or an
  /// option is out of range.
  Ekf(Model model, const State& mean, const StateMatrix& covariance, const EkfOptions& options = {})
      : Linearised(std::move(model), mean, covariance, options),
        work_(StateMatrix::Zero(states_of(model_), states_of(model_))),
        cross_(Cross::Zero(states_of(model_), outputs_of(model_))) {}

 private:
  using T = typename Linearised::Scalar;
  using Cross = typename ModelTypes<Model>::Cross;
  using Linearised::belief_;
  using Linearised::correction_;
  using Linearised::F_;
  using Linearised::H_;
  using Linearised::model_;
  using Linearised::next_;
  using Linearised::posterior_;

  Status propagate(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    const StateMatrix& P = belief_.spread;
    this->linearise_process(u);
    // work = F P
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) work_(i, j) = T(0);
      for (int k = 0; k < n; ++k) {
        for (int i = 0; i < n; ++i) work_(i, j) += F_(i, k) * P(k, j);
      }
    }
    // P⁻ = F P Fᵀ + Q
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) posterior_(i, j) = q.covariance()(i, j);
      for (int k = 0; k < n; ++k) {
        for (int i = j; i < n; ++i) posterior_(i, j) += work_(i, k) * F_(j, k);
      }
    }
    kernels::mirror_lower(posterior_, n);
    const Status status = judge_prediction(next_, posterior_, n);
    if (status != Status::Success || kernel == nullptr) return status;
    return backward(q, *kernel) ? Status::Success : Status::Indefinite;
  }

  /// G = P Fᵀ (P⁻)⁻¹, spread (I - G F) P (I - G F)ᵀ + G Q Gᵀ.
  bool backward(const ProcessNoise& q, Kernel& kernel) noexcept {
    const auto n = states_of(model_);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) kernel.gain(i, j) = work_(j, i);
    }
    kernel.spread = posterior_;
    if (!backward_gain(kernel.gain, kernel.spread, n)) return false;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        kernel.spread(i, j) = T(0);
        work_(i, j) = i == j ? T(1) : T(0);
        for (int k = 0; k < n; ++k) work_(i, j) -= kernel.gain(i, k) * F_(k, j);
      }
    }
    add_congruent(kernel.spread, work_, belief_.spread, F_, n);
    add_congruent(kernel.spread, kernel.gain, q.covariance(), F_, n);
    kernels::mirror_lower(kernel.spread, n);
    return true;
  }

  /// (H P Hᵀ + R)_ii
  [[nodiscard]] T output_variance(int row, const OutputNoise& r) const noexcept {
    const auto n = states_of(model_);
    T variance = r.covariance()(row, row);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) variance += H_(row, i) * belief_.spread(i, j) * H_(row, j);
    }
    return variance;
  }

  /// Fills C = P Hᵀ and S = H C + R for the outputs in use and conditions on them.
  template <typename Size>
  UpdateReport correct(Innovation<T, Linearised::kM>& innovation, const Gate& gate,
                       const OutputNoise& r, Size m) noexcept {
    const auto n = states_of(model_);
    const StateMatrix& P = belief_.spread;
    for (int k = 0; k < m; ++k) {
      const int row = innovation.row(k, m);
      for (int i = 0; i < n; ++i) cross_(i, k) = T(0);
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) cross_(i, k) += P(i, j) * H_(row, j);
      }
    }
    for (int b = 0; b < m; ++b) {
      for (int a = b; a < m; ++a) {
        const int row = innovation.row(a, m);
        T sum = r.covariance()(row, innovation.row(b, m));
        for (int i = 0; i < n; ++i) sum += H_(row, i) * cross_(i, b);
        innovation.factor(a, b) = sum;
      }
    }
    posterior_ = P;
    return condition(innovation, gate, cross_, correction_, posterior_, n, m);
  }

  StateMatrix work_;
  Cross cross_;
};

}  // namespace alembert::estimate
