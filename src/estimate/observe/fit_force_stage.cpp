#include "estimate/observe/fit_force_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "alembert/estimate/force/two_stage.hpp"
#include "alembert/estimate/tune_noise.hpp"
#include "estimate/force/force_stage.hpp"
#include "estimate/observe/fit_noise.hpp"
#include "estimate/observe/fit_noise_likelihood.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kLowestWalk = 1.0;  // densities, in units of the forces
constexpr double kHighestWalk = 1e12;
constexpr double kWalkDecades = 2.0;  // searched around the best of one a decade

// The second stage along a motion that is known.
struct WalkSearch {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with the caller
  ObserveOptions options;
  VectorXd time;
  Eigen::MatrixXd readings;  // of the second stage
  NoiseStretch stretch;
  ForceDirection direction;
};

double walk_likelihood(const WalkSearch& search, const VectorXd& levels) {
  const StopFlag* const stop = search.options.stop;
  if (stop != nullptr && stop->requested()) return -std::numeric_limits<double>::infinity();
  KinematicObserverOptions options = search.options;
  options.output_noise.force_density.assign(levels.begin(), levels.end());
  Observer observer = force_stage_observer(search.mechanism, options, search.direction);
  const double limit = gate_limit(options.gate);
  VectorXd row(search.readings.cols());
  double sum = 0.0;
  for (Index k = 0; k < search.stretch.end; ++k) {
    row = search.readings.row(k).transpose();
    const double step = k == 0 ? 0.0 : search.time(k) - search.time(k - 1);
    const ObserverStep done =
        observer.step(step, {row.data(), static_cast<std::size_t>(row.size())});
    if (done.status != Status::Success) return -std::numeric_limits<double>::infinity();
    if (k >= search.stretch.first) {
      sum += bounded_likelihood(observer.innovation(), done.update, limit);
    }
  }
  return sum;
}

// Names of the forces that walk.
std::vector<std::string> walking_forces(const WalkSearch& search) {
  std::vector<std::string> names;
  for (const auto& force : search.mechanism->description().forces) {
    if (force.known == (search.direction == ForceDirection::Unknown)) names.push_back(force.name);
  }
  return names;
}

void fit_walks(const WalkSearch& search, ObserveResult& result) {
  std::vector<NoiseLevel> levels;
  for (const std::string& name : walking_forces(search)) {
    levels.push_back({.name = "density of force(" + name + ")", .decades = kWalkDecades});
  }
  VectorXd trial(static_cast<Index>(levels.size()));
  double best = -std::numeric_limits<double>::infinity();
  for (double density = kLowestWalk; density <= kHighestWalk; density *= 10.0) {
    trial.setConstant(density);
    const double likelihood = walk_likelihood(search, trial);
    if (!(likelihood > best)) continue;
    best = likelihood;
    for (NoiseLevel& level : levels) level.guess = density;
  }
  const TunedNoise tuned =
      tune_noise(levels, [&](const VectorXd& at) { return walk_likelihood(search, at); },
                 {.max_evaluations = 40 * static_cast<long>(levels.size()), .tolerance = 1e-5});
  result.options.output_noise.force_density.assign(tuned.levels.begin(), tuned.levels.end());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto k = static_cast<Index>(i);
    result.fitted.push_back({levels[i].name, tuned.levels(k), tuned.log_deviations(k)});
  }
  for (const std::string& name : tuned.at_bound) {
    result.warnings.push_back(fmt::format("no {} fits the readings; give it in the study", name));
  }
}

// The levels of the first stage, sought as if it were alone.
void fit_motion_stage(const Eigen::Ref<const VectorXd>& time,
                      const Eigen::Ref<const Eigen::MatrixXd>& readings, Index first,
                      ObserveResult& result) {
  ObserveResult alone = result;
  static_cast<KinematicObserverOptions&>(alone.options) =
      first_stage(*result.mechanism, result.options);
  std::erase_if(alone.options.fit_sigma,
                [&](int sensor) { return result.mechanism->force_read_by(sensor) >= 0; });
  fit_noise(time, readings, first, alone);
  result.mechanism = alone.mechanism;
  result.options.output.motion = alone.options.output.motion;
  result.options.output_noise.density = alone.options.output_noise.density;
  result.fitted = alone.fitted;
  result.warnings = alone.warnings;
  result.notes = alone.notes;
}

}  // namespace

void fit_two_stages(const Eigen::Ref<const VectorXd>& time,
                    const Eigen::Ref<const Eigen::MatrixXd>& readings, Index first,
                    ObserveResult& result) {
  const ObserveOptions& options = result.options;
  if (options.stages.motion == ObserverForm::Output) {
    fit_motion_stage(time, readings, first, result);
  }
  if (!options.fit_density || options.output.force_model == ForceModel::Constant) return;
  const KinematicEstimate motion =
      observe_record(result.mechanism, time, readings, first_stage(*result.mechanism, options),
                     {.keep_covariances = true, .stop = options.stop});
  if (motion.status == Status::Stopped) return;
  const WalkSearch search{.mechanism = result.mechanism,
                          .options = options,
                          .time = time,
                          .readings = force_stage_readings(*result.mechanism, motion, readings),
                          .stretch = noise_stretch(readings, {}, first),
                          .direction = force_direction(*result.mechanism, motion.mean, options)};
  fit_walks(search, result);
}

}  // namespace alembert::estimate
