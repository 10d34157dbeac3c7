#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "core/algebra/decompositions.hpp"
#include "identify/refine/fit.hpp"

/// Levenberg-Marquardt iterations on the weighted output error.
namespace alembert::identify {

/// θ with all that its simulation gave.
struct Trial {
  Eigen::VectorXd theta;
  Guess guess;
  std::vector<Eigen::MatrixXd> errors;  ///< y - ŷ, zero where missing
  Eigen::VectorXd squares;              ///< Σ e² of each output
  Eigen::VectorXd counted;  ///< of it what the cost counts: without what noise on forces adds
  bool valid = false;       ///< M is positive definite and the motion finite

  /// J = Σ (w e)², less what noise on forces adds
  [[nodiscard]] double cost(const Eigen::VectorXd& weights) const {
    return (weights.array().square() * counted.array()).sum();
  }
};
[[nodiscard]] Trial evaluate(const Fit& fit, const Parametrisation& unknowns,
                             const Eigen::VectorXd& theta, const Eigen::MatrixXd& start);

/// 1/σ of each output from its sum of squares and the number of samples, with σ at least at the
/// rounding level of the output.
[[nodiscard]] Eigen::VectorXd inverse_deviations(const Fit& fit, const Eigen::VectorXd& squares,
                                                 const Eigen::VectorXd& counts);

class Refiner {
 public:
  /// Clears what rounding leaves of negative eigenvalues of D and K before a trial is simulated.
  /// Where it is given, steps keep D and K positive semidefinite.
  using Project = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

  /// @param weights empty: from the residuals, updated.
  Refiner(const Fit& fit, const Parametrisation& unknowns, const RefineOptions& options,
          Trial start);

  /// Iterates until converged, stuck, stopped or at the limit.
  void run(int max_iterations, const Project& project = {});
  /// The point nearest to the best in the metric of the cost with D and K positive semidefinite.
  [[nodiscard]] Trial feasible(const Project& project) const;
  /// Continues from another point.
  void restart(Trial trial);

  [[nodiscard]] const Trial& best() const noexcept { return best_; }
  [[nodiscard]] const Eigen::VectorXd& weights() const noexcept { return weights_; }
  [[nodiscard]] const std::vector<double>& cost_history() const noexcept { return history_; }
  [[nodiscard]] int iterations() const noexcept { return iterations_; }
  [[nodiscard]] Outcome outcome() const { return outcome_; }

 private:
  enum class Step { Accepted, AtRounding, Stuck };
  /// Normal equations in unknowns that make the diagonal of H one.
  struct ScaledEquations {
    Eigen::MatrixXd H;
    Eigen::VectorXd gradient, scale;
  };
  [[nodiscard]] ScaledEquations scaled_equations() const;
  Step iterate(const Project& project);
  [[nodiscard]] std::vector<Eigen::MatrixXd> curvature(const Eigen::VectorXd& change) const;
  [[nodiscard]] Eigen::VectorXd bent(const Eigen::VectorXd& change, const Eigen::VectorXd& scale,
                                     const Eigen::LLT<Eigen::MatrixXd>& factor) const;
  [[nodiscard]] Trial moved(const Eigen::VectorXd& change, const Project& project) const;
  [[nodiscard]] double rounding_cost(double relative) const;
  /// The largest decrease of the cost that the rounding of two simulations can hide.
  [[nodiscard]] double hidden_decrease(double cost) const;
  [[nodiscard]] bool update_weights();
  [[nodiscard]] bool settled(Step step, double before);

  const Fit& fit_;
  const Parametrisation& unknowns_;
  const RefineOptions& options_;
  Trial best_;
  Eigen::VectorXd counts_, weights_;
  int updates_left_ = 0;
  double lambda_ = 0.0;
  bool curved_ = false;  // the last step was shortened
  int iterations_ = 0;
  std::vector<double> history_;
  Outcome outcome_;
};

}  // namespace alembert::identify
