#include "identify/output_error/equation_fit/finer_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "identify/output_error/finer_simulation.hpp"
#include "identify/output_error/search.hpp"

namespace alembert::identify {
namespace {

// Runge-Kutta steps of an eighth have 4096 times less error; what that does not mend, steps do not.
constexpr int kMostRefinements = 3;
// Part of an output that is left, as rounding leaves it: there is no noise to be finer than.
constexpr double kNothingLeft = 1e-7;

bool is_too_coarse(const OutputErrorResult& estimate) {
  if (!estimate.ok() || !estimate.prediction.ok() || estimate.windows > 0) return false;
  const bool exact =
      std::all_of(estimate.outputs.begin(), estimate.outputs.end(),
                  [](const ResidualVerdict& one) { return 1.0 - one.fit / 100.0 < kNothingLeft; });
  // Not finite: finer steps cannot be simulated at all.
  return !exact && estimate.step_error > kLargeStepError && std::isfinite(estimate.step_error);
}

std::vector<optimize::Parameter> guesses_at(std::vector<optimize::Parameter> parameters,
                                            const Eigen::VectorXd& found) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    optimize::Parameter& one = parameters[i];
    if (one.fixed || one.tie) continue;
    one.guess = std::clamp(found(static_cast<Eigen::Index>(i)), one.lower, one.upper);
  }
  return parameters;
}

// How the first search got there is part of the result.
void keep_history(OutputErrorResult& before, OutputErrorResult& after) {
  after.evaluations += before.evaluations;
  after.trials = std::move(before.trials);
  after.optima = std::move(before.optima);
  after.strategy = before.strategy;
  after.growth = std::max(before.growth, after.growth);
}

}  // namespace

void search_with_finer_steps(const FitProblem& problem, EquationFit& fit) {
  OutputErrorOptions options = problem.options.output_error;
  options.search.max_evaluations_name = problem.options.names.max_evaluations;
  // The optimum is near: the plain search from it, by this process alone.
  options.strategy = StartStrategy::Plain;
  options.search.solver = optimize::Solver::LevenbergMarquardt;
  options.starts = 1;
  options.machines = nullptr;
  for (int k = 0; k < kMostRefinements && is_too_coarse(fit.estimate); ++k) {
    options.simulation = finer(simulation_of(fit.estimate, fit.simulation));
    OutputErrorResult found = output_error(
        problem.model, guesses_at(fit.parameters, fit.estimate.parameters), problem.data, options);
    if (!found.ok() || !found.prediction.ok()) return;
    keep_history(fit.estimate, found);
    fit.estimate = std::move(found);
    fit.simulation = options.simulation;
  }
}

}  // namespace alembert::identify
