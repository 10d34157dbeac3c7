#include "estimate/observe/fit_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "alembert/core/enum_names.hpp"
#include "alembert/estimate/tune_noise.hpp"
#include "estimate/observe/fit_noise_likelihood.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

constexpr double kLowestDensity = 1e-6;
constexpr double kHighestDensity = 1e12;
constexpr double kLowestForce = 1.0;  // densities of forces, in their units
constexpr double kHighestForce = 1e8;
constexpr double kForceRaster = 100.0;
constexpr double kDensityDecades = 4.0;  // searched around the best of the grid
constexpr double kSigmaDecades = 3.0;    // a factor of 1000
constexpr long kRunsForEach = 40;
constexpr Index kFewestForSigma = 20;  // readings: 1/√(2 · 20) = 16 % at best
// A standard deviation that is known to less than a factor of 2 is not known; a density is a
// variance.
constexpr double kSigmaUnknown = std::numbers::ln2;
constexpr double kDensityUnknown = 2.0 * std::numbers::ln2;
// ln p by which another motion model is surely better: odds of 150 to 1.
constexpr double kSurelyBetter = 5.0;

std::vector<NoiseLevel> levels_to_find(const NoiseSearch& search) {
  std::vector<NoiseLevel> levels;
  const model::planar::MechanismDescription& description = search.mechanism->description();
  if (search.density) {
    if (search.options.form == ObserverForm::Dynamic) {
      levels = {{.name = "variance of accelerations", .decades = kDensityDecades}};
    }
    for (const model::planar::Coordinate& one : description.coordinates) {
      if (search.options.form == ObserverForm::Dynamic) break;
      levels.push_back(
          {.name = "density of " + model::planar::to_string(one), .decades = kDensityDecades});
    }
    for (const model::planar::Force& force : description.forces) {
      if (force.known || fitted_forces(search) == 0) continue;
      levels.push_back(
          {.name = "density of force(" + force.name + ")", .decades = kDensityDecades});
    }
  }
  for (const int sensor : search.sensors) {
    const model::planar::Sensor& one = description.sensors[static_cast<std::size_t>(sensor)];
    levels.push_back(
        {.name = "sigma of " + one.name, .guess = one.sigma, .decades = kSigmaDecades});
  }
  return levels;
}

// A wrong density can have a likelihood with a hill of its own, where the filter has lost the
// motion: the search starts at the best of one density a decade, the same for all coordinates.
// False if the filter failed with all of them.
bool guess_density(const NoiseSearch& search, std::vector<NoiseLevel>& levels) {
  Eigen::VectorXd trial(static_cast<Index>(levels.size()));
  for (std::size_t i = 0; i < levels.size(); ++i) trial(static_cast<Index>(i)) = levels[i].guess;
  const int motion = motion_levels(search);
  const int forces = fitted_forces(search);
  double best = -std::numeric_limits<double>::infinity();
  double guess = 1.0;
  double force_guess = 1.0;
  for (double force = kLowestForce; force <= kHighestForce; force *= kForceRaster) {
    trial.segment(motion, forces).setConstant(force);
    for (double density = kLowestDensity; density <= kHighestDensity; density *= 10.0) {
      trial.head(motion).setConstant(density);
      const double likelihood = noise_likelihood(search, trial);
      if (!(likelihood > best)) continue;
      best = likelihood;
      guess = density;
      force_guess = force;
    }
    if (forces == 0) break;
  }
  for (int i = 0; i < motion + forces; ++i) {
    levels[static_cast<std::size_t>(i)].guess = i < motion ? guess : force_guess;
  }
  return std::isfinite(best);
}

// Three digits are more than a noise level is known to.
double rounded(double level) { return std::stod(fmt::format("{:.3g}", level)); }

struct FoundNoise {
  std::vector<NoiseLevel> levels;
  TunedNoise tuned;
  std::vector<Index> limits = {};  // levels that are the largest which the readings allow

  [[nodiscard]] double deviation(Index level) const { return tuned.log_deviations(level); }
  [[nodiscard]] bool at_bound(Index level) const {
    const std::string& name = levels[static_cast<std::size_t>(level)].name;
    return std::find(tuned.at_bound.begin(), tuned.at_bound.end(), name) != tuned.at_bound.end();
  }
};

// The density that was guessed with a sigma far off may lie beyond the search: it ended at a bound
// with a sigma that did not. Then the next search starts from that sigma; false: there is no need.
bool start_from_found_sigma(FoundNoise& found, Index densities) {
  bool density_at_bound = false;
  for (Index i = 0; i < found.tuned.levels.size(); ++i) {
    if (!found.at_bound(i)) continue;
    if (i >= densities) return false;
    density_at_bound = true;
  }
  if (!density_at_bound || densities == found.tuned.levels.size()) return false;
  for (Index i = densities; i < found.tuned.levels.size(); ++i) {
    found.levels[static_cast<std::size_t>(i)].guess = found.tuned.levels(i);
  }
  return true;
}

