#include "identify/output_error/equation_fit/compare_holds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/text.hpp"
#include "identify/output_error/search.hpp"

namespace alembert::identify {
namespace {

using signal::BetweenSamples;

// Another hold is taken if its residuals are smaller by this part, and by more than noise alone
// would make them: 2 n ln(ratio) above this.
constexpr double kSmaller = 0.99;
constexpr double kMoreLikely = 20.0;
constexpr double kExactHold = 1e-7;  // part of an output

double hold_misfit(const OutputErrorResult& found) {
  const Eigen::VectorXd& rms = found.prediction.rms;
  if (!found.prediction.ok() || rms.size() == 0 || !rms.allFinite()) return HUGE_VAL;
  return rms.minCoeff() > 0.0 ? std::exp(rms.array().log().mean()) : 0.0;
}

// The search from the estimate with another hold.
OutputErrorResult searched_with(BetweenSamples between, const FitProblem& problem,
                                const EquationFit& fit, bool statistics) {
  OutputErrorOptions options = problem.options.output_error;
  options.search.max_evaluations_name = problem.options.names.max_evaluations;
  options.search.solver = optimize::Solver::LevenbergMarquardt;
  options.search.on_improvement = {};
  options.strategy = StartStrategy::Plain;
  options.starts = 1;
  options.machines = nullptr;
  options.statistics = statistics;
  options.simulation = simulation_of(fit.estimate, fit.simulation);
  options.simulation.between = between;
  std::vector<optimize::Parameter> from = fit.parameters;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double value = fit.estimate.parameters(static_cast<Eigen::Index>(i));
    from[i].guess = std::clamp(value, from[i].lower, from[i].upper);
  }
  return output_error(problem.model, from, problem.data, options);
}

// What rounding leaves tells no hold from another.
bool is_exact(const OutputErrorResult& found) {
  return std::all_of(found.outputs.begin(), found.outputs.end(),
                     [](const ResidualVerdict& one) { return 1.0 - one.fit / 100.0 < kExactHold; });
}

bool inputs_move(const Experiments& data) {
  return std::any_of(data.begin(), data.end(), [](const Experiment& one) {
    return one.input.cols() > 0 &&
           (one.input.rowwise() - one.input.row(0)).cwiseAbs().maxCoeff() > 0.0;
  });
}

std::string hold_words(const std::vector<HoldScore>& holds) {
  std::vector<std::string> parts;
  for (const HoldScore& one : holds) {
    parts.push_back(fmt::format("{} {:.4g}", name_of(one.between), one.residual));
  }
  return fmt::format("the inputs fit best as {} between samples, which is taken; residuals: {}",
                     name_of(holds.front().between), join(parts, ", "));
}

}  // namespace

void compare_holds(const FitProblem& problem, EquationFit& fit) {
  const bool asked = problem.options.compare_holds;
  const BetweenSamples own = fit.simulation.between;
  const StopFlag* stop = problem.options.output_error.search.stop;
  if (!asked || own == BetweenSamples::BandLimited || !fit.estimate.ok() ||
      !fit.estimate.prediction.ok() || is_exact(fit.estimate) || !inputs_move(problem.data)) {
    return;
  }
  fit.holds = {{own, hold_misfit(fit.estimate), true}};
  for (const BetweenSamples one :
       {BetweenSamples::Held, BetweenSamples::Linear, BetweenSamples::Cubic}) {
    if (one == own) continue;
    if (stop != nullptr && stop->requested()) return;
    fit.holds.push_back({one, hold_misfit(searched_with(one, problem, fit, false)), false});
  }
  const double before = fit.holds.front().residual;
  std::stable_sort(fit.holds.begin(), fit.holds.end(),
                   [](const HoldScore& a, const HoldScore& b) { return a.residual < b.residual; });
  const HoldScore& best = fit.holds.front();
  const auto samples = static_cast<double>(measured_samples(problem.data));
  const bool clearly = best.residual < kSmaller * before &&
                       2.0 * samples * std::log(before / best.residual) > kMoreLikely;
  if (best.used || !clearly) return;
  OutputErrorResult found = searched_with(best.between, problem, fit, true);
  if (!found.ok() || !found.prediction.ok()) return;
  found.evaluations += fit.estimate.evaluations;
  found.trials = std::move(fit.estimate.trials);
  found.optima = std::move(fit.estimate.optima);
  found.strategy = fit.estimate.strategy;
  fit.estimate = std::move(found);
  fit.simulation.between = best.between;
  for (HoldScore& one : fit.holds) one.used = one.between == best.between;
  fit.remarks.push_back(hold_words(fit.holds));
}

}  // namespace alembert::identify
