#include <algorithm>
#include <cmath>

#include "alembert/core/parallel.hpp"
#include "alembert/optimize/profile.hpp"
#include "alembert/optimize/student.hpp"
#include "study/parts/names.hpp"
#include "study/tasks/output_error/output_error_steps.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kLevel = 0.95;
// Further points between the estimate and each end, for the figure.
constexpr int kPointsOnASide = 4;

ParameterProfile profile_of(const model::CompiledEquations& model, const OutputErrorOutcome& result,
                            const std::string& name, const StopFlag* stop) {
  const OutputErrorStudy& study = result.study;
  const identify::OutputErrorResult& estimate = result.estimate;
  const optimize::EstimateStatistics& statistics = estimate.statistics;
  const Index samples = identify::measured_samples(study.data.experiments);
  ParameterProfile profile;
  profile.name = name;
  profile.limit = optimize::profile_limit(estimate.cost, samples, statistics.rank, kLevel);
  const Index place = index_of(statistics.names, name);
  const double deviation = place < 0 ? 0.0 : statistics.deviations(place);
  const bool known = std::isfinite(deviation) && deviation > 0.0;
  // The weights are those of the estimate, or costs could not be compared.
  const optimize::Problem problem{
      study.parameters,
      identify::output_error_objective(model, study.data.experiments, study.options.simulation,
                                       estimate.weights)};
  optimize::Minimum minimum;
  minimum.parameters = estimate.parameters;
  minimum.cost = estimate.cost;
  optimize::MinimiseOptions local = study.options.search;
  local.stop = stop;
  local.on_improvement = {};
  const auto parameter =
      std::find_if(study.parameters.begin(), study.parameters.end(),
                   [&](const optimize::Parameter& one) { return one.name == name; });
  const double size = std::abs(estimate.parameters(parameter - study.parameters.begin()));
  profile.interval = optimize::profile_interval(
      problem, minimum, name,
      {.limit = profile.limit,
       // Without a standard deviation the search has to feel its way.
       .first_step = known ? 2.0 * deviation : 0.01 * (size > 0.0 ? size : 1.0),
       .between = kPointsOnASide},
      local);
  return profile;
}

}  // namespace

void find_profiles(const model::CompiledEquations& model, const RunOptions& options,
                   OutputErrorOutcome& result) {
  const std::vector<std::string>& names = result.study.profiles;
  // Fits of whole records with a parameter held could not be compared with those of windows.
  if (result.estimate.windows > 0) return;
  const bool found = result.estimate.ok() && result.has_prediction() && result.estimate.cost > 0.0;
  if (names.empty() || !found) return;
  std::vector<ParameterProfile> profiles(names.size());
  const std::size_t finished = parallel_for(
      names.size(),
      [&](std::size_t i) { profiles[i] = profile_of(model, result, names[i], options.stop); },
      {.threads = options.threads, .on_progress = options.on_progress, .stop = options.stop});
  // A search that was stopped ends early and cannot be trusted.
  const bool stopped =
      finished < names.size() || (options.stop != nullptr && options.stop->requested());
  if (!stopped) {
    result.profiles = std::move(profiles);
  } else if (result.ok()) {
    result.status = Status::Stopped;
    result.message = "stopped on request before the profiles were found; the estimate is complete";
  }
}

}  // namespace alembert::study
