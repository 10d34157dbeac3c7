#include "identify/output_error/equation_fit/profiles.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/parallel.hpp"
#include "identify/output_error/equation_fit/parameter_verdict.hpp"
#include "identify/output_error/loss/robust.hpp"

namespace alembert::identify {
namespace {

constexpr double kProfileLevel = 0.95;
// Further points between the estimate and each end, for the figure.
constexpr int kPointsOnASide = 4;

// Where the search for the ends begins.
double first_step_of(const EquationFit& fit, const std::string& name) {
  const double deviation = known_deviation(fit.estimate.trusted(), name);
  if (std::isfinite(deviation) && deviation > 0.0) return 2.0 * deviation;
  // Without a standard deviation the search has to feel its way.
  const auto parameter =
      std::find_if(fit.parameters.begin(), fit.parameters.end(),
                   [&](const optimize::Parameter& one) { return one.name == name; });
  const double size = std::abs(fit.estimate.parameters(parameter - fit.parameters.begin()));
  return 0.01 * (size > 0.0 ? size : 1.0);
}

// The cost at the ends. Coloured residuals make the curve of the cost too narrow by the ratio of
// the deviations: with it the ends of a parabola are those of Student's interval.
double limit_of(const FitProblem& given, const EquationFit& fit, const std::string& name) {
  const OutputErrorResult& estimate = fit.estimate;
  const ParameterVerdict verdict = fit.parameter(name);
  const double margin = verdict.margin / verdict.white;
  const bool known = std::isfinite(margin) && margin > 0.0;
  if (known) return estimate.cost + estimate.statistics.noise_variance * margin * margin;
  return optimize::profile_limit(estimate.cost, measured_samples(given.data),
                                 estimate.statistics.rank, kProfileLevel);
}

ParameterProfile profile_of(const FitProblem& given, const EquationFit& fit,
                            const std::string& name) {
  const OutputErrorOptions& options = given.options.output_error;
  const OutputErrorResult& estimate = fit.estimate;
  ParameterProfile profile;
  profile.name = name;
  profile.limit = limit_of(given, fit, name);
  // The weights are those of the estimate, or costs could not be compared.
  const Experiments data = fitted_data(given.data, options, estimate);
  const optimize::Problem problem{
      fit.parameters,
      output_error_objective(given.model, data, options.simulation, estimate.weights)};
  optimize::Minimum minimum;
  minimum.parameters = estimate.parameters;
  minimum.cost = estimate.cost;
  optimize::MinimiseOptions local = options.search;
  local.on_improvement = {};
  profile.interval = optimize::profile_interval(
      problem, minimum, name,
      {.limit = profile.limit, .first_step = first_step_of(fit, name), .between = kPointsOnASide},
      local);
  return profile;
}

}  // namespace

void find_profiles(const FitProblem& problem, EquationFit& fit) {
  const std::vector<std::string>& names = problem.options.profiles;
  const OutputErrorOptions& search = problem.options.output_error;
  // Fits of whole records with a parameter held could not be compared with those of windows.
  if (fit.estimate.windows > 0) return;
  const bool found = fit.estimate.ok() && fit.has_prediction() && fit.estimate.cost > 0.0;
  if (names.empty() || !found) return;
  const StopFlag* stop = search.search.stop;
  std::vector<ParameterProfile> profiles(names.size());
  const std::size_t finished = parallel_for(
      names.size(), [&](std::size_t i) { profiles[i] = profile_of(problem, fit, names[i]); },
      {.threads = search.threads, .on_progress = search.on_progress, .stop = stop});
  // A search that was stopped ends early and cannot be trusted.
  const bool stopped = finished < names.size() || (stop != nullptr && stop->requested());
  if (!stopped) {
    fit.profiles = std::move(profiles);
  } else if (fit.ok()) {
    fit.status = Status::Stopped;
    fit.message = "stopped on request before the profiles were found; the estimate is complete";
  }
}

}  // namespace alembert::identify
