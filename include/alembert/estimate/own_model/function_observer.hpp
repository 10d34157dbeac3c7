#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alembert/estimate/own_model/model_observer_options.hpp"

namespace alembert::estimate {

/// A model of one's own as functions of vectors: x⁺ = f(h, x, u), y = g(x, u). They may allocate
/// and throw, so that this is the slow way: templates over FilterModel (estimate/model.hpp) and
/// EquationObserver are the fast ones.
struct FunctionModel {
  std::vector<std::string> states;  ///< names
  int inputs = 0;
  int outputs = 1;
  /// The state after a step of h s. @param u the inputs that the step before has read.
  std::function<Eigen::VectorXd(double step, const Eigen::VectorXd& x, const Eigen::VectorXd& u)>
      process = {};
  /// The outputs. @param u the inputs that the same step has read.
  std::function<Eigen::VectorXd(const Eigen::VectorXd& x, const Eigen::VectorXd& u)> output = {};
  /// ∂f/∂x; empty: central differences.
  std::function<Eigen::MatrixXd(double step, const Eigen::VectorXd& x, const Eigen::VectorXd& u)>
      process_jacobian = {};
  /// ∂g/∂x; empty: central differences.
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& x, const Eigen::VectorXd& u)>
      output_jacobian = {};
};

/// An observer of a model that is given as functions, sample by sample. A reading of a step holds
/// the inputs and then the outputs; NaN: not measured.
class FunctionObserver : public Observer {
 public:
  /// @throws InvalidInput for wrong sizes or options, and if process or output is missing.
  FunctionObserver(const FunctionModel& model, const ModelObserverOptions& options);

  /// As Observer::step(). @throws what a function of the model throws, and InvalidInput where one
  /// returns another size; the estimate is then of no use.
  ObserverStep step(double step, std::span<const double> readings);
  ObserverStep step_late(double ago, std::span<const double> readings);

  /// Throws what a function of the model has thrown since the last call; for callers of functions
  /// that know the Observer alone, such as observe_record().
  void raise_failure();
};

}  // namespace alembert::estimate
