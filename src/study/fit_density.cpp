#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/estimate/tune_noise.hpp"
#include "study/judge_observe.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

constexpr Index kMostSamples = 2500;  // that the search looks at
constexpr double kFirstDensity = 100.0;
constexpr double kDecades = 9.0;
constexpr long kRunsForEach = 40;

// ln p of the readings for given densities, from sample `first` on: before it the start is not
// forgotten, and may be anything but Gaussian.
double likelihood_of(const ObserveStudy& study, estimate::KinematicObserverOptions options,
                     const Eigen::VectorXd& densities, Index first) {
  options.output_noise.density.assign(densities.begin(), densities.end());
  estimate::KinematicObserver observer(study.mechanism, options);
  const Index samples = std::min(first + kMostSamples, study.readings.rows());
  Eigen::VectorXd row(study.readings.cols());
  double sum = 0.0;
  for (Index k = 0; k < samples; ++k) {
    row = study.readings.row(k).transpose();
    const double step = k == 0 ? 0.0 : study.time[k] - study.time[k - 1];
    const estimate::ObserverStep result =
        observer.step(step, {row.data(), static_cast<std::size_t>(row.size())});
    if (result.status != Status::Success) return -std::numeric_limits<double>::infinity();
    if (result.update.accepted && k >= first) sum += observer.innovation().log_likelihood();
  }
  return sum;
}

}  // namespace

void fit_density(ObserveResult& result, Index first) {
  ObserveStudy& study = result.study;
  std::vector<estimate::NoiseLevel> levels;
  for (const model::planar::Coordinate& one : study.mechanism->description().coordinates) {
    levels.push_back(
        {.name = model::planar::to_string(one), .guess = kFirstDensity, .decades = kDecades});
  }
  // The fastest filter will do, and an outlier must not be gained by calling it one.
  estimate::KinematicObserverOptions options = study.options;
  options.filter = estimate::ObserverFilter::Ekf;
  const estimate::TunedNoise tuned = estimate::tune_noise(
      levels,
      [&](const Eigen::VectorXd& densities) {
        return likelihood_of(study, options, densities, first);
      },
      {.max_evaluations = kRunsForEach * static_cast<long>(levels.size()), .tolerance = 1e-5});
  std::vector<double>& density = study.options.output_noise.density;
  density.clear();
  // Three digits are more than a density is known to.
  for (const double level : tuned.levels) {
    density.push_back(std::stod(fmt::format("{:.3g}", level)));
  }
  for (const std::string& name : tuned.at_bound) {
    result.warnings.push_back(
        fmt::format("no density of {} fits the readings; give observe.density", name));
  }
}

}  // namespace alembert::study
