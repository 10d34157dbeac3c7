#include "estimate/observe/fit_noise_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/chi_square.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;
using model::planar::Mechanism;

constexpr Index kMostSamples = 2500;  // that are counted
constexpr Index kPlentyReadings = 250;

// The number of readings of a sensor before each sample.
std::vector<Index> readings_before(const Eigen::Ref<const Eigen::MatrixXd>& readings, int sensor) {
  std::vector<Index> before(static_cast<std::size_t>(readings.rows()) + 1, 0);
  for (std::size_t k = 1; k < before.size(); ++k) {
    const bool read = !std::isnan(readings(static_cast<Index>(k) - 1, sensor));
    before[k] = before[k - 1] + (read ? 1 : 0);
  }
  return before;
}

}  // namespace

double gate_limit(const GateOptions& gate) {
  return gate.probability < 1.0 ? chi_square_quantile(gate.probability, 1.0) : 0.0;
}

double bounded_likelihood(const Innovation<double, Eigen::Dynamic>& innovation,
                          const UpdateReport& report, double limit) {
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

int motion_levels(const NoiseSearch& search) {
  return search.options.form == ObserverForm::Dynamic ? 1 : search.mechanism->coordinates();
}

int fitted_forces(const NoiseSearch& search) {
  const OutputFormOptions& output = search.options.output;
  if (!output.forces || output.force_model == ForceModel::Constant) return 0;
  const auto& forces = search.mechanism->description().forces;
  return static_cast<int>(
      std::count_if(forces.begin(), forces.end(), [](const auto& one) { return !one.known; }));
}

NoiseTrial noise_trial(const NoiseSearch& search, const Eigen::VectorXd& levels) {
  NoiseTrial trial{search.mechanism, search.options};
  // The fastest filter will do.
  trial.options.filter = FilterRule::Ekf;
  trial.options.adapt = {};
  trial.options.output.motion = search.motion;
  Index next = 0;
  if (search.density) {
    next = motion_levels(search);
    if (search.options.form == ObserverForm::Dynamic) {
      const double step = (search.time(search.time.size() - 1) - search.time(0)) /
                          static_cast<double>(search.time.size() - 1);
      trial.options.input_noise.kinematic = {0.0, levels(0) * step * step, levels(0)};
    } else {
      trial.options.output_noise.density.assign(levels.begin(), levels.begin() + next);
    }
    const Index forces = fitted_forces(search);
    if (forces > 0) {
      trial.options.output_noise.force_density.assign(levels.begin() + next,
                                                      levels.begin() + next + forces);
    }
    next += forces;
  }
  if (search.sensors.empty()) return trial;
  model::planar::MechanismDescription description = search.mechanism->description();
  for (const int sensor : search.sensors) {
    description.sensors[static_cast<std::size_t>(sensor)].sigma = levels(next++);
  }
  trial.mechanism = std::make_shared<const Mechanism>(std::move(description));
  return trial;
}

// Before the stretch the start is not forgotten, and may be anything but Gaussian.
double noise_likelihood(const NoiseSearch& search, const Eigen::VectorXd& levels) {
  if (search.stop != nullptr && search.stop->requested()) {
    return -std::numeric_limits<double>::infinity();
  }
  const NoiseTrial trial = noise_trial(search, levels);
  KinematicObserver observer(trial.mechanism, trial.options);
  const double limit = gate_limit(trial.options.gate);
  Eigen::VectorXd row(search.readings.cols());
  double sum = 0.0;
  for (Index k = 0; k < search.stretch.end; ++k) {
    row = search.readings.row(k).transpose();
    const double step = k == 0 ? 0.0 : search.time(k) - search.time(k - 1);
    const ObserverStep result =
        observer.step(step, {row.data(), static_cast<std::size_t>(row.size())});
    if (result.status != Status::Success) return -std::numeric_limits<double>::infinity();
    if (k < search.stretch.first) continue;
    sum += bounded_likelihood(observer.innovation(), result.update, limit);
  }
  return sum;
}

NoiseStretch noise_stretch(const Eigen::Ref<const Eigen::MatrixXd>& readings,
                           const std::vector<int>& sensors, Index first) {
  const Index samples = readings.rows();
  NoiseStretch best{first, std::min(first + kMostSamples, samples)};
  if (sensors.empty()) return best;
  std::vector<std::vector<Index>> before;
  for (const int sensor : sensors) before.push_back(readings_before(readings, sensor));
  const auto fewest = [&before](Index begin, Index end) {
    Index least = std::numeric_limits<Index>::max();
    for (const std::vector<Index>& one : before) {
      least = std::min(least,
                       one[static_cast<std::size_t>(end)] - one[static_cast<std::size_t>(begin)]);
    }
    return least;
  };
  Index most = fewest(best.first, best.end);
  for (Index begin = first; begin + kMostSamples <= samples && most < kPlentyReadings; ++begin) {
    const Index found = fewest(begin, begin + kMostSamples);
    if (found <= most) continue;
    most = found;
    best = {begin, begin + kMostSamples};
  }
  return best;
}

Index readings_within(const Eigen::Ref<const Eigen::MatrixXd>& readings, int sensor,
                      const NoiseStretch& stretch) {
  const Index rows = stretch.end - stretch.first;
  const auto column = readings.col(sensor).segment(stretch.first, rows);
  return rows - column.array().isNaN().count();
}

}  // namespace alembert::estimate
