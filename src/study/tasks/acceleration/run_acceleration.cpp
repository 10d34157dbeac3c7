#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/study/acceleration.hpp"

namespace alembert::study {
namespace {

identify::AccelerationOptions fit_options_of(const AccelerationStudy& study,
                                             const RunOptions& options) {
  identify::AccelerationOptions fit = study.options;
  fit.sensor_unit = study.columns.front().column_unit;
  fit.sensor_factor = study.columns.front().factor;
  fit.unit_known = !fit.sensor_unit.empty();
  for (const ExperimentSource& source : study.sources) fit.record_names.push_back(source.file);
  fit.stop = options.stop;
  fit.on_progress = options.on_progress;
  return fit;
}

}  // namespace

AccelerationOutcome run_acceleration(const AccelerationStudy& study, const RunOptions& options) {
  check::at_least("run_acceleration", "number of equations", study.equation ? 1 : 0, 1);
  AccelerationOutcome result;
  result.study = study;
  try {
    static_cast<identify::AccelerationFit&>(result) = identify::identify_acceleration(
        *study.equation, study.records, fit_options_of(study, options));
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  return result;
}

}  // namespace alembert::study
