#pragma once

#include <utility>

#include "alembert/estimate/covariance_update.hpp"
#include "alembert/estimate/noise.hpp"
#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

/// Options of the extended filters.
struct EkfOptions {
  /// Linearisations of the output in one update: 1 is the extended Kalman filter, more the
  /// iterated one (Gauss-Newton). Bounds the time of a step.
  int iterations = 1;
  /// The iteration ends when no state moves by more than this times its standard deviation.
  double tolerance = 1e-6;
  GateOptions gate = {};
};

/// @throws InvalidInput unless iterations >= 1 and tolerance >= 0.
void check_options(const EkfOptions& options);

/// Extended and iterated extended Kalman filter with the covariance P.
///
///   predict: x⁻ = f(u, x),  P⁻ = F P Fᵀ + Q
///   update:  S = H P⁻ Hᵀ + R,  K = P⁻ Hᵀ S⁻¹,  x = x⁻ + K(z - h(x⁻)),  P = P⁻ - K S Kᵀ
///   iterated: x_{i+1} = x⁻ + K_i (z - h(x_i) - H_i (x⁻ - x_i))
///
/// Steps allocate nothing, throw nothing and take bounded time. Outputs that are NaN in z are
/// missing. Vectors and noises must have the model's sizes.
template <typename Model>
class Ekf {
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

  /// @throws InvalidInput if the sizes are not the model's, the covariance is not one, or an
  /// option is out of range.
  Ekf(Model model, const State& mean, const StateMatrix& covariance, const EkfOptions& options = {})
      : model_(std::move(model)),
        linear_(model_),
        options_(options),
        gate_(options.gate, outputs_of(model_)),
        innovation_(outputs_of(model_)),
        trial_(outputs_of(model_)) {
    check_options(options);
    allocate();
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
    linear_.output(model_, u, belief_.mean, y_, H_);
    innovation_.select(model_, z, y_, outputs_of(model_));
    if (gate_.each_output()) {
      innovation_.gate_each(gate_, [&](int i) { return output_variance(i, r); });
    }
    if (innovation_.count == 0) return {};
    UpdateReport report =
        innovation_.with_size([&](auto m) { return pass(innovation_, gate_, r, m); });
    if (!report.accepted) return report;
    for (int i = 1; i < options_.iterations; ++i) {
      if (!iterate(u, z, r, report)) break;
    }
    if (report.status == Status::Success) report.status = commit();
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

  void allocate() {
    const int n = states_of(model_);
    const int m = outputs_of(model_);
    next_ = correction_ = State::Zero(n);
    F_ = work_ = posterior_ = StateMatrix::Zero(n, n);
    y_ = Output::Zero(m);
    H_ = Types::OutputJacobian::Zero(m, n);
    cross_ = Types::Cross::Zero(n, m);
  }

  Status advance(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    const StateMatrix& P = belief_.spread;
    linear_.process(model_, u, belief_.mean, next_, F_);
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
    for (int i = 0; i < n; ++i) {
      if (!std::isfinite(next_(i)) || !std::isfinite(posterior_(i, i))) return Status::NotFinite;
      if (posterior_(i, i) < T(0)) return Status::Indefinite;
    }
    wrap_state(model_, next_);
    if (kernel != nullptr && !backward(q, *kernel)) return Status::Indefinite;
    belief_.mean = next_;
    belief_.spread = posterior_;
    return Status::Success;
  }

  /// G = P Fᵀ (P⁻)⁻¹, spread (I - G F) P (I - G F)ᵀ + G Q Gᵀ.
  bool backward(const ProcessNoise& q, Kernel& kernel) noexcept {
    const auto n = states_of(model_);
    kernel.mean = belief_.mean;
    kernel.predicted = next_;
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

  T output_variance(int row, const OutputNoise& r) const noexcept {
    const auto n = states_of(model_);
    T variance = r.covariance()(row, row);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) variance += H_(row, i) * belief_.spread(i, j) * H_(row, j);
    }
    return variance;
  }

  /// Fills C = P Hᵀ and S = H C + R for the outputs in use and conditions on them.
  template <typename Size>
  UpdateReport pass(Innovation<T, kM>& innovation, const Gate& gate, const OutputNoise& r,
                    Size m) noexcept {
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

  /// One more linearisation at x⁻ + δ; false when the iteration is over.
  bool iterate(const Input& u, const Output& z, const OutputNoise& r,
               UpdateReport& report) noexcept {
    const auto n = states_of(model_);
    next_ = correction_;
    for (int i = 0; i < n; ++i) next_(i) += belief_.mean(i);
    linear_.output(model_, u, next_, y_, H_);
    const int m = outputs_of(model_);
    // z - h(x_i) - H_i (x⁻ - x_i)
    trial_.select(model_, z, y_, m);
    trial_.keep_rows(innovation_);
    for (int k = 0; k < trial_.count; ++k) {
      const int row = trial_.row(k, m);
      for (int j = 0; j < n; ++j) trial_.values(k) += H_(row, j) * correction_(j);
    }
    next_ = correction_;
    const UpdateReport again =
        trial_.with_size([&](auto size) { return pass(trial_, open_, r, size); });
    if (again.status != Status::Success) {
      report.status = again.status;
      return false;
    }
    bool moved = false;
    for (int i = 0; i < n; ++i) {
      const T step = correction_(i) - next_(i);
      const T tolerance = static_cast<T>(options_.tolerance);
      moved = moved || step * step > tolerance * tolerance * posterior_(i, i);
    }
    return moved;
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
  Linearisation<Model> linear_;
  EkfOptions options_;
  Gate gate_;
  Gate open_{GateOptions{}, 1};
  Belief<T, kN> belief_;
  Innovation<T, kM> innovation_;
  Innovation<T, kM> trial_;
  State next_, correction_;
  StateMatrix F_, work_, posterior_;
  Output y_;
  typename Types::OutputJacobian H_;
  typename Types::Cross cross_;
};

}  // namespace alembert::estimate
