#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/optimize/objective.hpp"
#include "alembert/optimize/parameter.hpp"

/// Minimisation of a cost over bounded, scaled, fixed and tied parameters.
/// docs/theory/optimize.md says which solver is for what.
namespace alembert::optimize {

enum class Solver {
  NelderMead,         ///< simplex search, restarted until a restart gains nothing (NLopt)
  Sbplx,              ///< simplex search in subspaces, for more parameters (NLopt)
  Bobyqa,             ///< quadratic models in a trust region, for smooth costs (NLopt)
  Mads,               ///< mesh-adaptive direct search, for kinks, noise and failing simulations
  LevenbergMarquardt  ///< least squares with exact Jacobians
};
constexpr auto enum_names(Solver) {
  return std::to_array<EnumName<Solver>>({{Solver::LevenbergMarquardt, "levenberg-marquardt"},
                                          {Solver::NelderMead, "nelder-mead"},
                                          {Solver::Sbplx, "sbplx"},
                                          {Solver::Bobyqa, "bobyqa"},
                                          {Solver::Mads, "mads"}});
}

/// The name used in studies and results: "nelder-mead", "mads", ...
[[nodiscard]] std::string_view to_string(Solver solver);

/// What is minimised and over which parameters.
struct Problem {
  std::vector<Parameter> parameters;
  Objective objective;
};

/// A new best point.
struct Improvement {
  long evaluations = 0;  ///< when it was found
  double cost = 0.0;
};

/// Called at each new best point, with the parameters there. It may request a stop.
using OnImprovement = std::function<void(const Improvement&, const Eigen::VectorXd& parameters)>;

struct MinimiseOptions {
  Solver solver = Solver::NelderMead;
  /// Evaluations of the cost; 0 takes 1000 (n + 1) for n free parameters, 200 for
  /// LevenbergMarquardt.
  long max_evaluations = 0;
  /// Ends a local search when the cost changes by less than this times the cost.
  double cost_tolerance = 1e-8;
  /// Ends a local search when steps in scaled variables fall below this.
  double step_tolerance = 1e-8;
  /// LevenbergMarquardt: ends when no column of J has a cosine with r above this.
  double gradient_tolerance = 1e-8;
  /// What counts as nothing in a sum of N squares, in noise variances: gains below this times
  /// cost/(N - n), n free parameters, end a simplex search, a series of restarts, and a search with
  /// derivatives that is stuck at a kink. A gain of 0.01 is a tenth of a standard deviation of the
  /// estimate. 0 leaves the other tolerances alone.
  double noise_tolerance = 0.01;
  /// First step in scaled variables; 0 takes 0.5 for NelderMead, Sbplx and Bobyqa, and the rule of
  /// docs/theory/optimize.md for Mads, which rounds a given one as well. LevenbergMarquardt does
  /// not use it.
  double first_step = 0.0;
  /// New searches from the best point, until one gains less than 1e-6 of the cost or is within
  /// noise_tolerance; not for LevenbergMarquardt.
  int max_restarts = 20;
  /// Ends as soon as the cost is at or below this.
  double target_cost = -std::numeric_limits<double>::infinity();
  std::uint64_t seed = 1;  ///< of the poll directions of Mads
  OnImprovement on_improvement = {};
  const StopFlag* stop = nullptr;
};

/// The best point found, whatever the status.
struct Minimum : Outcome {
  Eigen::VectorXd parameters;  ///< all of θ; the guess if no point was feasible
  double cost = std::numeric_limits<double>::infinity();  ///< with priors
  long evaluations = 0;                                   ///< of the cost, with or without J
  long jacobians = 0;                                     ///< of those with J
  int restarts = 0;
  std::vector<Improvement> history;   ///< decreasing in cost
  std::vector<std::string> at_bound;  ///< names of the parameters that ended at a bound
};

/// Minimises from the guesses.
///
/// Status: Success, NotConverged (evaluations used up, or no progress), NotFinite (the guess is
/// infeasible and the solver cannot leave it), Stopped.
///
/// @throws InvalidInput as Transformation does; if no parameter is free; if the objective lacks
/// the function that the solver needs; if an option is out of range.
[[nodiscard]] Minimum minimise(const Problem& problem, const MinimiseOptions& options = {});

}  // namespace alembert::optimize
