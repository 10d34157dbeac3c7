#pragma once

#include <vector>

#include "alembert/optimize/objective.hpp"
#include "identify/output_error/equation_fit/exact_simulation.hpp"

namespace alembert::identify {

/// The residuals w (y - ŷ) of a simulation that is a function, with derivatives from differences
/// where it has none of its own.
class FunctionResiduals {
 public:
  /// The arguments must outlive it.
  FunctionResiduals(const ExactSimulation& simulation,
                    const std::vector<optimize::Parameter>& parameters, const Experiments& data,
                    Eigen::VectorXd weights, double difference);

  /// The simulated outputs of an experiment. @throws optimize::Infeasible if they are not finite,
  /// InvalidInput if their size is wrong.
  [[nodiscard]] Eigen::MatrixXd outputs(std::size_t experiment, const Eigen::VectorXd& theta) const;
  [[nodiscard]] double cost(const Eigen::VectorXd& theta) const;
  void add(const Eigen::VectorXd& theta, optimize::NormalEquations& sums) const;
  /// As EquationResiduals::blocks().
  [[nodiscard]] std::vector<optimize::ColouredBlock> blocks(const Eigen::VectorXd& theta,
                                                            const Eigen::MatrixXd& chain) const;
  [[nodiscard]] optimize::Objective objective() const;

 private:
  /// The residuals of an experiment by the weights of outputs and samples.
  [[nodiscard]] Eigen::MatrixXd weighed(std::size_t experiment, Eigen::MatrixXd residuals) const;
  /// ∂ŷ/∂θ of an experiment: a matrix for each parameter; empty for one that does not move.
  [[nodiscard]] std::vector<Eigen::MatrixXd> slopes(std::size_t experiment,
                                                    const Eigen::VectorXd& theta) const;

  const ExactSimulation& simulation_;
  const std::vector<optimize::Parameter>& parameters_;
  const Experiments& data_;
  Eigen::VectorXd weights_;
  double difference_;
};

}  // namespace alembert::identify
