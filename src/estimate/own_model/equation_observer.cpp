#include "alembert/estimate/own_model/equation_observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/integrate/ode/runge_kutta4.hpp"
#include "estimate/own_model/own_model.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::EquationEvaluator;
using model::EquationJacobians;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr const char* kEquationObserver = "EquationObserver";

/// x' = f(x, u), with S = ∂x/∂x₀ carried along where asked for.
class EquationFlow final : public integrate::ode::System {
 public:
  EquationFlow(EquationEvaluator& evaluator, std::size_t states, bool sensitive)
      : evaluator_(evaluator),
        states_(states),
        stride_(sensitive ? states : 0),
        jacobians_(evaluator.derivative_jacobians()) {}

  [[nodiscard]] std::size_t states() const override { return states_; }
  [[nodiscard]] std::size_t stride() const override { return stride_; }
  void derivative(double t, const double* x, const double* u, double* dx) override {
    evaluator_.derivatives(t, x, u, dx);
  }
  // S' = ∂f/∂x S
  void sensitive_derivative(double t, const double* x, const double* u, const double* s, double* dx,
                            double* d) override {
    evaluator_.derivatives(t, x, u, jacobians_);
    std::copy(jacobians_.values.begin(), jacobians_.values.end(), dx);
    // Many entries of ∂f/∂x are zero: positions move with their velocities alone.
    std::fill_n(d, states_ * states_, 0.0);
    for (std::size_t k = 0; k < states_; ++k) {
      for (std::size_t i = 0; i < states_; ++i) {
        const double slope = jacobians_.by_state[k * states_ + i];
        if (slope == 0.0) continue;
        for (std::size_t j = 0; j < states_; ++j) d[i * states_ + j] += slope * s[k * states_ + j];
      }
    }
  }

 private:
  EquationEvaluator& evaluator_;
  std::size_t states_, stride_;
  EquationJacobians jacobians_;
};

OwnModelSizes sizes_of(const model::EquationModel& model) {
  return {.function = kEquationObserver,
          .states = model.states(),
          .inputs = static_cast<int>(model.inputs().size()),
          .outputs = static_cast<int>(model.outputs().size()),
          .pairs = model.second_order()};
}

void check_model(const model::EquationModel& model, const EquationObserverOptions& options) {
  if (model.depends_on_time()) {
    throw InvalidInput({.function = kEquationObserver,
                        .argument = "model",
                        .rule = "must not depend on the time t; make what it does an input"});
  }
  check::in_range(kEquationObserver, "substeps", options.substeps, 1, 1000);
  if (options.between != signal::BetweenSamples::Held &&
      options.between != signal::BetweenSamples::Linear) {
    throw InvalidInput({.function = kEquationObserver,
                        .argument = "between",
                        .rule = "must be held or linear, what lies ahead is not known",
                        .value = std::string(name_of(options.between))});
  }
}

/// Equations as an observed model. The evaluator has memory: one observer, one model.
class EquationObserved final : public OwnModel {
 public:
  EquationObserved(const model::CompiledEquations& compiled, EquationEvaluator evaluator,
                   const EquationObserverOptions& options)
      : OwnModel(sizes_of(compiled.model()), options),
        evaluator_(std::move(evaluator)),
        plain_(evaluator_, compiled.model().states().size(), false),
        sensitive_(evaluator_, compiled.model().states().size(), true),
        steps_(plain_),
        sensitive_steps_(sensitive_),
        outputs_(evaluator_.output_jacobians()),
        begin_(compiled.model().inputs().size()),
        middle_(begin_.size()),
        end_(begin_.size()),
        linear_(options.between == signal::BetweenSamples::Linear),
        substeps_(options.substeps) {}

