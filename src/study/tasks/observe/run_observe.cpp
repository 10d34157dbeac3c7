#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/estimate/motion_noise.hpp"
#include "alembert/study/observe.hpp"
#include "core/step_clock.hpp"
#include "study/tasks/observe/judge_observe.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

constexpr double kManyRejected = 0.05;  // of the samples

// The first sample at or after a time after the start.
Index first_sample_after(const ObserveStudy& study, double from) {
  Index first = 0;
  while (first < study.time.size() && study.time[first] - study.time.start() < from) ++first;
  return first;
}

// The first sample at which positions, velocities and accelerations are as well known as ever in
// the second half of the record.
Index settled(const estimate::KinematicEstimate& estimate, const std::vector<StateColumn>& states) {
  const Index samples = estimate.deviation.rows();
  Index first = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].derivative < 0) continue;
    const auto deviation = estimate.deviation.col(static_cast<Index>(i));
    const double later = deviation.tail((samples + 1) / 2).maxCoeff();
    while (first < samples / 2 && deviation(first) > later) ++first;
  }
  return first;
}

// Where a level ended that lies in [lowest, highest]: "smallest", "largest", or nowhere near.
const char* reached_bound(double level, double lowest, double highest) {
  constexpr double kRounding = 1e-9;
  if (level <= lowest * (1.0 + kRounding)) return "smallest";
  return level >= highest * (1.0 - kRounding) ? "largest" : nullptr;
}

// A level at its bound was not found.
void warn_about_adaptation(ObserveResult& result) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  const estimate::ObserverAdaptOptions& adapt = result.study.options.adapt;
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
  const model::planar::Mechanism& mechanism = *result.study.mechanism;
  const Eigen::MatrixXd first = estimate::sensor_noise(mechanism, estimate.outputs).covariance();
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
  const estimate::KinematicEstimate& estimate = result.estimate;
  const auto samples = static_cast<double>(estimate.mean.rows());
  const ConsistencyVerdict& verdict = result.consistency;
  if (verdict.judged && !verdict.good) result.warnings.push_back(verdict.words);
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
  const estimate::SensorSetReport& positions = result.observability.position_sensors;
  const bool examined = !result.observability_words.empty();
  if (examined && !result.observability.output_form) {
    result.warnings.push_back(positions.sensors.empty() || positions.worst_at.size() == 0
                                  ? result.observability_words.front()
                                  : result.observability_words.front() +
                                        " There the estimate lives on its motion model.");
  }
}

}  // namespace

ObserveResult run_observe(const ObserveStudy& study, const RunOptions& options) {
  ObserveResult result;
  result.study = study;
  try {
    const StepClock clock;
    // Before a run nobody knows when it settles: a tenth of the record is more than enough.
    const double tenth = 0.1 * (study.time[study.time.size() - 1] - study.time.start());
    if (study.fit_density || !study.fit_sigma.empty()) {
      fit_noise(result, first_sample_after(study, study.scored_from.value_or(tenth)), options.stop);
    }
    result.estimate = estimate::observe_record(result.study.mechanism, study.time.times(),
                                               study.readings, result.study.options,
                                               {.smooth = study.smooth, .stop = options.stop});
    result.seconds = clock.seconds();
    result.status = result.estimate.status;
    result.message = result.estimate.message;
    if (result.status == Status::Stopped) return result;
    result.states = state_columns(study, result.estimate.names);
    const Index first = study.scored_from ? first_sample_after(study, *study.scored_from)
                                          : settled(result.estimate, result.states);
    result.scored = study.time.size() - first;
    result.scored_from = study.time[first] - study.time.start();
    result.sensors = score_sensors(result, first);
    result.consistency = judge_consistency(result, first);
    examine_workspace(result);
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.file.string()}, "observe: " + error.reason());
  }
  warn_about_observation(result);
  warn_about_adaptation(result);
  return result;
}

}  // namespace alembert::study
