#include "alembert/identify/output_error/function_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/step_clock.hpp"
#include "identify/output_error/equation_fit/evidence.hpp"
#include "identify/output_error/equation_fit/warnings.hpp"
#include "identify/output_error/equation_residuals.hpp"
#include "identify/output_error/function_residuals.hpp"
#include "identify/output_error/loss/robust.hpp"
#include "identify/output_error/search.hpp"
#include "identify/output_error/statistics/statistics.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kFitFunction = "fit_function";

std::vector<std::string> names_or(const char* argument, const std::vector<std::string>& given,
                                  const char* letter, Index count) {
  if (!given.empty()) {
    check::size(kFitFunction, argument, static_cast<long long>(given.size()), count);
    return given;
  }
  std::vector<std::string> names;
  for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", letter, i));
  return names;
}

EquationPrediction predicted(const FunctionResiduals& residuals, const Experiments& data,
                             const VectorXd& theta) {
  EquationPrediction found;
  try {
    for (std::size_t e = 0; e < data.size(); ++e) {
      found.outputs.push_back(residuals.outputs(e, theta));
      found.residuals.push_back(data[e].output - found.outputs.back());
    }
  } catch (const optimize::Infeasible& reason) {
    EquationPrediction none;
    static_cast<Outcome&>(none) = {Status::NotFinite, reason.what()};
    return none;
  }
  found.rms.resize(data.front().output.cols());
  for (Index i = 0; i < found.rms.size(); ++i) found.rms(i) = rms_of(found.residuals, i, false);
  return found;
}

/// What the steps of the search share.
struct FunctionProblem {
  const ExactSimulation& simulation;
  std::vector<optimize::Parameter> parameters;  // with the best values as guesses
  const Experiments& data;
  const FunctionFitOptions& options;

  [[nodiscard]] FunctionResiduals residuals(const VectorXd& weights) const {
    return {simulation, parameters, data, weights, options.difference};
  }
};

void search_once(FunctionProblem& problem, OutputErrorResult& result) {
  const FunctionResiduals residuals = problem.residuals(result.weights);
  const optimize::Minimum found =
      optimize::minimise({problem.parameters, residuals.objective()}, problem.options.search);
  static_cast<Outcome&>(result) = found;
  result.parameters = found.parameters;
  result.cost = found.cost;
  result.evaluations += found.evaluations;
  result.at_bound = found.at_bound;
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    problem.parameters[i].guess = result.parameters(static_cast<Index>(i));
  }
  result.prediction = predicted(residuals, problem.data, result.parameters);
}

// Renews the weights of several outputs by their residuals until they stay, as output_error() does.
void search(FunctionProblem& problem, OutputErrorResult& result) {
  result.weights = first_weights(problem.data, problem.options.weights);
  search_once(problem, result);
  const bool weigh = problem.options.weights.size() == 0 && result.weights.size() > 1;
  for (int turn = 0; weigh && turn < kWeighings; ++turn) {
    if (!result.ok() || !result.prediction.ok()) return;
    const VectorXd weights =
        weights_by_residuals(problem.data, weighted_rms(problem.data, result.prediction.residuals));
    const bool settled = same_weights(weights, result.weights);
    result.weights = weights;
    search_once(problem, result);
    if (settled) return;
  }
}

void check_function_fit(const SimulateFunction& simulate, const Experiments& data,
                        const FunctionFitOptions& options) {
  if (!simulate) {
    throw InvalidInput({.function = kFitFunction, .argument = "simulate", .rule = "must be given"});
  }
  check_experiments(kFitFunction, data);
  check::in_range(kFitFunction, "difference", options.difference, 1e-12, 0.1);
  if (options.weights.size() > 0) {
    check::shape(kFitFunction, "weights", options.weights, data.front().output.cols(), 1);
  }
}

// From there on a parameter is hardly known; as warn_about_fit() has it.
constexpr double kHardlyKnown = 0.5;

void pass_over_nuisance(const std::vector<std::string>& nuisance,
                        optimize::EstimateStatistics& statistics) {
  const auto of_interest = [&](const std::string& name) {
    if (std::find(nuisance.begin(), nuisance.end(), name) != nuisance.end()) return false;
    const auto at = std::find(statistics.names.begin(), statistics.names.end(), name);
    const Eigen::Index i = at - statistics.names.begin();
    return i >= statistics.relative_deviations.size() ||
           !(statistics.relative_deviations(i) < kHardlyKnown);
  };
  const auto is_nuisance = [&](const std::string& name) {
    return std::find(nuisance.begin(), nuisance.end(), name) != nuisance.end();
  };
  std::erase_if(statistics.correlated, [&](const optimize::CorrelatedParameters& pair) {
    const bool any = is_nuisance(pair.first) || is_nuisance(pair.second);
    return any && !of_interest(pair.first) && !of_interest(pair.second);
  });
}

void judge_function(EquationFit& fit) {
  const OutputErrorResult& estimate = fit.estimate;
  static_cast<Outcome&>(fit) = estimate;
  if (fit.ok()) static_cast<Outcome&>(fit) = estimate.prediction;
  if (fit.ok()) static_cast<Outcome&>(fit) = estimate.statistics;
}

}  // namespace

EquationFit fit_function(const SimulateFunction& simulate,
                         const std::vector<optimize::Parameter>& parameters,
                         const Experiments& data, const FunctionFitOptions& options) {
  return fit_simulation({.values = simulate}, parameters, data, options);
}

EquationFit fit_simulation(const ExactSimulation& simulation,
                           const std::vector<optimize::Parameter>& parameters,
                           const Experiments& data, const FunctionFitOptions& options) {
  check_function_fit(simulation.values, data, options);
  EquationFit fit;
  fit.engine = "function";
  fit.parameters = parameters;
  fit.input_names = names_or("input_names", options.input_names, "u", data.front().input.cols());
  fit.output_names =
      names_or("output_names", options.output_names, "y", data.front().output.cols());
  const StepClock clock;
  FunctionProblem problem{simulation, parameters, data, options};
  search(problem, fit.estimate);
  if (fit.estimate.prediction.ok()) {
    fit.estimate.outputs = residual_verdicts(data, fit.estimate.prediction.residuals);
    const FunctionResiduals residuals = problem.residuals(fit.estimate.weights);
    find_column_statistics([&](const VectorXd& theta,
                               const MatrixXd& chain) { return residuals.blocks(theta, chain); },
                           parameters, fit.estimate);
    pass_over_nuisance(options.nuisance, fit.estimate.statistics);
    pass_over_nuisance(options.nuisance, fit.estimate.robust);
    fit.inputs = input_correlations(data, fit.estimate.prediction.residuals);
    fit.input_shares = input_shares(data, fit.estimate.prediction.residuals);
  }
  fit.search_seconds = clock.seconds();
  judge_function(fit);
  EquationFitOptions said;
  said.output_error.search = options.search;
  warn_about_fit(said, fit);
  EquationFitNames names;
  names.loss.clear();
  names.compare.clear();
  judge_trust(data, names, fit);
  return fit;
}

}  // namespace alembert::identify
