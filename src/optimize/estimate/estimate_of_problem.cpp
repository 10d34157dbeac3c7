#include <algorithm>
#include <cmath>
#include <string>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/optimize/estimate.hpp"
#include "alembert/optimize/transformation.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Normal equations in the free variables at the minimum.
NormalEquations sums_at(const Problem& problem, const Transformation& map, const VectorXd& theta,
                        VectorXd& slope) {
  if (!problem.objective.sums) {
    throw InvalidInput({.function = "estimate_statistics",
                        .argument = "objective.sums",
                        .rule = "must be given",
                        .value = "none"});
  }
  NormalEquations sums, free;
  sums.reset(map.size());
  try {
    problem.objective.sums(theta, sums);
  } catch (const Infeasible& error) {
    throw InvalidInput({.function = "estimate_statistics",
                        .argument = "minimum",
                        .rule = std::string("must be feasible, got: ") + error.what()});
  }
  map.add_priors(theta, sums);
  map.slopes(theta, slope);
  map.reduce(sums, slope, free);
  return free;
}

}  // namespace

EstimateStatistics estimate_statistics(const Problem& problem, const Minimum& minimum,
                                       const StatisticsOptions& options) {
  const Transformation map(problem.parameters);
  check::size("estimate_statistics", "minimum.parameters", minimum.parameters.size(), map.size());
  VectorXd slope;
  const NormalEquations free = sums_at(problem, map, minimum.parameters, slope);
  std::vector<Index> kept;
  std::vector<std::string> names, held;
  for (Index j = 0; j < map.free_size(); ++j) {
    const std::string& name = map.parameters()[static_cast<std::size_t>(map.parameter_of(j))].name;
    const bool at_bound =
        std::find(minimum.at_bound.begin(), minimum.at_bound.end(), name) != minimum.at_bound.end();
    (at_bound ? held : names).push_back(name);
    if (!at_bound) kept.push_back(j);
  }
  if (kept.empty()) {
    throw InvalidInput({.function = "estimate_statistics",
                        .rule = "one parameter at least must be inside its bounds"});
  }
  const Index size = static_cast<Index>(kept.size());
  MatrixXd information = MatrixXd::Zero(size, size);
  VectorXd parameters(size);
  for (Index b = 0; b < size; ++b) {
    // ∂r/∂θ_j = (∂r/∂x_j)/(dθ_j/dx_j)
    const Index j = kept[static_cast<std::size_t>(b)];
    const double slope_j = slope(map.parameter_of(j));
    parameters(b) = minimum.parameters(map.parameter_of(j));
    for (Index a = b; a < size; ++a) {
      const Index i = kept[static_cast<std::size_t>(a)];
      information(a, b) = free.matrix(i, j) / (slope(map.parameter_of(i)) * slope_j);
    }
  }
  if (!information.allFinite() || !std::isfinite(free.cost)) {
    EstimateStatistics failed;
    static_cast<Outcome&>(failed) = {
        Status::NotFinite,
        "the derivatives of the residuals are not finite at the estimate: no deviation is known"};
    failed.held = held;
    return failed;
  }
  EstimateStatistics result =
      estimate_statistics(names, parameters, information, free.cost, free.count, options);
  result.held = held;
  return result;
}

}  // namespace alembert::optimize
