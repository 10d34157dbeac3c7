#pragma once

#include <algorithm>
#include <cmath>

#include "optimize/evaluator.hpp"

/// The solvers. Each searches from map().start() and leaves the best point in the evaluator.
namespace alembert::optimize {

/// How a search ended, and how often it was started anew.
struct Search {
  Outcome outcome;
  int restarts = 0;
};

/// Whether a search from the best point, whose cost was `before`, gained enough to try once more:
/// 1e-6 of the cost, what shows in the noise, and 1e-16 of the cost at the guess. Exact fits have a
/// cost of zero, and every restart would take a part of what is left of it.
[[nodiscard]] inline bool worth_a_restart(double before, const Evaluator& evaluator, double first) {
  const double after = evaluator.best_cost();
  const double floor = std::isfinite(first) ? 1e-16 * std::abs(first) : 0.0;
  return before - after > std::max(1e-6, evaluator.noise_part()) * std::abs(after) + floor;
}

[[nodiscard]] Search search_nlopt(Evaluator& evaluator);
[[nodiscard]] Search search_mads(Evaluator& evaluator);
[[nodiscard]] Search search_levenberg_marquardt(Evaluator& evaluator);

}  // namespace alembert::optimize
