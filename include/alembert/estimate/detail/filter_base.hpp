#pragma once

#include <utility>

#include "alembert/estimate/noise.hpp"
#include "alembert/estimate/step.hpp"

namespace alembert::estimate {

/// What all filters share: types, the estimate, and the order of a step.
///
/// A filter derives from FilterBase<Filter, Model, form>, makes it a friend and adds functions that
/// allocate nothing and throw nothing; their results go into the members at the end of this class:
///
///   // x⁻ into next_ and its spread into posterior_; gain and spread of the kernel unless null
///   Status propagate(const Input& u, const ProcessNoise& q, Kernel* kernel);
///   // ȳ into y_, and what the next two need of the output
///   Status expect(const Input& u);
///   // variance of output i, with R
///   Scalar output_variance(int i, const OutputNoise& r) const;
///   // δ into correction_ and the spread after it into posterior_, from m outputs
///   UpdateReport correct(Innovation&, const Gate&, const OutputNoise& r, Size m);
///   // optional: better δ and spread, by looking at the output again
///   Status refine(const Input& u, const Output& z, const OutputNoise& r);
///
/// Steps allocate nothing, throw nothing and take bounded time. Outputs that are NaN in z are
/// missing. Vectors and noises must have the model's sizes.
template <typename Filter, typename Model, Form form>
class FilterBase {
 public:
  using Types = ModelTypes<Model>;
  using Scalar = typename Types::Scalar;
  using Input = typename Types::Input;
  using State = typename Types::State;
  using Output = typename Types::Output;
  using StateMatrix = typename Types::StateMatrix;
  static constexpr int kN = Types::kN;
  static constexpr int kM = Types::kM;
  static constexpr Form kForm = form;
  using ProcessNoise = Noise<Scalar, kN>;
  using OutputNoise = Noise<Scalar, kM>;
  using Kernel = BackwardKernel<Scalar, kN>;

  /// Starts anew from a mean and covariance.
  /// @throws InvalidInput if the sizes are not the model's or the covariance is not one.
  void set_estimate(const State& mean, const StateMatrix& covariance) {
    check_estimate(states_of(model_), mean.template cast<double>(),
                   covariance.template cast<double>());
    if constexpr (form == Form::Covariance) {
      belief_ = {mean, covariance};
    } else {
      belief_ = {mean, ProcessNoise::from_covariance(covariance).factor()};
    }
  }

  /// Time update. Status Success, NotFinite or, in covariance form, Indefinite; the estimate
  /// changes on Success only.
  [[nodiscard]] Status predict(const Input& u, const ProcessNoise& q) noexcept {
    return advance(u, q, nullptr);
  }
  /// The same, and what a smoother needs of it.
  [[nodiscard]] Status predict(const Input& u, const ProcessNoise& q, Kernel& kernel) noexcept {
    return advance(u, q, &kernel);
  }

  /// Measurement update with z, NaN where nothing was measured. Outputs for which the model writes
  /// NaN count as not measured; NotFinite if nothing else was.
  UpdateReport update(const Input& u, const Output& z, const OutputNoise& r) noexcept {
    UpdateReport report;
    innovation_.clear();
    report.status = self().expect(u);
    if (report.status != Status::Success) return report;
    innovation_.select(model_, z, y_, outputs_of(model_));
    if (gate_.each_output()) {
      innovation_.gate_each(gate_, [&](int i) { return self().output_variance(i, r); });
    }
    report.rejected = innovation_.gated;
    if (innovation_.count == 0) {
      // Nothing of what was measured has a value in the model.
      if (innovation_.absent > 0 && innovation_.gated == 0) report.status = Status::NotFinite;
      return report;
    }
    report = condition_on(innovation_, gate_, r);
    report.rejected = innovation_.gated;
    if (!report.accepted) {
      if (report.status == Status::Success) report.rejected += innovation_.count;
      return report;
    }
    report.status = self().refine(u, z, r);
    if (report.status == Status::Success) report.status = commit();
    report.accepted = report.status == Status::Success;
    return report;
  }