void tune_levels(const NoiseSearch& search, FoundNoise& found) {
  found.tuned = tune_noise(
      found.levels, [&](const Eigen::VectorXd& at) { return noise_likelihood(search, at); },
      {.max_evaluations = kRunsForEach * static_cast<long>(found.levels.size()),
       .tolerance = 1e-5});
}

// None if the mechanism cannot follow the readings with any density, or on a request to stop.
std::optional<FoundNoise> greatest_likelihood(const NoiseSearch& search) {
  constexpr int kMostSearches = 3;
  if (search.stop != nullptr && search.stop->requested()) return std::nullopt;
  FoundNoise found{.levels = levels_to_find(search), .tuned = {}};
  const Index densities = search.density ? motion_levels(search) + fitted_forces(search) : 0;
  for (int k = 0; k < kMostSearches; ++k) {
    if (search.density && !guess_density(search, found.levels)) return std::nullopt;
    tune_levels(search, found);
    if (!start_from_found_sigma(found, densities)) break;
  }
  for (double& level : found.tuned.levels) level = rounded(level);
  return found;
}

std::string sensor_name(const NoiseSearch& search, int sensor) {
  return search.mechanism->description().sensors[static_cast<std::size_t>(sensor)].name;
}

// Its guess stays.
void give_up(const NoiseSearch& search, int sensor, const std::string& reason,
             ObserveResult& result) {
  const double guess =
      search.mechanism->description().sensors[static_cast<std::size_t>(sensor)].sigma;
  result.warnings.push_back(
      fmt::format("sigma of {} could not be found and stays {:.3g}, as "
                  "guessed: {}",
                  sensor_name(search, sensor), guess, reason));
}

void drop_sensors_with_few_readings(NoiseSearch& search, ObserveResult& result) {
  const auto has_few = [&](int sensor) {
    const Index readings = readings_within(search.readings, sensor, search.stretch);
    if (readings >= kFewestForSigma) return false;
    give_up(search, sensor,
            fmt::format("{} readings in the {} samples looked at are too few", readings,
                        search.stretch.end - search.stretch.first),
            result);
    return true;
  };
  std::erase_if(search.sensors, has_few);
}

// True if there were any.
bool drop_sensors_that_are_not_told(const FoundNoise& found, NoiseSearch& search,
                                    ObserveResult& result) {
  Index next = found.tuned.levels.size() - static_cast<Index>(search.sensors.size());
  const auto is_not_told = [&](int sensor) {
    const Index level = next++;
    if (found.at_bound(level)) {
      give_up(search, sensor, "what fits lies beyond 1000 times the guess, up or down", result);
      return true;
    }
    if (found.deviation(level) <= kSigmaUnknown) return false;
    give_up(search, sensor, "the readings do not determine it", result);
    return true;
  };
  return std::erase_if(search.sensors, is_not_told) > 0;
}

// A motion smoother or rougher than its model changes what is left for the noise of the sensors by
// more than the likelihood of the model knows. The other model is asked: if it explains the
// readings better, what it says otherwise is added to the deviation.
void ask_other_motion(const NoiseSearch& search, FoundNoise& found, ObserveResult& result) {
  NoiseSearch other = search;
  other.motion =
      search.motion == MotionModel::WhiteJerk ? MotionModel::WhiteSnap : MotionModel::WhiteJerk;
  other.density = true;
  const std::optional<FoundNoise> second = greatest_likelihood(other);
  if (!second || !(second->tuned.log_likelihood > found.tuned.log_likelihood + kSurelyBetter)) {
    return;
  }
  const auto sensors = static_cast<Index>(search.sensors.size());
  for (Index i = 0; i < sensors; ++i) {
    const Index at = found.tuned.levels.size() - sensors + i;
    const double sigma = second->tuned.levels(second->tuned.levels.size() - sensors + i);
    const double apart = std::log(sigma / found.tuned.levels(at));
    if (std::abs(apart) <= found.deviation(at)) continue;
    // s² = s_likelihood² + (ln σ_other - ln σ)²
    found.tuned.log_deviations(at) = std::hypot(found.deviation(at), apart);
    result.notes.push_back(
        fmt::format("motion = \"{}\" fits the readings better and gives {} = {:.3g}",
                    name_of(other.motion), found.levels[static_cast<std::size_t>(at)].name, sigma));
  }
}

// The motion model that fits the readings surely better than the one that was asked for first.
void take_better_motion(NoiseSearch& search, FoundNoise& found, ObserveResult& result) {
  NoiseSearch other = search;
  other.motion =
      search.motion == MotionModel::WhiteJerk ? MotionModel::WhiteSnap : MotionModel::WhiteJerk;
  std::optional<FoundNoise> second = greatest_likelihood(other);
  if (!second || !(second->tuned.log_likelihood > found.tuned.log_likelihood + kSurelyBetter)) {
    return;
  }
  search.motion = other.motion;
  found = std::move(*second);
  result.notes.push_back(fmt::format("motion = \"{}\" fits the readings better and was taken",
                                     name_of(search.motion)));
}

