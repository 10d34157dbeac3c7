#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

/// The 53 problems of More and Wild for derivative-free solvers [MoreWild2009], from the formulas
/// of their 22 functions [More1981].
namespace alembert::test {

/// A vector of residuals r(x): the smooth cost is Σ r², the one with kinks Σ |r|.
struct MoreWildProblem {
  std::string name;
  int function = 0;       ///< number in the published list
  Eigen::Index m = 0;     ///< residuals
  Eigen::VectorXd start;  ///< the standard one, or ten times as far
};

[[nodiscard]] Eigen::VectorXd residuals(const MoreWildProblem& problem, const Eigen::VectorXd& x);
/// All 53, or those with at most this many variables.
[[nodiscard]] std::vector<MoreWildProblem> more_wild_problems(Eigen::Index max_variables = 12);

enum class CostKind {
  Smooth,  ///< Σ r²
  Kinks,   ///< Σ |r|
  Noise    ///< Σ r² (1 + 1e-3 φ(x)) with a φ in [-1, 1] that oscillates fast
};
[[nodiscard]] double cost_of(const MoreWildProblem& problem, CostKind kind,
                             const Eigen::VectorXd& x);

/// What one solver did on one problem: the cost of each evaluation in turn.
struct Trace {
  Eigen::Index variables = 0;
  std::vector<double> costs;
};
/// Evaluations in units of a simplex gradient, n + 1, until f <= fL + tau (f0 - fL) where fL is the
/// best of all traces of the problem; infinite if never.
[[nodiscard]] double simplex_gradients_to_solve(const Trace& trace, double best, double tau);
/// Share of problems solved within alpha simplex gradients: the data profile.
[[nodiscard]] double solved_share(const std::vector<double>& needed, double alpha);

}  // namespace alembert::test
