#pragma once

#include <utility>

#include "alembert/estimate/detail/filter_base.hpp"

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

/// What the extended filters of both forms share: derivatives and the iterated update,
///   x_{i+1} = x⁻ + K_i (z - h(x_i) - H_i (x⁻ - x_i)).
template <typename Filter, typename Model, Form form>
class LinearisedFilter : public FilterBase<Filter, Model, form> {
  using Base = FilterBase<Filter, Model, form>;

 public:
  using typename Base::Input;
  using typename Base::Output;
  using typename Base::OutputNoise;
  using typename Base::Scalar;
  using typename Base::State;
  using typename Base::StateMatrix;

 protected:
  LinearisedFilter(Model model, const State& mean, const StateMatrix& covariance,
                   const EkfOptions& options)
      : Base(std::move(model), options.gate),
        linear_(model_),
        options_(options),
        trial_(outputs_of(model_)),
        F_(StateMatrix::Zero(states_of(model_), states_of(model_))),
        H_(Jacobian::Zero(outputs_of(model_), states_of(model_))) {
    check_options(options);
    this->set_estimate(mean, covariance);
  }

  /// next_ = f(u, x), F = ∂f/∂x.
  void linearise_process(const Input& u) noexcept {
    linear_.process(model_, u, belief_.mean, next_, F_);
  }

  /// y_ = h(u, x), H = ∂h/∂x.
  Status expect(const Input& u) noexcept {
    linear_.output(model_, u, belief_.mean, y_, H_);
    return Status::Success;
  }

  Status refine(const Input& u, const Output& z, const OutputNoise& r) noexcept {
    Status status = Status::Success;
    for (int i = 1; i < options_.iterations && status == Status::Success; ++i) {
      // Where the model has no output the last linearisation stands.
      if (!linearise_again(u, z)) break;
      status = this->condition_on(trial_, open_, r).status;
      if (!moved()) break;
    }
    return status;
  }

  using Base::belief_;
  using Base::correction_;
  using Base::innovation_;
  using Base::model_;
  using Base::next_;
  using Base::posterior_;
  using Base::y_;
  using Jacobian = typename ModelTypes<Model>::OutputJacobian;
  Linearisation<Model> linear_;
  EkfOptions options_;
  Gate open_{GateOptions{}, 1};
  Innovation<Scalar, Base::kM> trial_;
  StateMatrix F_;
  Jacobian H_;

 private:
  /// One more linearisation, at x_i = x⁻ + δ, and its innovation; the δ before goes to next_. False
  /// if an output has no value there.
  [[nodiscard]] bool linearise_again(const Input& u, const Output& z) noexcept {
    const auto n = states_of(model_);
    next_ = correction_;
    for (int i = 0; i < n; ++i) next_(i) += belief_.mean(i);
    linear_.output(model_, u, next_, y_, H_);
    const int m = outputs_of(model_);
    // z - h(x_i) - H_i (x⁻ - x_i)
    trial_.select(model_, z, y_, m);
    trial_.keep_rows(innovation_);
    if (trial_.count != innovation_.count) return false;
    for (int k = 0; k < trial_.count; ++k) {
      const int row = trial_.row(k, m);
      for (int j = 0; j < n; ++j) trial_.values(k) += H_(row, j) * correction_(j);
    }
    next_ = correction_;
    return true;
  }

  /// Whether a state moved by more than the tolerance, from the δ in next_.
  [[nodiscard]] bool moved() const noexcept {
    const auto n = states_of(model_);
    const Scalar tolerance = static_cast<Scalar>(options_.tolerance);
    for (int i = 0; i < n; ++i) {
      const Scalar step = correction_(i) - next_(i);
      if (step * step > tolerance * tolerance * Base::variance_in(posterior_, i)) return true;
    }
    return false;
  }
};

}  // namespace alembert::estimate
