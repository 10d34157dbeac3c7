#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"
#include "alembert/optimize/objective.hpp"
#include "identify/output_error/equation_record.hpp"

namespace alembert::identify {

/// Records of all experiments, ready to be simulated.
[[nodiscard]] std::vector<EquationRecord> records_of(const Experiments& data,
                                                     const SimulationOptions& options);

/// The residuals w (y - ŷ) of all experiments; owns a workspace, so each search has its own.
class EquationResiduals {
 public:
  /// The records must outlive it.
  EquationResiduals(const model::CompiledEquations& compiled,
                    const std::vector<EquationRecord>& records, StartState start,
                    Eigen::VectorXd weights);

  /// Samples that are there.
  [[nodiscard]] Eigen::Index count() const;
  /// Σ (w (y - ŷ))². @throws optimize::Infeasible if an experiment cannot be simulated.
  double cost(const Eigen::VectorXd& theta);
  /// Adds all residuals with their Jacobian. @throws optimize::Infeasible likewise.
  void add(const Eigen::VectorXd& theta, optimize::NormalEquations& sums);
  /// Residuals of each output of each experiment, with their derivatives by the columns of `chain`,
  /// ∂θ/∂(wanted parameters). @throws optimize::Infeasible likewise.
  [[nodiscard]] std::vector<optimize::ColouredBlock> blocks(const Eigen::VectorXd& theta,
                                                            const Eigen::MatrixXd& chain);

 private:
  void run(std::size_t e, const Eigen::VectorXd& theta, bool with_sensitivities);
  template <typename Visit>
  void visit(std::size_t e, const Visit& each);

  const std::vector<EquationRecord>& records_;
  EquationSimulation simulation_;
  Eigen::VectorXd weights_, row_;
};

/// Cost and normal equations of the residuals, which the objective keeps.
[[nodiscard]] optimize::Objective objective_of(const std::shared_ptr<EquationResiduals>& residuals);

/// Root mean square of the entries of a column that are there, over all matrices.
[[nodiscard]] double rms_of(const std::vector<Eigen::MatrixXd>& matrices, Eigen::Index column,
                            bool about_mean);

}  // namespace alembert::identify
