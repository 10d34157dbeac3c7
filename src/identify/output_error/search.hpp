#pragma once

#include <memory>
#include <vector>

#include "identify/output_error/equation_residuals.hpp"

namespace alembert::identify {

/// Searches over whole records with given weights.
class OutputErrorSearch {
 public:
  /// The arguments must outlive it.
  OutputErrorSearch(const model::CompiledEquations& model,
                    const std::vector<EquationRecord>& records, const OutputErrorOptions& options)
      : model_(model), records_(records), options_(options) {}

  /// Searches from the guesses, from several starts if the options say so and `many`, and writes
  /// what was found into the result and the guesses. `machines` help with several starts; where
  /// they are given all processes must come here, and only the first one has a result.
  void run(std::vector<optimize::Parameter>& parameters, OutputErrorResult& result, bool many,
           const Machines* machines = nullptr) const;

 private:
  [[nodiscard]] std::shared_ptr<EquationResiduals> residuals(const Eigen::VectorXd& weights) const;
  void search_once(const std::vector<optimize::Parameter>& parameters,
                   OutputErrorResult& result) const;
  void search_often(const std::vector<optimize::Parameter>& parameters, const Machines* machines,
                    OutputErrorResult& result) const;

  const model::CompiledEquations& model_;
  const std::vector<EquationRecord>& records_;
  const OutputErrorOptions& options_;
};

/// How the result was simulated: with its weights and its start states where they are free.
[[nodiscard]] SimulationOptions simulation_of(const OutputErrorResult& result,
                                              SimulationOptions options);

/// One over the values, or one where they vanish.
[[nodiscard]] Eigen::VectorXd inverse_or_one(Eigen::VectorXd values);

/// The weights given, or one over the standard deviation of each of several outputs.
[[nodiscard]] Eigen::VectorXd first_weights(const Experiments& data, const Eigen::VectorXd& given);

/// The weights of several outputs are renewed so often at most.
constexpr int kWeighings = 10;

/// One over the rms of the residuals of each output.
[[nodiscard]] Eigen::VectorXd weights_by_residuals(const Experiments& data,
                                                   const Eigen::VectorXd& rms);

/// Whether new weights are so close to the old ones that they need not be renewed again.
[[nodiscard]] bool same_weights(const Eigen::VectorXd& weights, const Eigen::VectorXd& before);

}  // namespace alembert::identify
