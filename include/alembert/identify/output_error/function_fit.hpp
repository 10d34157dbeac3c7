#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "alembert/identify/equation_fit.hpp"

/// Parameters of a simulation that is any function, by the output-error method. It is called some
/// times for each parameter in every iteration, since its derivatives come from differences:
/// where the model can be written as equations, fit_equations() is faster by far and exact.
namespace alembert::identify {

/// The outputs of an experiment, samples x outputs, for given parameters. Not finite, or a thrown
/// optimize::Infeasible: the parameters are not allowed.
using SimulateFunction =
    std::function<Eigen::MatrixXd(const Eigen::VectorXd& parameters, const Experiment& experiment)>;

struct FunctionFitOptions {
  /// Factors of the residuals of each output. Empty: as OutputErrorOptions::weights.
  Eigen::VectorXd weights = {};
  optimize::MinimiseOptions search = {.solver = optimize::Solver::LevenbergMarquardt};
  /// Of the differences: (f(θ + d) - f(θ - d))/2d with d = difference · max(|θ|, scale). Raise it
  /// for a simulation whose own errors are above 1e-9 of its result.
  double difference = 6e-6;
  /// Parameters that are of no interest themselves, such as start states: nothing is said of how
  /// they correlate with each other, or with one that is well known all the same.
  std::vector<std::string> nuisance = {};
  std::vector<std::string> input_names = {};   ///< empty: "u1", "u2", ...
  std::vector<std::string> output_names = {};  ///< empty: "y1", "y2", ...
};

/// Estimates the parameters, with statistics for white and for coloured residuals, and judges them.
/// @param parameters guesses and bounds; the vector that `simulate` gets has their order.
/// @throws InvalidInput if sizes do not fit, and as minimise() does; what `simulate` throws passes
/// through.
[[nodiscard]] EquationFit fit_function(const SimulateFunction& simulate,
                                       const std::vector<optimize::Parameter>& parameters,
                                       const Experiments& data,
                                       const FunctionFitOptions& options = {});

}  // namespace alembert::identify
