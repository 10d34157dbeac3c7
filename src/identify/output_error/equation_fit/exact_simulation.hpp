#pragma once

#include <functional>
#include <vector>

#include "alembert/identify/output_error/function_fit.hpp"

namespace alembert::identify {

/// ∂ŷ/∂θ of an experiment: a matrix as the outputs for each parameter; empty for one that does not
/// move them. Throws optimize::Infeasible as the simulation.
using SimulateSlopes = std::function<std::vector<Eigen::MatrixXd>(const Eigen::VectorXd& parameters,
                                                                  const Experiment& experiment)>;

/// A simulation that may know its derivatives.
struct ExactSimulation {
  SimulateFunction values;
  SimulateSlopes slopes = {};  ///< empty: by differences
};

/// As fit_function(), with the derivatives of the simulation.
[[nodiscard]] EquationFit fit_simulation(const ExactSimulation& simulation,
                                         const std::vector<optimize::Parameter>& parameters,
                                         const Experiments& data,
                                         const FunctionFitOptions& options);

}  // namespace alembert::identify
