#pragma once

#include <utility>

#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/square_root_arrays.hpp"

namespace alembert::estimate {

/// Extended and iterated extended Kalman filter with the lower factor S, P = S Sᵀ, by orthogonal
/// reflections only: the covariance cannot become indefinite. Same results as Ekf up to rounding.
template <typename Model>
class SquareRootEkf {
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
  SquareRootEkf(Model model, const State& mean, const StateMatrix& covariance,
                const EkfOptions& options = {})
      : model_(std::move(model)),
        linear_(model_),
        options_(options),
        gate_(options.gate, outputs_of(model_)),
        innovation_(outputs_of(model_)),
        trial_(outputs_of(model_)),
        arrays_(states_of(model_), outputs_of(model_), states_of(model_)) {
    check_options(options);
    const int n = states_of(model_);
    const int m = outputs_of(model_);
    next_ = correction_ = State::Zero(n);
    F_ = posterior_ = StateMatrix::Zero(n, n);
    y_ = Output::Zero(m);
    H_ = Types::OutputJacobian::Zero(m, n);
    set_estimate(mean, covariance);
  }

  /// Starts anew from a mean and covariance. @throws InvalidInput as the constructor.
  void set_estimate(const State& mean, const StateMatrix& covariance) {
    check_estimate(states_of(model_), mean.template cast<double>(),
                   covariance.template cast<double>());
    belief_ = {mean, ProcessNoise::from_covariance(covariance).factor()};
  }

  /// Time update. Status Success or NotFinite; the estimate changes on Success only.
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
  /// S Sᵀ.
  [[nodiscard]] StateMatrix covariance() const {
    return belief_.spread * belief_.spread.transpose();
  }
  /// S.
  [[nodiscard]] const StateMatrix& factor() const noexcept { return belief_.spread; }
  [[nodiscard]] const Innovation<Scalar, kM>& innovation() const noexcept { return innovation_; }
  [[nodiscard]] const Belief<Scalar, kN>& belief() const noexcept { return belief_; }
  void set_belief(const Belief<Scalar, kN>& belief) noexcept { belief_ = belief; }
  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] Model& model() noexcept { return model_; }

 private:
  using T = Scalar;

  Status advance(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    linear_.process(model_, u, belief_.mean, next_, F_);
    auto& rows = arrays_.rows();
    // (F S)ᵀ
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        T sum = T(0);
        for (int k = j; k < n; ++k) sum += F_(i, k) * belief_.spread(k, j);
        rows(j, i) = sum;
      }
    }
    if (kernel != nullptr) arrays_.append_spread(belief_.spread, n, n);
    if (!kernels::all_finite(next_, n)) return Status::NotFinite;
    if (!arrays_.time(q.factor(), posterior_, kernel, n)) return Status::NotFinite;
    wrap_state(model_, next_);
    if (kernel != nullptr) kernel->mean = belief_.mean, kernel->predicted = next_;
    belief_.mean = next_;
    belief_.spread = posterior_;
    return Status::Success;
  }

  T output_variance(int row, const OutputNoise& r) const noexcept {
    const auto n = states_of(model_);
    T variance = r.covariance()(row, row);
    for (int j = 0; j < n; ++j) {
      T sum = T(0);
      for (int k = j; k < n; ++k) sum += H_(row, k) * belief_.spread(k, j);
      variance += sum * sum;
    }
    return variance;
  }

  template <typename Size>
  UpdateReport pass(Innovation<T, kM>& innovation, const Gate& gate, const OutputNoise& r,
                    Size m) noexcept {
    const auto n = states_of(model_);
    auto& rows = arrays_.rows();
    // (H S)ᵀ
    for (int i = 0; i < m; ++i) {
      const int row = innovation.row(i, m);
      for (int j = 0; j < n; ++j) {
        T sum = T(0);
        for (int k = j; k < n; ++k) sum += H_(row, k) * belief_.spread(k, j);
        rows(j, i) = sum;
      }
    }
    arrays_.append_spread(belief_.spread, n, m);
    const UpdateReport report = arrays_.judge(innovation, gate, r.factor(), r.size(), n, m);
    if (report.accepted) arrays_.finish(innovation, correction_, posterior_, n, m);
    return report;
  }

  /// One more linearisation at x⁻ + δ; false when the iteration is over.
  bool iterate(const Input& u, const Output& z, const OutputNoise& r,
               UpdateReport& report) noexcept {
    const auto n = states_of(model_);
    next_ = correction_;
    for (int i = 0; i < n; ++i) next_(i) += belief_.mean(i);
    linear_.output(model_, u, next_, y_, H_);
    trial_.select(model_, z, y_, outputs_of(model_));
    trial_.keep_rows(innovation_);
    // z - h(x_i) - H_i (x⁻ - x_i)
    for (int k = 0; k < trial_.count; ++k) {
      const int row = trial_.rows[static_cast<std::size_t>(k)];
      for (int j = 0; j < n; ++j) trial_.values(k) += H_(row, j) * correction_(j);
    }
    next_ = correction_;
    const UpdateReport again =
        trial_.with_size([&](auto size) { return pass(trial_, open_, r, size); });
    if (again.status != Status::Success) {
      report.status = again.status;
      return false;
    }
    return moved(posterior_);
  }

  /// Whether a state moved by more than the tolerance, δ against the previous one in next_.
  bool moved(const StateMatrix& factor) const noexcept {
    const auto n = states_of(model_);
    const T tolerance = static_cast<T>(options_.tolerance);
    for (int i = 0; i < n; ++i) {
      T variance = T(0);
      for (int j = 0; j <= i; ++j) variance += factor(i, j) * factor(i, j);
      const T step = correction_(i) - next_(i);
      if (step * step > tolerance * tolerance * variance) return true;
    }
    return false;
  }

  Status commit() noexcept {
    const auto n = states_of(model_);
    if (!kernels::all_finite(correction_, n)) return Status::NotFinite;
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
  SquareRootArrays<T, kN, kM, kN> arrays_;
  State next_, correction_;
  StateMatrix F_, posterior_;
  Output y_;
  typename Types::OutputJacobian H_;
};

}  // namespace alembert::estimate
