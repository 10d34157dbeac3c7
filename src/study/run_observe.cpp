#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/study/observe.hpp"
#include "study/identify_steps.hpp"
#include "study/judge_observe.hpp"
#include "study/rule_of.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;

constexpr double kManyRejected = 0.05;  // of the samples

// The first sample that is scored.
Index first_scored(const ObserveStudy& study) {
  const double from = study.time.start() + study.scored_from;
  Index first = 0;
  while (first < study.time.size() && study.time[first] < from) ++first;
  return first;
}

void warn_about_observation(ObserveResult& result) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  const auto samples = static_cast<double>(estimate.mean.rows());
  const ConsistencyVerdict& verdict = result.consistency;
  if (verdict.judged && !verdict.good) result.warnings.push_back(verdict.words);
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

ObserveResult run_observe(const ObserveStudy& study) {
  ObserveResult result;
  result.study = study;
  try {
    const StepClock clock;
    const Index first = first_scored(study);
    if (study.fit_density) fit_density(result, first);
    result.estimate = estimate::observe_record(study.mechanism, study.time.times(), study.readings,
                                               result.study.options, {.smooth = study.smooth});
    result.seconds = clock.seconds();
    result.status = result.estimate.status;
    result.message = result.estimate.message;
    result.states = state_columns(study, result.estimate.names);
    result.scored = study.time.size() - first;
    result.sensors = score_sensors(result, first);
    result.consistency = judge_consistency(result, first);
    examine_workspace(result);
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.file.string()}, "observe: " + rule_of(error));
  }
  warn_about_observation(result);
  return result;
}

}  // namespace alembert::study
