#pragma once

#include <utility>

#include "alembert/estimate/detail/linearised_filter.hpp"
#include "alembert/estimate/detail/square_root_arrays.hpp"

namespace alembert::estimate {

/// Extended and iterated extended Kalman filter with the lower factor S, P = S Sᵀ, by orthogonal
/// reflections only: the covariance cannot become indefinite. Same results as Ekf up to rounding.
template <LinearisableModel Model>
class SquareRootEkf : public LinearisedFilter<SquareRootEkf<Model>, Model, Form::SquareRoot> {
  using Linearised = LinearisedFilter<SquareRootEkf, Model, Form::SquareRoot>;
  friend FilterBase<SquareRootEkf, Model, Form::SquareRoot>;

 public:
  using Linearised::kM;
  using Linearised::kN;
  using typename Linearised::Input;
  using typename Linearised::Kernel;
  using typename Linearised::OutputNoise;
  using typename Linearised::ProcessNoise;
  using typename Linearised::State;
  using typename Linearised::StateMatrix;

  /// @throws InvalidInput if the sizes are not the model's, the covariance is not one, or an
  /// option is out of range.
  SquareRootEkf(Model model, const State& mean, const StateMatrix& covariance,
                const EkfOptions& options = {})
      : Linearised(std::move(model), mean, covariance, options),
        arrays_(states_of(model_), outputs_of(model_), states_of(model_)) {}

 private:
  using T = typename Linearised::Scalar;
  using Linearised::belief_;
  using Linearised::correction_;
  using Linearised::F_;
  using Linearised::H_;
  using Linearised::model_;
  using Linearised::next_;
  using Linearised::posterior_;

  /// (J S)_ij for a row i of a Jacobian; S is lower triangular.
  template <typename Jacobian, typename Size>
  [[nodiscard]] T times_factor(const Jacobian& jacobian, int i, int j, Size n) const noexcept {
    T sum = T(0);
    for (int k = j; k < n; ++k) sum += jacobian(i, k) * belief_.spread(k, j);
    return sum;
  }

  Status propagate(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    this->linearise_process(u);
    auto& rows = arrays_.rows();
    // (F S)ᵀ
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) rows(j, i) = times_factor(F_, i, j, n);
    }
    return arrays_.predict(belief_.spread, q.factor(), next_, posterior_, kernel, n);
  }

  /// (H S Sᵀ Hᵀ + R)_ii
  [[nodiscard]] T output_variance(int row, const OutputNoise& r) const noexcept {
    const auto n = states_of(model_);
    T variance = r.covariance()(row, row);
    for (int j = 0; j < n; ++j) {
      const T sum = times_factor(H_, row, j, n);
      variance += sum * sum;
    }
    return variance;
  }

  template <typename Size>
  UpdateReport correct(Innovation<T, kM>& innovation, const Gate& gate, const OutputNoise& r,
                       Size m) noexcept {
    const auto n = states_of(model_);
    auto& rows = arrays_.rows();
    // (H S)ᵀ
    for (int i = 0; i < m; ++i) {
      const int row = innovation.row(i, m);
      for (int j = 0; j < n; ++j) rows(j, i) = times_factor(H_, row, j, n);
    }
    return arrays_.correct(belief_.spread, r.factor(), innovation, gate, correction_, posterior_, n,
                           m);
  }

  SquareRootArrays<T, kN, kM, kN> arrays_;
};

}  // namespace alembert::estimate
