#pragma once

#include <utility>

#include "alembert/estimate/covariance_update.hpp"
#include "alembert/estimate/noise.hpp"
#include "alembert/estimate/sigma_points.hpp"
#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

/// Options of the sigma-point filters.
struct SigmaPointOptions {
  GateOptions gate = {};
};

/// Takes angles to the branch nearest to that of the first column, so that linear means and
/// differences are those on the circle; right while the points span less than half a turn.
template <typename Matrix, typename IsAngle, typename Size>
void unwrap_rows(Matrix& values, const IsAngle& is_angle, Size rows, int columns) noexcept {
  for (int i = 0; i < rows; ++i) {
    if (!is_angle(i)) continue;
    for (int k = 1; k < columns; ++k) {
      values(i, k) = values(i, 0) + wrap_angle(values(i, k) - values(i, 0));
    }
  }
}

/// Sigma-point filter with the covariance P, for any set of points.
///
///   X_i = x + chol(P) χ_i
///   predict: Y_i = f(u, X_i),  x⁻ = Σ a_i Y_i,  P⁻ = Σ c_i δY_i δY_iᵀ + Q
///   update:  points redrawn from x⁻, P⁻;  Z_i = h(u, X_i),  S = Σ c_i δZ_i δZ_iᵀ + R,
///            C = Σ c_i δX_i δZ_iᵀ,  K = C S⁻¹,  P = P⁻ - K S Kᵀ
///
/// Count is the number of points, or Dynamic. Steps allocate nothing, throw nothing and take
/// bounded time. Outputs that are NaN in z are missing.
template <typename Model, int Count = Eigen::Dynamic>
class SigmaPointFilter {
 public:
  using Types = ModelTypes<Model>;
  using Scalar = typename Types::Scalar;
  using Input = typename Types::Input;
  using State = typename Types::State;
  using Output = typename Types::Output;
  using StateMatrix = typename Types::StateMatrix;
  static constexpr int kN = Types::kN;
  static constexpr int kM = Types::kM;
  using ProcessNoise = Noise<Scalar, kN>;
  using OutputNoise = Noise<Scalar, kM>;
  using Kernel = BackwardKernel<Scalar, kN>;

  /// @throws InvalidInput if the set is not for the model's states or has not Count points, the
  /// sizes are not the model's, the covariance is not one, or an option is out of range.
  SigmaPointFilter(Model model, const State& mean, const StateMatrix& covariance,
                   const SigmaPoints& set, const SigmaPointOptions& options = {})
      : model_(std::move(model)),
        gate_(options.gate, outputs_of(model_)),
        innovation_(outputs_of(model_)) {
    check_points(set, states_of(model_), Count);
    allocate(set);
    set_estimate(mean, covariance);
  }

  /// Starts anew from a mean and covariance. @throws InvalidInput as the constructor.
  void set_estimate(const State& mean, const StateMatrix& covariance) {
    check_estimate(states_of(model_), mean.template cast<double>(),
                   covariance.template cast<double>());
    belief_ = {mean, covariance};
  }

  /// Time update. Status Success, NotFinite or Indefinite; the estimate changes on Success only.
  [[nodiscard]] Status predict(const Input& u, const ProcessNoise& q) noexcept {
    return advance(u, q, nullptr);
  }
  /// The same, and what a smoother needs of it.
  [[nodiscard]] Status predict(const Input& u, const ProcessNoise& q, Kernel& kernel) noexcept {
    return advance(u, q, &kernel);
  }

  /// Measurement update with z, NaN where nothing was measured.
  UpdateReport update(const Input& u, const Output& z, const OutputNoise& r) noexcept {
    if (!draw()) {
      UpdateReport report;
      report.status = Status::Indefinite;
      return report;
    }
    spread_outputs(u);
    innovation_.select(model_, z, y_, outputs_of(model_));
    if (gate_.each_output()) {
      innovation_.gate_each(gate_, [&](int i) { return output_variance(i, r); });
    }
    if (innovation_.count == 0) return {};
    UpdateReport report = innovation_.with_size([&](auto m) { return pass(r, m); });
    if (!report.accepted) return report;
    report.status = commit();
    report.accepted = report.status == Status::Success;
    return report;
  }

