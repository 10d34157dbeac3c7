#pragma once

#include "alembert/core/progress.hpp"
#include "identify/output_error/window_problem.hpp"

namespace alembert::identify {

/// The parameter part of the equations after elimination of all window states, window by window:
/// the work grows with the number of windows, not with its cube.
struct CondensedEquations {
  Eigen::MatrixXd matrix;    ///< C - Σ BᵀA⁻¹B, q x q
  Eigen::VectorXd gradient;  ///< q
  bool definite = true;      ///< false if a block has no Cholesky factor
};

/// Eliminates the states. @param damping is added to the diagonal of each A as damping times
/// size², with the `sizes` of the columns of the states.
/// @param solutions (n x (n + q + 1)) of each window for back_substitute().
[[nodiscard]] CondensedEquations condense(const WindowEquations& equations, double damping,
                                          const Eigen::VectorXd& sizes,
                                          std::vector<Eigen::MatrixXd>& solutions);

/// The steps of all window states (n x windows) that belong to the step of the free variables.
[[nodiscard]] Eigen::MatrixXd back_substitute(const std::vector<Eigen::MatrixXd>& solutions,
                                              const Eigen::VectorXd& step);

struct WindowSearchOptions {
  int max_steps = 30;
  double cost_tolerance = 1e-4;  ///< a step that gains less than this times the cost is the last
  const StopFlag* stop = nullptr;
};

/// How a search over windows ended.
enum class WindowSearchEnd {
  Infeasible,  ///< the problem cannot be evaluated at the point, which stays
  Unfinished,  ///< stopped, or out of steps
  Settled      ///< no step gains anything worthwhile
};

/// Levenberg-Marquardt over parameters (inside their bounds) and window states.
WindowSearchEnd search_windows(WindowProblem& problem, WindowPoint& point,
                               const WindowSearchOptions& options = {});

}  // namespace alembert::identify
