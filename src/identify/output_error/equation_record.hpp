#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/output_error.hpp"
#include "alembert/integrate/equation_simulator.hpp"

namespace alembert::identify {

/// One experiment made ready for the simulation of a model.
///
/// A periodic record is simulated over one sample more, where it comes back to its first.
class EquationRecord {
 public:
  /// @param place of the experiment among the columns of SimulationOptions::start_values.
  EquationRecord(const Experiment& experiment, const SimulationOptions& options,
                 Eigen::Index place = 0);

  [[nodiscard]] const Experiment& experiment() const noexcept { return *experiment_; }
  [[nodiscard]] integrate::RecordTask task() const;
  /// Samples `first` to `first + count - 1` alone.
  [[nodiscard]] integrate::RecordTask part(std::size_t first, std::size_t count) const;
  [[nodiscard]] std::size_t samples() const noexcept { return samples_; }
  /// Part of the states within which a simulation from a slightly different start may jump.
  [[nodiscard]] double noise() const;
  /// The inputs at the first sample.
  [[nodiscard]] const std::vector<double>& first_inputs() const noexcept { return first_inputs_; }
  /// What SimulationOptions::start_values says of this record; NaN or empty where it says nothing.
  [[nodiscard]] const Eigen::VectorXd& given_start() const noexcept { return given_start_; }

 private:
  const Experiment* experiment_;
  SimulationOptions options_;
  std::size_t samples_ = 0;
  std::vector<double> inputs_;  // row by row, as task().between says
  std::vector<double> first_inputs_;
  Eigen::VectorXd given_start_;
};

/// Records of all experiments.
[[nodiscard]] std::vector<EquationRecord> records_of(const Experiments& data,
                                                     const SimulationOptions& options);

/// Writes the state at the first sample of a record by the model and by what is given, and its
/// derivatives by the parameters, those of the evaluator.
void start_of(const EquationRecord& record, model::EquationEvaluator& evaluator,
              model::EquationJacobians& start);
/// The state alone.
[[nodiscard]] Eigen::VectorXd start_of(const EquationRecord& record,
                                       model::EquationEvaluator& evaluator, Eigen::Index states);

}  // namespace alembert::identify
