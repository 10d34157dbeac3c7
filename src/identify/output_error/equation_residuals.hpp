#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"
#include "alembert/optimize/objective.hpp"
#include "identify/output_error/simulation/equation_simulation.hpp"

namespace alembert::identify {

/// The residuals w (y - ŷ) of all experiments; owns a workspace, so each search has its own.
class EquationResiduals {
 public:
  /// The records must outlive it.
  EquationResiduals(const model::CompiledEquations& compiled,
                    const std::vector<EquationRecord>& records, StartState start,
                    Eigen::VectorXd weights, StartFit fit = StartFit::Exact);

  /// Where the fit of free starts begins, states x experiments, in place of the data.
  void guess_starts(const Eigen::MatrixXd& starts) { simulation_.guess_starts(starts); }

  /// Samples that are there, less the free start states.
  [[nodiscard]] Eigen::Index count() const;
  /// Σ (w (y - ŷ))². @throws optimize::Infeasible if an experiment cannot be simulated.
  double cost(const Eigen::VectorXd& theta);
  /// Adds all residuals with their Jacobian. @throws optimize::Infeasible likewise.
  void add(const Eigen::VectorXd& theta, optimize::NormalEquations& sums);
  /// Residuals of each output of each experiment, with their derivatives by the columns of `chain`,
  /// ∂θ/∂(wanted parameters), and behind them by the free start states of all experiments if these
  /// are wanted. @throws optimize::Infeasible likewise.
  [[nodiscard]] std::vector<optimize::ColouredBlock> blocks(const Eigen::VectorXd& theta,
                                                            const Eigen::MatrixXd& chain,
                                                            bool with_starts = true);
  /// The residuals of each record with their derivatives by its own free start states alone, after
  /// blocks() without start states.
  [[nodiscard]] const std::vector<std::vector<optimize::ColouredBlock>>& start_blocks() const {
    return start_blocks_;
  }
  /// ∂(free start states)/∂(wanted parameters), after blocks().
  [[nodiscard]] Eigen::MatrixXd starts_by_parameter(const Eigen::MatrixXd& chain) const;
  /// Free start states of all experiments.
  [[nodiscard]] Eigen::Index start_count() const {
    return free_states_ * static_cast<Eigen::Index>(records_.size());
  }
  /// The states at the first sample of all experiments for given parameters.
  [[nodiscard]] Eigen::MatrixXd starts(const Eigen::VectorXd& theta);

 private:
  void run(std::size_t e, const Eigen::VectorXd& theta, bool with_sensitivities);
  template <typename Visit>
  void visit(std::size_t e, const Visit& each);

  const std::vector<EquationRecord>& records_;
  Eigen::Index free_states_;  // at the start of each record
  EquationSimulation simulation_;
  Eigen::VectorXd weights_, row_;
  std::vector<std::vector<optimize::ColouredBlock>> start_blocks_;
};

/// Cost and normal equations of the residuals, which the objective keeps.
[[nodiscard]] optimize::Objective objective_of(const std::shared_ptr<EquationResiduals>& residuals);

/// Root mean square of the entries of a column that are there, over all matrices.
[[nodiscard]] double rms_of(const std::vector<Eigen::MatrixXd>& matrices, Eigen::Index column,
                            bool about_mean);

}  // namespace alembert::identify
