#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/output_error.hpp"
#include "alembert/model/equation_engine.hpp"
#include "alembert/model/equations.hpp"

namespace alembert::study {

/// The table [model] with equations, whose parameters are known, and how they are simulated.
struct EquationSystem {
  std::string text;
  model::EquationModel model{nullptr};           ///< its outputs are the signals below
  std::vector<std::string> inputs, input_units;  ///< "" for a unit that nobody names
  Eigen::VectorXd parameters;                    ///< values, in the order of the model
  std::vector<std::string> parameter_units;
  std::vector<std::string> signals;  ///< what truth.csv holds: the states, then what sensors see
  std::vector<std::string> signal_units;
  identify::SimulationOptions simulation;
  model::EngineKind engine = model::EngineKind::Automatic;
};

/// How equations are integrated, "Newmark, 20 steps a sample".
[[nodiscard]] std::string integrator_words(const identify::SimulationOptions& options);

}  // namespace alembert::study
