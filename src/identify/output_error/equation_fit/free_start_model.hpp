#pragma once

#include <vector>

#include "identify/output_error/equation_fit/fit_problem.hpp"

namespace alembert::identify {

/// The equations with the state at the first sample as further parameters, behind those that the
/// fit found.
class FreeStartModel {
 public:
  FreeStartModel(const FitProblem& problem, const Eigen::VectorXd& parameters);

  [[nodiscard]] const model::CompiledEquations& model() const { return model_; }
  /// The state at the first sample by the start values of the model.
  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }

  /// The parameters found, then a start.
  [[nodiscard]] Eigen::VectorXd with_start(const Eigen::VectorXd& start) const;

  /// Known parameters, and the start as unknowns with a guess.
  [[nodiscard]] std::vector<optimize::Parameter> unknowns(const Eigen::VectorXd& guess) const;

 private:
  model::EquationSetup setup_;
  model::CompiledEquations model_;
  Eigen::VectorXd parameters_, start_;
};

}  // namespace alembert::identify
