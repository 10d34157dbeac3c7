#include "alembert/optimize/minimise.hpp"

#include <fmt/format.h>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "optimize/solvers/solvers.hpp"

namespace alembert::optimize {

namespace {

constexpr std::string_view kMinimise = "minimise";

void check_options(const MinimiseOptions& options) {
  check::at_least(kMinimise, "max_evaluations", options.max_evaluations, 0);
  check::at_least(kMinimise, "max_restarts", options.max_restarts, 0);
  check::non_negative(kMinimise, "cost_tolerance", options.cost_tolerance);
  check::non_negative(kMinimise, "step_tolerance", options.step_tolerance);
  check::non_negative(kMinimise, "gradient_tolerance", options.gradient_tolerance);
  check::non_negative(kMinimise, "noise_tolerance", options.noise_tolerance);
  check::non_negative(kMinimise, "first_step", options.first_step);
}

void check_objective(const Objective& objective, Solver solver) {
  if (solver == Solver::LevenbergMarquardt && !objective.sums) {
    throw InvalidInput({.function = "minimise",
                        .argument = "objective.sums",
                        .rule = "must be given for levenberg-marquardt",
                        .value = "none"});
  }
  if (!objective.cost && !objective.sums) {
    throw InvalidInput({.function = "minimise",
                        .argument = "objective.cost or objective.sums",
                        .rule = "must be given",
                        .value = "none"});
  }
}

long budget_of(const MinimiseOptions& options, Eigen::Index free) {
  if (options.max_evaluations > 0) return options.max_evaluations;
  return options.solver == Solver::LevenbergMarquardt ? 200 : 1000 * (static_cast<long>(free) + 1);
}

Search search(Evaluator& evaluator) {
  switch (evaluator.options().solver) {
    case Solver::Mads:
      return search_mads(evaluator);
    case Solver::LevenbergMarquardt:
      return search_levenberg_marquardt(evaluator);
    default:
      return search_nlopt(evaluator);
  }
}

}  // namespace

std::string_view to_string(Solver solver) { return name_of(solver); }

Minimum minimise(const Problem& problem, const MinimiseOptions& options) {
  check_options(options);
  check_objective(problem.objective, options.solver);
  const Transformation map(problem.parameters);
  if (map.free_size() == 0) {
    throw InvalidInput({.function = "minimise",
                        .rule = "one parameter at least must be free",
                        .value = fmt::format("{} fixed", problem.parameters.size())});
  }
  Evaluator evaluator(map, problem.objective, options, budget_of(options, map.free_size()));
  const Search end = search(evaluator);
  return evaluator.result(end.outcome, end.restarts);
}

}  // namespace alembert::optimize
