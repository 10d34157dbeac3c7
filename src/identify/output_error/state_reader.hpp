#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/output_error/equation_record.hpp"

namespace alembert::identify {

/// The outputs of one experiment as smooth functions: values and derivatives at the samples, N x p.
struct SmoothOutputs {
  Eigen::MatrixXd value, first, second;
};

/// Smoothing splines through the outputs, with the degree of smoothing by cross-validation. An
/// output with too few samples has NaN.
[[nodiscard]] SmoothOutputs smooth_outputs(const Experiment& experiment);

/// What measured outputs say about the states without knowing any parameter.
///
/// Outputs that are linear in the states, and their derivatives where the equations of those states
/// are linear as well and have no parameters (q' = v), are rows of R x + c = (y, y').
class StateReader {
 public:
  StateReader(const model::CompiledEquations& compiled, const Eigen::VectorXd& theta);

  /// Whether the outputs determine every state.
  [[nodiscard]] bool complete() const { return complete_; }
  /// The state nearest to x (states) that agrees with the outputs at sample k.
  void correct(const SmoothOutputs& outputs, Eigen::Index k, double* x) const;
  /// x' at sample k of a reader that is complete().
  [[nodiscard]] Eigen::VectorXd slopes(const SmoothOutputs& outputs, Eigen::Index k) const;

 private:
  struct Row {
    Eigen::Index output = 0;
    bool derivative = false;
  };

  std::vector<Row> rows_;
  Eigen::MatrixXd R_, inverse_;  // m x n, and its pseudo-inverse n x m
  Eigen::VectorXd c_;
  bool complete_ = false;
};

}  // namespace alembert::identify
