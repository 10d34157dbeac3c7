#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/chi_square.hpp"
#include "alembert/estimate/tune_noise.hpp"
#include "study/judge_observe.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using model::planar::Mechanism;

constexpr Index kMostSamples = 2500;  // that the search looks at
constexpr double kLowestDensity = 1e-6;
constexpr double kHighestDensity = 1e12;
constexpr double kDensityDecades = 4.0;  // searched around the best of the grid
constexpr double kSigmaDecades = 3.0;
constexpr long kRunsForEach = 40;

// What levels mean: a density for each coordinate, where they are sought, then a standard deviation
// for each sensor that is named.
struct NoiseTrial {
  std::shared_ptr<const Mechanism> mechanism;  // constant, shared with the observer
  estimate::KinematicObserverOptions options;
};

NoiseTrial trial_of(const ObserveStudy& study, const Eigen::VectorXd& levels) {
  NoiseTrial trial{study.mechanism, study.options};
  // The fastest filter will do.
  trial.options.filter = estimate::ObserverFilter::Ekf;
  trial.options.adapt = {};
  Index next = 0;
  if (study.fit_density) {
    next = study.mechanism->coordinates();
    trial.options.output_noise.density.assign(levels.begin(), levels.begin() + next);
  }
  if (study.fit_sigma.empty()) return trial;
  model::planar::MechanismDescription description = study.mechanism->description();
  for (const int sensor : study.fit_sigma) {
    description.sensors[static_cast<std::size_t>(sensor)].sigma = levels(next++);
  }
  trial.mechanism = std::make_shared<const Mechanism>(std::move(description));
  return trial;
}

// ln p of the readings of a sample. One that the gate keeps out counts as if it were at its limit,
// so that nothing is gained by calling it an outlier.
double bounded_likelihood(const estimate::Innovation<double, Eigen::Dynamic>& innovation,
                          const estimate::UpdateReport& report, double limit) {
  double sum = 0.0;
  if (report.accepted) {
    sum = innovation.log_likelihood();
  } else if (report.rejected > innovation.gated) {
    const double excess = report.nis - limit * innovation.count;
    sum = innovation.log_likelihood() + 0.5 * std::max(0.0, excess);
  }
  for (int i = 0; i < innovation.gated; ++i) {
    const double variance = innovation.gated_variances(i);
    sum -= 0.5 * (std::log(2.0 * std::numbers::pi * variance) + limit);
  }
  return sum;
}

// ln p of the readings from sample `first` on: before it the start is not forgotten, and may be
// anything but Gaussian.
double likelihood_of(const ObserveStudy& study, const Eigen::VectorXd& levels, Index first) {
  const NoiseTrial trial = trial_of(study, levels);
  estimate::KinematicObserver observer(trial.mechanism, trial.options);
  const Index samples = std::min(first + kMostSamples, study.readings.rows());
  const double probability = trial.options.gate.probability;
  const double limit = probability < 1.0 ? chi_square_quantile(probability, 1.0) : 0.0;
  Eigen::VectorXd row(study.readings.cols());
  double sum = 0.0;
  for (Index k = 0; k < samples; ++k) {
    row = study.readings.row(k).transpose();
    const double step = k == 0 ? 0.0 : study.time[k] - study.time[k - 1];
    const estimate::ObserverStep result =
        observer.step(step, {row.data(), static_cast<std::size_t>(row.size())});
    if (result.status != Status::Success) return -std::numeric_limits<double>::infinity();
    if (k >= first) sum += bounded_likelihood(observer.innovation(), result.update, limit);
  }
  return sum;
}

std::vector<estimate::NoiseLevel> levels_to_find(const ObserveStudy& study) {
  std::vector<estimate::NoiseLevel> levels;
  const model::planar::MechanismDescription& description = study.mechanism->description();
  if (study.fit_density) {
    for (const model::planar::Coordinate& one : description.coordinates) {
      levels.push_back(
          {.name = "density of " + model::planar::to_string(one), .decades = kDensityDecades});
    }
  }
  for (const int sensor : study.fit_sigma) {
    const model::planar::Sensor& one = description.sensors[static_cast<std::size_t>(sensor)];
    levels.push_back(
        {.name = "sigma of " + one.name, .guess = one.sigma, .decades = kSigmaDecades});
  }
  return levels;
}

// A wrong density can have a likelihood with a hill of its own, where the filter has lost the
// motion: the search starts at the best of one density a decade, the same for all coordinates.
// False if the filter failed with all of them.
bool guess_density(const ObserveStudy& study, Index first,
                   std::vector<estimate::NoiseLevel>& levels) {
  Eigen::VectorXd trial(static_cast<Index>(levels.size()));
  for (std::size_t i = 0; i < levels.size(); ++i) trial(static_cast<Index>(i)) = levels[i].guess;
  const int coordinates = study.mechanism->coordinates();
  double best = -std::numeric_limits<double>::infinity();
  double guess = 1.0;
  for (double density = kLowestDensity; density <= kHighestDensity; density *= 10.0) {
    trial.head(coordinates).setConstant(density);
    const double likelihood = likelihood_of(study, trial, first);
    if (!(likelihood > best)) continue;
    best = likelihood;
    guess = density;
  }
  for (int i = 0; i < coordinates; ++i) levels[static_cast<std::size_t>(i)].guess = guess;
  return std::isfinite(best);
}

// Three digits are more than a noise level is known to.
double rounded(double level) { return std::stod(fmt::format("{:.3g}", level)); }

}  // namespace

void fit_noise(ObserveResult& result, Index first) {
  ObserveStudy& study = result.study;
  std::vector<estimate::NoiseLevel> levels = levels_to_find(study);
  if (study.fit_density && !guess_density(study, first, levels)) {
    study.options.output_noise.density = {levels.front().guess};
    result.warnings.push_back(
        "no density could be fitted: the mechanism cannot follow the readings with any; look at "
        "the geometry and the start, or give observe.density");
    return;
  }
  estimate::TunedNoise tuned = estimate::tune_noise(
      levels, [&](const Eigen::VectorXd& at) { return likelihood_of(study, at, first); },
      {.max_evaluations = kRunsForEach * static_cast<long>(levels.size()), .tolerance = 1e-5});
  for (double& level : tuned.levels) level = rounded(level);
  const NoiseTrial found = trial_of(study, tuned.levels);
  study.mechanism = found.mechanism;
  study.options.output_noise = found.options.output_noise;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto k = static_cast<Index>(i);
    result.fitted.push_back({levels[i].name, tuned.levels(k), tuned.log_deviations(k)});
  }
  for (const std::string& name : tuned.at_bound) {
    result.warnings.push_back(fmt::format("no {} fits the readings; give it in the study", name));
  }
}

}  // namespace alembert::study
