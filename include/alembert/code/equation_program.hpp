#pragma once

#include <Eigen/Core>

#include "alembert/code/program.hpp"
#include "alembert/model/equations.hpp"
#include "alembert/signal/between_samples.hpp"

namespace alembert::code {

/// How a model given as equations is to run.
struct EquationProgramOptions : ProgramOptions {
  double step = 0.0;          ///< s, of one NAME_step
  Eigen::Index substeps = 4;  ///< Runge-Kutta steps (order 4) in it
  double start_time = 0.0;    ///< s, of the first sample
  /// Held: a step takes the inputs at its begin. Linear: then those at its end too. Others would
  /// need inputs of the future.
  signal::BetweenSamples between = signal::BetweenSamples::Held;
  /// States at the first sample; empty: those that the equations give.
  Eigen::VectorXd start = {};
};

/// The program of x' = f(t, x, u, p), y = g(t, x, u, p) with the classical Runge-Kutta method, with
/// the same operations in the same order as integrate::EquationSimulator.
/// @throws InvalidInput for values that do not fit the model, or inputs that are neither Held nor
/// Linear.
[[nodiscard]] Program equation_program(const model::EquationModel& model,
                                       const Eigen::VectorXd& parameters,
                                       const EquationProgramOptions& options);

/// The rows of inputs that steps take, from inputs at the samples (samples x inputs).
[[nodiscard]] Eigen::MatrixXd input_rows(const Eigen::Ref<const Eigen::MatrixXd>& inputs,
                                         signal::BetweenSamples between);

}  // namespace alembert::code
