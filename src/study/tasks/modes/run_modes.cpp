#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/modes.hpp"

namespace alembert::study {

Eigen::Index ModesStudy::samples() const {
  Eigen::Index sum = 0;
  for (const signal::InputOutput& one : experiments) sum += one.outputs.rows();
  return sum;
}

ModesOutcome run_modes(ModesStudy study, const RunOptions& /*options*/) {
  ModesOutcome result;
  try {
    static_cast<identify::RecordModes&>(result) =
        identify::identify_record_modes(study.experiments, study.step, study.options);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  result.study = std::move(study);
  return result;
}

}  // namespace alembert::study
