#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/modes.hpp"

namespace alembert::study {
namespace {

// What both methods say alike.
template <typename Found>
void take_modes(const Found& found, ModesOutcome& result) {
  result.status = found.status;
  result.message = found.message;
  result.modes = found.modes;
  result.warnings = found.warnings;
  result.verdict = found.verdict;
}

void find_with_forces(const ModesStudy& study, ModesOutcome& result) {
  result.forced =
      identify::identify_record_modes(study.experiments, study.step, study.settings.forced);
  take_modes(*result.forced, result);
  result.diagram = result.forced->frf.diagram;
}

void find_without_forces(const ModesStudy& study, ModesOutcome& result) {
  std::vector<Eigen::MatrixXd> records;
  for (const signal::InputOutput& one : study.experiments) records.push_back(one.outputs);
  result.ambient = identify::identify_ambient_modes(records, study.step, study.settings.ambient);
  take_modes(*result.ambient, result);
  result.diagram = result.ambient->diagram;
}

}  // namespace

Eigen::Index ModesStudy::samples() const {
  Eigen::Index sum = 0;
  for (const signal::InputOutput& one : experiments) sum += one.outputs.rows();
  return sum;
}

ModesOutcome run_modes(ModesStudy study, const RunOptions& /*options*/) {
  ModesOutcome result;
  try {
    if (study.settings.has_forces) {
      find_with_forces(study, result);
    } else {
      find_without_forces(study, result);
    }
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  result.study = std::move(study);
  return result;
}

}  // namespace alembert::study
