#include "alembert/estimate/observe/tune_observer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/optimize/minimise.hpp"
#include "estimate/observe/fit_noise_likelihood.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSearchedDecades = 3.0;
constexpr long kRunsForEachLevel = 60;

void check_has_levels(const ObserveOptions& options) {
  const bool forces = options.form == ObserverForm::TwoStage;
  if (motion_form(options) != ObserverForm::Input || forces) return;
  throw InvalidInput({.function = "tune_observer",
                      .argument = "form",
                      .rule =
                          "must be output, dynamic or two-stage: the noise of the input form is "
                          "no level that the readings tell",
                      .value = "input"});
}

std::vector<int> sensors_with_sigma(const model::planar::Mechanism& mechanism) {
  std::vector<int> sensors;
  for (int i = 0; i < mechanism.sensors(); ++i) {
    if (mechanism.description().sensors[static_cast<std::size_t>(i)].sigma > 0.0) {
      sensors.push_back(i);
    }
  }
  return sensors;
}

// Sensors whose sigma is among the levels, in their order.
std::vector<int> fitted_sensors(const ObserveResult& result) {
  std::vector<int> sensors;
  const auto& all = result.mechanism->description().sensors;
  for (const FittedLevel& level : result.fitted) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (level.name == "sigma of " + all[i].name) sensors.push_back(static_cast<int>(i));
    }
  }
  return sensors;
}

/// Errors against the truth for given levels, by the same filter as the search for likelihood.
class ErrorSearch {
 public:
  ErrorSearch(const Eigen::Ref<const VectorXd>& time, const Eigen::Ref<const MatrixXd>& readings,
              const ObserveResult& tuned)
      : tuned_(tuned),
        search_{.time = time,
                .readings = readings,
                .mechanism = tuned.mechanism,
                .options = tuned.options,
                .motion = tuned.options.output.motion,
                .density = true,
                .sensors = fitted_sensors(tuned),
                .stretch = {},
                .stop = tuned.options.stop} {}

  // Rms errors of the states that are compared; empty if the filter fails.
  [[nodiscard]] VectorXd errors(const VectorXd& levels) const {
    const NoiseTrial trial = noise_trial(search_, levels);
    const KinematicEstimate estimate = observe_record(
        trial.mechanism, search_.time, search_.readings, trial.options, {.stop = search_.stop});
    if (!estimate.ok()) return {};
    const KnownMotion& truth = tuned_.options.truth;
    const Index offset = truth.values.rows() - estimate.mean.rows();
    const auto& states = tuned_.truth->states;
    VectorXd rms(static_cast<Index>(states.size()));
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto& column = tuned_.states[static_cast<std::size_t>(states[i].state)].column;
      const auto at = std::find(truth.columns.begin(), truth.columns.end(), column);
      const auto known = truth.values.col(at - truth.columns.begin());
      double sum = 0.0;
      Index count = 0;
      for (Index k = estimate.mean.rows() - tuned_.scored; k < estimate.mean.rows(); ++k) {
        const double error = estimate.mean(k, states[i].state) - known(k + offset);
        if (!std::isfinite(error)) continue;
        sum += error * error;
        ++count;
      }
      rms(static_cast<Index>(i)) = std::sqrt(sum / static_cast<double>(std::max<Index>(count, 1)));
    }
    return rms;
  }

  // n + Σ ln (rms_i / reference_i): of the size of n where the search begins, so that its tolerance
  // means something.
  [[nodiscard]] double cost(const VectorXd& levels, const VectorXd& reference) const {
    const VectorXd rms = errors(levels);
    if (rms.size() == 0 || !(rms.array() > 0.0).all()) {
      return std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(rms.size()) + (rms.array() / reference.array()).log().sum();
  }

 private:
  const ObserveResult& tuned_;
  NoiseSearch search_;
};