  void process(const ObservedInput& u, std::span<const double> x,
               std::span<double> next) const override {
    run(u, x, steps_);
    std::copy_n(steps_.state(), next.size(), next.begin());
  }
  void process_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> next,
                        MatrixXd& F) const override {
    const auto n = static_cast<Index>(x.size());
    Eigen::Map<RowMajor>(sensitive_steps_.sensitivities(), n, n).setIdentity();
    run(u, x, sensitive_steps_);
    std::copy_n(sensitive_steps_.state(), next.size(), next.begin());
    F = Eigen::Map<const RowMajor>(sensitive_steps_.sensitivities(), n, n);
  }
  void output(const ObservedInput& u, std::span<const double> x,
              std::span<double> y) const override {
    evaluator_.outputs(0.0, x.data(), u.now.data(), y.data());
  }
  void output_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> y,
                       MatrixXd& H) const override {
    evaluator_.outputs(0.0, x.data(), u.now.data(), outputs_);
    std::copy(outputs_.values.begin(), outputs_.values.end(), y.begin());
    H = Eigen::Map<const MatrixXd>(outputs_.by_state.data(), static_cast<Index>(y.size()),
                                   static_cast<Index>(x.size()));
  }

 private:
  /// Input i at a share of the step; one that is missing at one end is that of the other.
  [[nodiscard]] double input_at(const ObservedInput& u, std::size_t i, double share) const {
    const double before = std::isnan(u.before[i]) ? u.now[i] : u.before[i];
    const double now = std::isnan(u.now[i]) ? before : u.now[i];
    return linear_ ? before + share * (now - before) : before;
  }

  void run(const ObservedInput& u, std::span<const double> x,
           integrate::ode::RungeKutta4& steps) const {
    std::copy(x.begin(), x.end(), steps.state());
    const double h = u.step / substeps_;
    for (int k = 0; k < substeps_; ++k) {
      for (std::size_t i = 0; i < begin_.size(); ++i) {
        begin_[i] = input_at(u, i, static_cast<double>(k) / substeps_);
        middle_[i] = input_at(u, i, (k + 0.5) / substeps_);
        end_[i] = input_at(u, i, (k + 1.0) / substeps_);
      }
      steps.step(0.0, h, {begin_.data(), middle_.data(), end_.data()});
    }
  }

  mutable EquationEvaluator evaluator_;
  mutable EquationFlow plain_, sensitive_;
  mutable integrate::ode::RungeKutta4 steps_, sensitive_steps_;
  mutable EquationJacobians outputs_;
  mutable std::vector<double> begin_, middle_, end_;
  bool linear_;
  int substeps_;
};

/// The model, and where its observer starts.
struct Made {
  std::unique_ptr<ObservedModel> model;
  OwnModelStart start;
};

// The first inputs come with the first step, the start before it.
void check_mean_given(const EquationObserverOptions& options) {
  if (options.mean.size() > 0) return;
  throw InvalidInput({.function = kEquationObserver,
                      .argument = "mean",
                      .rule = "must be given, since the start of the equations uses inputs",
                      .value = "nothing"});
}

Made made(const model::CompiledEquations& compiled, const VectorXd& parameters,
          const EquationObserverOptions& options) {
  check_model(compiled.model(), options);
  EquationEvaluator evaluator(compiled);
  check::all_finite(kEquationObserver, "parameters", parameters);
  evaluator.set_parameters({parameters.data(), static_cast<std::size_t>(parameters.size())});
  VectorXd first = VectorXd::Zero(static_cast<Index>(compiled.model().states().size()));
  if (compiled.model().start_uses_inputs()) {
    check_mean_given(options);
  } else {
    evaluator.start({first.data(), static_cast<std::size_t>(first.size())});
  }
  OwnModelStart start = start_of(sizes_of(compiled.model()), options, first);
  return {std::make_unique<EquationObserved>(compiled, std::move(evaluator), options),
          std::move(start)};
}

Observer observer_of(Made made, const ObserverOptions& options) {
  return {std::move(made.model), made.start.mean, made.start.covariance, options};
}

}  // namespace

EquationObserver::EquationObserver(const model::CompiledEquations& model,
                                   const VectorXd& parameters,
                                   const EquationObserverOptions& options)
    : Observer(observer_of(made(model, parameters, options), options)) {}

EquationObserver::EquationObserver(std::string_view equations, const model::EquationSetup& setup,
                                   const VectorXd& parameters,
                                   const EquationObserverOptions& options)
    : EquationObserver(model::CompiledEquations(model::parse_equations(equations, setup)),
                       parameters, options) {}

}  // namespace alembert::estimate