// The largest level that the readings do not contradict, the others held: ln p is then less by half
// the 95 % point of χ² with one degree of freedom. None if they contradict none.
std::optional<double> largest_allowed(const NoiseSearch& search, const FoundNoise& found, Index i) {
  constexpr double kAllowed = 1.92;
  constexpr int kMostDecades = 12;
  constexpr int kHalvings = 6;
  Eigen::VectorXd trial = found.tuned.levels;
  const auto allowed = [&](double log_level) {
    trial(i) = std::pow(10.0, log_level);
    return noise_likelihood(search, trial) > found.tuned.log_likelihood - kAllowed;
  };
  double inside = std::log10(found.tuned.levels(i));
  double outside = inside + 1.0;
  for (int k = 0; allowed(outside); ++k) {
    if (k == kMostDecades) return std::nullopt;
    inside = outside;
    outside += 1.0;
  }
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (inside + outside);
    (allowed(middle) ? inside : outside) = middle;
  }
  return std::pow(10.0, inside);
}

// In the dynamic form z'' is a function of the other states but for the noise that a step adds to
// it. Where the likelihood does not end below, any small variance fits, and with the smallest the
// covariance would know z'' from the others better than its own linearisation does. So the largest
// is taken that the readings allow.
void take_upper_limits(const NoiseSearch& search, FoundNoise& found, ObserveResult& result) {
  const Index densities = found.tuned.levels.size() - static_cast<Index>(search.sensors.size());
  for (Index i = 0; i < densities; ++i) {
    const NoiseLevel& level = found.levels[static_cast<std::size_t>(i)];
    const bool told = !found.at_bound(i) && found.deviation(i) <= kDensityUnknown;
    if (told || (found.at_bound(i) && found.tuned.levels(i) > level.guess)) continue;
    const std::optional<double> limit = largest_allowed(search, found, i);
    if (!limit) continue;
    found.tuned.levels(i) = rounded(*limit);
    found.limits.push_back(i);
    result.notes.push_back(
        fmt::format("the readings tell only that the {} is at most {:.3g} (95 %), which was taken",
                    level.name, found.tuned.levels(i)));
  }
}

void warn_about_levels(const NoiseSearch& search, FoundNoise& found, ObserveResult& result) {
  const Index densities = found.tuned.levels.size() - static_cast<Index>(search.sensors.size());
  for (Index i = 0; i < found.tuned.levels.size(); ++i) {
    const std::string& name = found.levels[static_cast<std::size_t>(i)].name;
    const bool limit = std::find(found.limits.begin(), found.limits.end(), i) != found.limits.end();
    if (limit) {
      found.tuned.log_deviations(i) = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const bool known = found.deviation(i) <= (i < densities ? kDensityUnknown : kSigmaUnknown);
    if (found.at_bound(i)) {
      result.warnings.push_back(fmt::format("no {} fits the readings; give it in the study", name));
    } else if (!known) {
      result.warnings.push_back(
          fmt::format("the readings do not determine the {}; give it in the study", name));
    }
    if (found.at_bound(i) || !known) {
      found.tuned.log_deviations(i) = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

void take_levels(const NoiseSearch& search, const FoundNoise& found, ObserveResult& result) {
  const NoiseTrial trial = noise_trial(search, found.tuned.levels);
  for (std::size_t i = 0; i < found.levels.size(); ++i) {
    const auto k = static_cast<Index>(i);
    result.fitted.push_back({found.levels[i].name, found.tuned.levels(k), found.deviation(k)});
  }
  result.mechanism = trial.mechanism;
  result.options.output_noise = trial.options.output_noise;
  result.options.input_noise = trial.options.input_noise;
  result.options.output.motion = search.motion;
}

}  // namespace

void fit_noise(const Eigen::Ref<const Eigen::VectorXd>& time,
               const Eigen::Ref<const Eigen::MatrixXd>& readings, Index first,
               ObserveResult& result) {
  ObserveOptions& options = result.options;
  NoiseSearch search{.time = time,
                     .readings = readings,
                     .mechanism = result.mechanism,
                     .options = options,
                     .motion = options.output.motion,
                     .density = options.fit_density,
                     .sensors = options.fit_sigma,
                     .stretch = noise_stretch(readings, options.fit_sigma, first),
                     .stop = options.stop};
  drop_sensors_with_few_readings(search, result);
  while (search.density || !search.sensors.empty()) {
    std::optional<FoundNoise> found = greatest_likelihood(search);
    if (!found) {
      options.output_noise.density = {1.0};
      result.warnings.push_back(
          "no density could be fitted: the mechanism cannot follow the readings with any; look at "
          "the geometry and the start, or give observe.density");
      return;
    }
    if (drop_sensors_that_are_not_told(*found, search, result)) continue;
    const bool has_motion = options.form == ObserverForm::Output;
    if (has_motion && options.fit_motion && search.density) {
      take_better_motion(search, *found, result);
    } else if (has_motion && !search.sensors.empty()) {
      ask_other_motion(search, *found, result);
    }
    if (options.form == ObserverForm::Dynamic && search.density) {
      take_upper_limits(search, *found, result);
    }
    warn_about_levels(search, *found, result);
    take_levels(search, *found, result);
    return;
  }
}

}  // namespace alembert::estimate