optimize::Problem problem_of(const ErrorSearch& search, const std::vector<FittedLevel>& levels,
                             const VectorXd& reference) {
  optimize::Problem problem;
  for (const FittedLevel& level : levels) {
    optimize::Parameter parameter;
    parameter.name = level.name;
    parameter.guess = level.value;
    parameter.lower = level.value * std::pow(10.0, -kSearchedDecades);
    parameter.upper = level.value * std::pow(10.0, kSearchedDecades);
    parameter.logarithmic = true;
    problem.parameters.push_back(parameter);
  }
  problem.objective.cost = [&search, &reference](const VectorXd& theta) {
    return search.cost(theta, reference);
  };
  return problem;
}

VectorXd values_of(const std::vector<FittedLevel>& levels) {
  VectorXd values(static_cast<Index>(levels.size()));
  for (std::size_t i = 0; i < levels.size(); ++i) values(static_cast<Index>(i)) = levels[i].value;
  return values;
}

void compare_with_best(const Eigen::Ref<const VectorXd>& time,
                       const Eigen::Ref<const MatrixXd>& readings, long max_evaluations,
                       ObserverTuning& tuning) {
  const ObserveResult& tuned = tuning.tuned;
  const ErrorSearch search(time, readings, tuned);
  const VectorXd found = values_of(tuned.fitted);
  const VectorXd at_found = search.errors(found);
  if (at_found.size() == 0) return;
  optimize::MinimiseOptions options;
  options.max_evaluations = max_evaluations > 0
                                ? max_evaluations
                                : kRunsForEachLevel * static_cast<long>(tuned.fitted.size());
  options.cost_tolerance = 1e-5;
  options.step_tolerance = 1e-3;
  const optimize::Minimum minimum =
      optimize::minimise(problem_of(search, tuned.fitted, at_found), options);
  tuning.evaluations = minimum.evaluations;
  // The search begins at what was found, and cannot end above it.
  const bool better = minimum.cost < static_cast<double>(at_found.size());
  const VectorXd levels = better ? minimum.parameters : found;
  const VectorXd at_best = better ? search.errors(levels) : at_found;
  for (std::size_t i = 0; i < tuned.fitted.size(); ++i) {
    tuning.best.push_back({tuned.fitted[i].name, levels(static_cast<Index>(i)),
                           std::numeric_limits<double>::quiet_NaN()});
  }
  double sum = 0.0;
  for (Index i = 0; i < at_found.size(); ++i) {
    tuning.errors.push_back({.state = tuned.truth->states[static_cast<std::size_t>(i)].state,
                             .tuned = at_found(i),
                             .best = at_best(i)});
    sum += std::log(at_found(i) / at_best(i));
  }
  tuning.excess = std::exp(sum / static_cast<double>(at_found.size())) - 1.0;
}

}  // namespace

ObserverTuning tune_observer(std::shared_ptr<const model::planar::Mechanism> mechanism,
                             const Eigen::Ref<const VectorXd>& time,
                             const Eigen::Ref<const MatrixXd>& readings,
                             const TuneObserverOptions& options) {
  check_has_levels(options);
  ObserveOptions asked = options;
  asked.fit_density = true;
  asked.smooth = false;
  if (options.sigmas && asked.fit_sigma.empty()) asked.fit_sigma = sensors_with_sigma(*mechanism);
  ObserverTuning tuning;
  tuning.excess = std::numeric_limits<double>::quiet_NaN();
  tuning.tuned = observe(std::move(mechanism), time, readings, asked);
  tuning.status = tuning.tuned.status;
  tuning.message = tuning.tuned.message;
  const ObserveResult& tuned = tuning.tuned;
  const bool can_compare =
      tuned.ok() && tuned.truth && !tuned.fitted.empty() && options.form != ObserverForm::TwoStage;
  if (can_compare) {
    const Index rest = time.size() - tuned.first;
    compare_with_best(time.tail(rest), readings.bottomRows(rest), options.max_evaluations, tuning);
  }
  return tuning;
}

}  // namespace alembert::estimate
