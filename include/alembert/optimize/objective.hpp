#pragma once

#include <Eigen/Core>
#include <functional>
#include <stdexcept>

namespace alembert::optimize {

/// Thrown by a cost for parameters at which the model has no meaning; the solvers take the cost
/// as infinite, as they do with NaN. Other exceptions pass through the solvers to the caller.
class Infeasible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Sums over residuals r(θ) with J = ∂r/∂θ, added row by row so that no N x p matrix is needed.
struct NormalEquations {
  Eigen::MatrixXd matrix;    ///< JᵀJ; only the lower triangle is summed and read
  Eigen::VectorXd gradient;  ///< Jᵀr, half the gradient of the cost
  double cost = 0.0;         ///< rᵀr
  Eigen::Index count = 0;    ///< number of residuals

  /// Zeros for this many parameters; allocates only if the number changes.
  void reset(Eigen::Index parameters);
  /// Adds one residual with its row of J.
  void add(double residual, const Eigen::VectorXd& row);
  /// Adds a block: residuals r (m) and their Jacobian (m x p).
  void add(const Eigen::VectorXd& residuals, const Eigen::MatrixXd& jacobian);
};

/// What is minimised, as functions of all parameters θ (free, fixed and tied).
///
/// A callable may own and reuse its workspace: it is called by one thread at a time.
struct Objective {
  /// The cost; infinite, NaN or Infeasible where θ is not allowed. For least squares Σ r².
  std::function<double(const Eigen::VectorXd& theta)> cost = {};
  /// Adds residuals and Jacobian columns of all parameters to sums, which come in zeroed; columns
  /// of fixed parameters may stay zero. Needed by LevenbergMarquardt; its cost serves the other
  /// solvers if `cost` is empty. If both are given they must agree.
  std::function<void(const Eigen::VectorXd& theta, NormalEquations& sums)> sums = {};
  /// How many squares the cost sums, 0 if it is no such sum: with it solvers without derivatives
  /// know the noise; see MinimiseOptions::noise_tolerance.
  Eigen::Index residuals = 0;
};

}  // namespace alembert::optimize
