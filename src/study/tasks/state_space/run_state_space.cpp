#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/records/state_space.hpp"

namespace alembert::study {

StateSpaceOutcome run_state_space(StateSpaceStudy study, const RunOptions& /*options*/) {
  StateSpaceOutcome result;
  try {
    result.found = identify::identify_state_space(study.data.experiments,
                                                  study.validation.experiments, study.options);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  result.status = result.found.status;
  result.message = result.found.message;
  result.verdict = result.found.verdict;
  result.study = std::move(study);
  for (const std::string& note : result.found.notes) result.study.notes.push_back(note);
  return result;
}

}  // namespace alembert::study