  [[nodiscard]] const State& mean() const noexcept { return belief_.mean; }
  [[nodiscard]] const StateMatrix& covariance() const noexcept { return belief_.spread; }
  [[nodiscard]] const Innovation<Scalar, kM>& innovation() const noexcept { return innovation_; }
  [[nodiscard]] const Belief<Scalar, kN>& belief() const noexcept { return belief_; }
  void set_belief(const Belief<Scalar, kN>& belief) noexcept { belief_ = belief; }
  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] Model& model() noexcept { return model_; }

 private:
  using T = Scalar;
  using Points = Eigen::Matrix<T, kN, Count>;
  using OutputPoints = Eigen::Matrix<T, kM, Count>;
  using Weights = Eigen::Matrix<T, Count, 1>;

  [[nodiscard]] auto count() const noexcept { return kernels::extent<Count>(unit_.cols()); }

  void allocate(const SigmaPoints& set) {
    const int n = states_of(model_);
    const int m = outputs_of(model_);
    unit_ = set.points.cast<T>();
    mean_weights_ = set.mean_weights.cast<T>();
    weights_ = set.covariance_weights.cast<T>();
    at_ = dX_ = Y_ = Points::Zero(n, set.count());
    Z_ = OutputPoints::Zero(m, set.count());
    next_ = correction_ = State::Zero(n);
    factor_ = posterior_ = StateMatrix::Zero(n, n);
    y_ = Output::Zero(m);
    cross_ = Types::Cross::Zero(n, m);
  }

  /// X = x + chol(P) χ; false if P is indefinite.
  bool draw() noexcept {
    const auto n = states_of(model_);
    factor_ = belief_.spread;
    if (!kernels::cholesky(factor_, n, kernels::Pivots::NonNegative)) return false;
    kernels::lower_product(factor_, unit_, dX_, n, count());
    for (int k = 0; k < count(); ++k) {
      for (int i = 0; i < n; ++i) at_(i, k) = belief_.mean(i) + dX_(i, k);
    }
    return true;
  }

  Status advance(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    const auto size = static_cast<std::size_t>(int{n});
    if (!draw()) return Status::Indefinite;
    for (int k = 0; k < count(); ++k) {
      model_.process(u, std::span<const T>(&at_(0, k), size), std::span<T>(&Y_(0, k), size));
    }
    if constexpr (kHasStateAngles<Model>) {
      unwrap_rows(
          Y_, [&](int i) { return model_.state_is_angle(i); }, n, count());
    }
    kernels::centre(Y_, mean_weights_, next_, n, count());
    posterior_ = q.covariance();
    kernels::add_product(Y_, weights_, Y_, posterior_, n, n, count());
    kernels::mirror_lower(posterior_, n);
    for (int i = 0; i < n; ++i) {
      if (!std::isfinite(next_(i)) || !std::isfinite(posterior_(i, i))) return Status::NotFinite;
    }
    wrap_state(model_, next_);
    if (kernel != nullptr && !backward(q, *kernel)) return Status::Indefinite;
    belief_.mean = next_;
    belief_.spread = posterior_;
    return Status::Success;
  }

  /// G = C (P⁻)⁻¹, spread Σ c_i (δX - G δY)(δX - G δY)ᵀ + G Q Gᵀ.
  bool backward(const ProcessNoise& q, Kernel& kernel) noexcept {
    const auto n = states_of(model_);
    kernel.mean = belief_.mean;
    kernel.predicted = next_;
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

  /// Output points, their mean in y_, their differences in Z_.
  void spread_outputs(const Input& u) noexcept {
    const auto n = static_cast<std::size_t>(int{states_of(model_)});
    const auto m = outputs_of(model_);
    const auto size = static_cast<std::size_t>(int{m});
    for (int k = 0; k < count(); ++k) {
      model_.output(u, std::span<const T>(&at_(0, k), n), std::span<T>(&Z_(0, k), size));
    }
    if constexpr (kHasOutputAngles<Model>) {
      unwrap_rows(
          Z_, [&](int i) { return model_.output_is_angle(i); }, m, count());
    }
    kernels::centre(Z_, mean_weights_, y_, m, count());
  }

  T output_variance(int row, const OutputNoise& r) const noexcept {
    T variance = r.covariance()(row, row);
    for (int k = 0; k < count(); ++k) variance += weights_(k) * Z_(row, k) * Z_(row, k);
    return variance;
  }

  /// Moves the rows of the outputs in use to the top.
  void compress(int m) noexcept {
    for (int i = 0; i < m; ++i) {
      const int row = innovation_.row(i, m);
      for (int k = 0; k < count(); ++k) Z_(i, k) = Z_(row, k);
    }
  }

  template <typename Size>
  UpdateReport pass(const OutputNoise& r, Size m) noexcept {
    const auto n = states_of(model_);
    for (int b = 0; b < m; ++b) {
      for (int a = 0; a < m; ++a) {
        innovation_.factor(a, b) = r.covariance()(innovation_.row(a, m), innovation_.row(b, m));
      }
      for (int i = 0; i < n; ++i) cross_(i, b) = T(0);
    }
    if constexpr (std::is_same_v<Size, int>) compress(m);
    kernels::add_product(Z_, weights_, Z_, innovation_.factor, m, m, count());
    kernels::add_product(dX_, weights_, Z_, cross_, n, m, count());
    posterior_ = belief_.spread;
    return condition(innovation_, gate_, cross_, correction_, posterior_, n, m);
  }

  Status commit() noexcept {
    const auto n = states_of(model_);
    if (!kernels::all_finite(correction_, n)) return Status::NotFinite;
    for (int i = 0; i < n; ++i) {
      if (!(posterior_(i, i) >= T(0))) return Status::Indefinite;
    }
    for (int i = 0; i < n; ++i) belief_.mean(i) += correction_(i);
    wrap_state(model_, belief_.mean);
    belief_.spread = posterior_;
    return Status::Success;
  }

  Model model_;
  Gate gate_;
  Belief<T, kN> belief_;
  Innovation<T, kM> innovation_;
  Points unit_, at_, dX_, Y_;
  Weights mean_weights_, weights_;
  OutputPoints Z_;
  State next_, correction_;
  StateMatrix factor_, posterior_;
  Output y_;
  typename Types::Cross cross_;
};

}  // namespace alembert::estimate
