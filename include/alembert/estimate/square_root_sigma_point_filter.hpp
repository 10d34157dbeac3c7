#pragma once

#include <utility>

#include "alembert/estimate/detail/sampled_filter.hpp"
#include "alembert/estimate/detail/square_root_arrays.hpp"

namespace alembert::estimate {

/// How a set of N points in n states leaves its regression residuals: through `complement` rows,
/// N - n - 1 of them, or for large sets point by point.
constexpr bool residuals_by_point(int count) { return count > 64; }

/// Rows of residuals of a set.
constexpr int residual_rows(int n, int count) {
  if (n == Eigen::Dynamic || count == Eigen::Dynamic) return Eigen::Dynamic;
  return residuals_by_point(count) ? count : count - n - 1;
}

/// Sigma-point filter with the lower factor S, P = S Sᵀ, by orthogonal reflections only: no
/// Cholesky factorisation or downdate in a step, and the covariance cannot become indefinite. Same
/// results as SigmaPointFilter up to rounding.
///
/// Needs a set with one set of weights, none negative: spherical simplex, cubature, Gauss-Hermite,
/// and the unscented set with κ >= 0, α = 1, β = 0.
template <FilterModel Model, int Count = Eigen::Dynamic>
class SquareRootSigmaPointFilter : public SampledFilter<SquareRootSigmaPointFilter<Model, Count>,
                                                        Model, Count, Form::SquareRoot> {
  using Sampled = SampledFilter<SquareRootSigmaPointFilter, Model, Count, Form::SquareRoot>;
  friend FilterBase<SquareRootSigmaPointFilter, Model, Form::SquareRoot>;

 public:
  using Sampled::kM;
  using Sampled::kN;
  using typename Sampled::Input;
  using typename Sampled::Kernel;
  using typename Sampled::OutputNoise;
  using typename Sampled::ProcessNoise;
  using typename Sampled::State;
  using typename Sampled::StateMatrix;

  /// @throws InvalidInput if the set has negative weights, is not for the model's states or has not
  /// Count points, the sizes are not the model's, the covariance is not one, or an option is out
  /// of range.
  SquareRootSigmaPointFilter(Model model, const State& mean, const StateMatrix& covariance,
                             const SigmaPoints& set, const SigmaPointOptions& options = {})
      : Sampled(std::move(model), mean, covariance, set, options),
        arrays_(states_of(model_), outputs_of(model_), checked_rows(set)),
        weighted_((set.points * set.mean_weights.asDiagonal()).template cast<T>()) {
    if (residuals_by_point(set.count())) {
      roots_ = set.mean_weights.cwiseSqrt().template cast<T>();
    } else {
      complement_ = complement(set).template cast<T>();
    }
  }

 private:
  using T = typename Sampled::Scalar;
  using Sampled::at_;
  using Sampled::belief_;
  using Sampled::correction_;
  using Sampled::count;
  using Sampled::model_;
  using Sampled::next_;
  using Sampled::posterior_;
  using Sampled::unit_;
  using Sampled::Y_;
  using Sampled::Z_;
  static constexpr int kRest = residual_rows(kN, Count);

  [[nodiscard]] static int checked_rows(const SigmaPoints& set) {
    check_square_root(set);
    return set.states() + residual_rows(set.states(), set.count());
  }

  /// X = x + S χ.
  void draw() noexcept {
    const auto n = states_of(model_);
    kernels::lower_product(belief_.spread, unit_, at_, n, count());
    for (int k = 0; k < count(); ++k) {
      for (int i = 0; i < n; ++i) at_(i, k) += belief_.mean(i);
    }
  }

  Status propagate(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    draw();
    this->map_states(u);
    regress(Y_, n, [](int i) { return i; });
    return arrays_.predict(belief_.spread, q.factor(), next_, posterior_, kernel, n);
  }

  /// Rows of the array from differences V: (AS)ᵀ = Σ w_i χ_i V_iᵀ, then the residuals
  /// E = complement Vᵀ, or √w_i (V_i - A S χ_i)ᵀ point by point.
  template <typename Values, typename Size, typename Row>
  void regress(const Values& values, Size columns, const Row& row) noexcept {
    const auto n = states_of(model_);
    auto& rows = arrays_.rows();
    for (int c = 0; c < columns; ++c) {
      for (int i = 0; i < n; ++i) rows(i, c) = T(0);
      for (int k = 0; k < count(); ++k) {
        const T value = values(row(c), k);
        for (int i = 0; i < n; ++i) rows(i, c) += weighted_(i, k) * value;
      }
      const auto rest = kernels::extent<kRest>(arrays_.height() - n);
      if (residuals_by_point(count())) {
        for (int k = 0; k < rest; ++k) {
          T residual = values(row(c), k);
          for (int i = 0; i < n; ++i) residual -= rows(i, c) * unit_(i, k);
          rows(n + k, c) = roots_(k) * residual;
        }
      } else {
        for (int e = 0; e < rest; ++e) {
          T sum = T(0);
          for (int k = 0; k < count(); ++k) sum += complement_(e, k) * values(row(c), k);
          rows(n + e, c) = sum;
        }
      }
    }
  }

  Status expect(const Input& u) noexcept {
    draw();
    this->map_outputs(u);
    return Status::Success;
  }

  template <typename Size>
  UpdateReport correct(Innovation<T, kM>& innovation, const Gate& gate, const OutputNoise& r,
                       Size m) noexcept {
    const auto n = states_of(model_);
    regress(Z_, m, [&](int i) { return innovation.row(i, m); });
    return arrays_.correct(belief_.spread, r.factor(), innovation, gate, correction_, posterior_, n,
                           m);
  }

  SquareRootArrays<T, kN, kM, kernels::sum(kN, kRest)> arrays_;
  typename Sampled::Points weighted_;          // w_i χ_i
  Eigen::Matrix<T, Eigen::Dynamic, 1> roots_;  // of the weights, only for large sets
  Eigen::Matrix<T, kRest == Count ? Eigen::Dynamic : kRest, Count> complement_;  // for others
};

}  // namespace alembert::estimate