  [[nodiscard]] const State& mean() const noexcept { return belief_.mean; }
  /// P: a reference in covariance form, the product S Sᵀ in square-root form.
  [[nodiscard]] decltype(auto) covariance() const {
    if constexpr (form == Form::Covariance) {
      return (belief_.spread);
    } else {
      return StateMatrix(belief_.spread * belief_.spread.transpose());
    }
  }
  /// S, the lower factor of P = S Sᵀ.
  [[nodiscard]] const StateMatrix& factor() const noexcept requires(form == Form::SquareRoot) {
    return belief_.spread;
  }
  /// P_ii; allocates nothing in either form.
  [[nodiscard]] Scalar variance(int i) const noexcept { return variance_in(belief_.spread, i); }
  [[nodiscard]] const Innovation<Scalar, kM>& innovation() const noexcept { return innovation_; }
  [[nodiscard]] const Belief<Scalar, kN>& belief() const noexcept { return belief_; }
  void set_belief(const Belief<Scalar, kN>& belief) noexcept { belief_ = belief; }
  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] Model& model() noexcept { return model_; }

 protected:
  /// @throws InvalidInput if the gate is out of range.
  FilterBase(Model model, const GateOptions& gate)
      : model_(std::move(model)),
        gate_(gate, outputs_of(model_)),
        innovation_(outputs_of(model_)),
        next_(State::Zero(states_of(model_))),
        correction_(next_),
        posterior_(StateMatrix::Zero(states_of(model_), states_of(model_))),
        y_(Output::Zero(outputs_of(model_))) {}

  /// The variance of state i in a spread: P_ii or Σ_j S_ij².
  [[nodiscard]] static Scalar variance_in(const StateMatrix& spread, int i) noexcept {
    if constexpr (form == Form::Covariance) {
      return spread(i, i);
    } else {
      Scalar sum = Scalar(0);
      for (int j = 0; j <= i; ++j) sum += spread(i, j) * spread(i, j);
      return sum;
    }
  }

  /// δ and the spread after it from an innovation.
  UpdateReport condition_on(Innovation<Scalar, kM>& innovation, const Gate& gate,
                            const OutputNoise& r) noexcept {
    return innovation.with_size([&](auto m) { return self().correct(innovation, gate, r, m); });
  }

  Status refine(const Input&, const Output&, const OutputNoise&) noexcept {
    return Status::Success;
  }

  Model model_;
  Gate gate_;
  Belief<Scalar, kN> belief_;
  Innovation<Scalar, kM> innovation_;
  State next_;             // x⁻ of a prediction; workspace of an update
  State correction_;       // δ of an update
  StateMatrix posterior_;  // spread after a prediction or an update, before it is accepted
  Output y_;               // ȳ

 private:
  [[nodiscard]] Filter& self() noexcept { return static_cast<Filter&>(*this); }

  Status advance(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const Status status = self().propagate(u, q, kernel);
    if (status != Status::Success) return status;
    wrap_state(model_, next_);
    if (kernel != nullptr) {
      kernel->mean = belief_.mean;
      kernel->predicted = next_;
    }
    belief_.mean = next_;
    belief_.spread = posterior_;
    return Status::Success;
  }

  Status commit() noexcept {
    const auto n = states_of(model_);
    if (!kernels::all_finite(correction_, n)) return Status::NotFinite;
    if constexpr (form == Form::Covariance) {
      for (int i = 0; i < n; ++i) {
        if (!(posterior_(i, i) >= Scalar(0))) return Status::Indefinite;
      }
    }
    for (int i = 0; i < n; ++i) belief_.mean(i) += correction_(i);
    wrap_state(model_, belief_.mean);
    belief_.spread = posterior_;
    return Status::Success;
  }
};

}  // namespace alembert::estimate
