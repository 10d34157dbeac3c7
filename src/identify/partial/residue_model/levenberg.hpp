#pragma once

#include <Eigen/Core>
#include <functional>

/// Levenberg-Marquardt for small dense problems whose normal equations are summed by the caller.
namespace alembert::identify {

/// Normal equations of a sum of squares Σ e², e = y - ŷ(θ): Jᵀ J and Jᵀ e with J = ∂ŷ/∂θ.
struct LevenbergSums {
  Eigen::MatrixXd matrix;  ///< only the lower triangle needs to be summed
  Eigen::VectorXd gradient;

  /// Zeros for this many unknowns.
  void reset(Eigen::Index unknowns);
  /// Copies the lower triangle to the upper.
  void finish();
};

struct LevenbergOptions {
  int max_iterations = 40;
  double tolerance = 1e-5;  ///< relative decrease of the cost at which it ends
};

struct LevenbergResult {
  Eigen::VectorXd theta;
  double cost = 0.0;
  int iterations = 0;
};

/// Cost at θ, NaN where θ is not allowed; fills the normal equations unless they are null.
using LevenbergCost = std::function<double(const Eigen::VectorXd& theta, LevenbergSums* normal)>;

/// Lowers the cost from a start: damping 1e-3 of the scaled diagonal, divided by 10 after a step
/// that lowers the cost, times 8 after one that does not, at most 12 times in a row.
[[nodiscard]] LevenbergResult levenberg(const LevenbergCost& cost, Eigen::VectorXd start,
                                        const LevenbergOptions& options);

}  // namespace alembert::identify
