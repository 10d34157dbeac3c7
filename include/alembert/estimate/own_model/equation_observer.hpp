#pragma once

#include <Eigen/Core>
#include <string_view>

#include "alembert/estimate/own_model/model_observer_options.hpp"
#include "alembert/model/equation_engine.hpp"
#include "alembert/signal/between_samples.hpp"

namespace alembert::estimate {

/// An observer of differential equations: start, noise, and how they are integrated.
struct EquationObserverOptions : ModelObserverOptions {
  /// The inputs between two steps: Held (what the step before has read) or Linear.
  signal::BetweenSamples between = signal::BetweenSamples::Held;
  int substeps = 1;  ///< Runge-Kutta steps (order 4) in a step of the observer, 1 to 1000
};

/// An observer of a model that is written as equations, x' = f(x, u, p), y = g(x, u, p), sample by
/// sample. Filters, gates, late readings, adaptation and smoothing are those of Observer; the
/// Jacobians are the exact derivatives of the Runge-Kutta steps. With native code a step allocates
/// nothing and takes about a microsecond.
///
/// A reading of a step holds the inputs of the model and then its outputs, in their order; NaN: not
/// measured. An input that is missing in both of the steps around it fails the step.
class EquationObserver : public Observer {
 public:
  /// @param parameters of the model, in their order.
  /// @throws InvalidInput for wrong sizes or options, for a model without states or outputs, and
  /// for one that depends on the time t, which is better made an input.
  EquationObserver(const model::CompiledEquations& model, const Eigen::VectorXd& parameters,
                   const EquationObserverOptions& options);
  /// The same from the text of the equations. @param parameters in the order of the setup.
  /// @throws model::EquationError for a text that breaks a rule of the language.
  EquationObserver(std::string_view equations, const model::EquationSetup& setup,
                   const Eigen::VectorXd& parameters, const EquationObserverOptions& options);
};

}  // namespace alembert::estimate
