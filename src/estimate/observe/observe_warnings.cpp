#include "estimate/observe/observe_warnings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/estimate/motion_noise.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;

constexpr double kManyRejected = 0.05;  // of the samples

// Where a level ended that lies in [lowest, highest]: "smallest", "largest", or nowhere near.
const char* reached_bound(double level, double lowest, double highest) {
  constexpr double kRounding = 1e-9;
  if (level <= lowest * (1.0 + kRounding)) return "smallest";
  return level >= highest * (1.0 - kRounding) ? "largest" : nullptr;
}

// A level at its bound was not found.
void warn_about_adaptation(ObserveResult& result) {
  const KinematicEstimate& estimate = result.estimate;
  const ObserverAdaptOptions& adapt = result.options.adapt;
  if (adapt.window == 0) return;
  const double factor = estimate.process_scale;
  const char* bound = reached_bound(factor, 1.0 / adapt.process_range, adapt.process_range);
  if (adapt.process && bound != nullptr) {
    result.warnings.push_back(
        fmt::format("adapt: the density ended at {:.3g} times the given one, the {} allowed: it "
                    "was not found",
                    factor, bound));
  }
  if (!adapt.outputs) return;
  const model::planar::Mechanism& mechanism = *result.mechanism;
  const Eigen::MatrixXd first = sensor_noise(mechanism, estimate.outputs).covariance();
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const double ratio = estimate.output_deviation(at) / std::sqrt(first(at, at));
    bound = reached_bound(ratio, 1.0 / adapt.output_range, adapt.output_range);
    if (bound == nullptr) continue;
    const auto sensor = static_cast<std::size_t>(estimate.outputs[i]);
    result.warnings.push_back(
        fmt::format("adapt: the sigma of {} ended at {:.3g} times the given one, the {} allowed: "
                    "it was not found",
                    mechanism.description().sensors[sensor].name, ratio, bound));
  }
}

void warn_about_observation(ObserveResult& result) {
  const KinematicEstimate& estimate = result.estimate;
  const auto samples = static_cast<double>(estimate.mean.rows());
  if (estimate.failed > 0 && result.ok()) {
    result.warnings.push_back(fmt::format("{} of {} samples could not be used: {}", estimate.failed,
                                          estimate.mean.rows(), estimate.message));
  }
  if (estimate.widened > 0) {
    result.warnings.push_back(
        fmt::format("the gate lost the motion and was opened {} times", estimate.widened));
  }
  if (static_cast<double>(estimate.rejected) > kManyRejected * samples) {
    result.warnings.push_back(
        fmt::format("the gate kept out {} of {} samples: the filter may have lost the motion",
                    estimate.rejected, estimate.mean.rows()));
  }
  const SensorSetReport& positions = result.observability.position_sensors;
  const bool examined = !result.observability_words.empty();
  if (examined && !result.observability.output_form) {
    result.warnings.push_back(positions.sensors.empty() || positions.worst_at.size() == 0
                                  ? result.observability_words.front()
                                  : result.observability_words.front() +
                                        " There the estimate lives on its motion model.");
  }
}

}  // namespace

void add_warnings(ObserveResult& result) {
  warn_about_observation(result);
  warn_about_adaptation(result);
}

}  // namespace alembert::estimate
