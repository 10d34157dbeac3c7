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
  EquationRecord(const Experiment& experiment, const SimulationOptions& options);

  [[nodiscard]] const Experiment& experiment() const noexcept { return *experiment_; }
  [[nodiscard]] integrate::RecordTask task() const;
  [[nodiscard]] std::size_t samples() const noexcept { return samples_; }
  /// Part of the states within which a simulation from a slightly different start may jump.
  [[nodiscard]] double noise() const;

 private:
  const Experiment* experiment_;
  SimulationOptions options_;
  std::size_t samples_ = 0;
  std::vector<double> inputs_;  // row by row, as task().between says
};

/// Simulates experiments with a model, and its sensitivities; one for each thread.
class EquationSimulation {
 public:
  /// The records must outlive it. @param moved which parameters get sensitivities.
  EquationSimulation(const model::CompiledEquations& compiled,
                     const std::vector<EquationRecord>& records, StartState start);

  /// Simulates record e; false if the states leave the range or no periodic state is found.
  bool run(std::size_t e, const Eigen::VectorXd& theta, bool with_sensitivities);

  /// ŷ of output i at sample k of the last run.
  [[nodiscard]] double output(std::size_t k, std::size_t i) const;
  /// ∂ŷ/∂θ of output i at sample k of the last run.
  [[nodiscard]] Eigen::Map<const Eigen::VectorXd> slope(std::size_t k, std::size_t i) const;

 private:
  bool simulate(const EquationRecord& record, bool with_sensitivities);
  bool repeat(const EquationRecord& record, bool& found);
  bool settle(const EquationRecord& record, bool with_sensitivities);

  const std::vector<EquationRecord>& records_;
  StartState start_;
  integrate::EquationSimulator evaluator_;
  model::EquationJacobians start_values_;
  std::size_t states_, outputs_, parameters_;
  std::vector<int> columns_;
  std::vector<double> x0_, start_slopes_;  // states x parameters, row by row
  std::vector<double> y_, slopes_, x_, x_slopes_;
};

}  // namespace alembert::identify
