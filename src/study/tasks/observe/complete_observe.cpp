#include <algorithm>

#include "alembert/study/observe.hpp"
#include "study/result/fit_sizes.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

void complete_states(Index samples, Index states, bool smooth,
                     estimate::KinematicEstimate& estimate) {
  fit_size(estimate.mean, samples, states);
  fit_size(estimate.deviation, samples, states);
  fit_size(estimate.smoothed_mean, smooth ? samples : 0, smooth ? states : 0);
  fit_size(estimate.smoothed_deviation, smooth ? samples : 0, smooth ? states : 0);
  const bool whole =
      static_cast<Index>(estimate.covariances.size()) == samples &&
      std::all_of(estimate.covariances.begin(), estimate.covariances.end(),
                  [&](const auto& one) { return one.rows() == states && one.cols() == states; });
  if (!whole) estimate.covariances.clear();
}

void complete_innovations(Index samples, std::size_t sensors,
                          estimate::KinematicEstimate& estimate) {
  const bool known = std::all_of(estimate.outputs.begin(), estimate.outputs.end(), [&](int sensor) {
    return sensor >= 0 && static_cast<std::size_t>(sensor) < sensors;
  });
  if (!known) estimate.outputs.clear();
  const auto outputs = static_cast<Index>(estimate.outputs.size());
  fit_size(estimate.innovation, samples, outputs);
  fit_size(estimate.innovation_deviation, samples, outputs);
  fit_size(estimate.output_deviation, outputs);
  // A sum of squares without its count of readings says nothing.
  if (static_cast<Index>(estimate.used.size()) != samples) estimate.nis.resize(0);
  fit_size(estimate.nis, samples);
  estimate.used.resize(static_cast<std::size_t>(samples), 0);
  estimate.random_walk.resize(static_cast<std::size_t>(samples), false);
  estimate.rejected_readings.resize(estimate.outputs.size(), 0);
}

}  // namespace

void complete(ObserveResult& result) {
  const Index samples = result.study.time.size();
  const std::size_t sensors = result.study.mechanism->description().sensors.size();
  complete_states(samples, static_cast<Index>(result.states.size()), result.study.options.smooth,
                  result.estimate);
  complete_innovations(samples, sensors, result.estimate);
  result.sensors.resize(sensors);
  result.scored = std::clamp<Index>(result.scored, 0, samples);
}

}  // namespace alembert::study
