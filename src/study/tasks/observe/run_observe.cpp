#include "alembert/core/error.hpp"
#include "alembert/study/observe.hpp"

namespace alembert::study {

ObserveResult run_observe(const ObserveStudy& study, const RunOptions& run) {
  estimate::ObserveOptions options = study.options;
  options.stop = run.stop;
  // The start was found with the data.
  options.given = {.coordinates = true, .velocities = true, .accelerations = true};
  ObserveResult result;
  try {
    static_cast<estimate::ObserveResult&>(result) =
        estimate::observe(study.mechanism, study.time.times(), study.readings, options);
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.file.string()}, "observe: " + error.reason());
  }
  result.options.given = study.options.given;
  result.options.stop = nullptr;
  result.study = study;
  result.study.mechanism = result.mechanism;
  result.study.options = result.options;
  result.study.notes.insert(result.study.notes.end(), result.notes.begin(), result.notes.end());
  return result;
}

}  // namespace alembert::study
