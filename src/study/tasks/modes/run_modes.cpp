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

std::vector<Eigen::MatrixXd> responses_of(const ModesStudy& study) {
  std::vector<Eigen::MatrixXd> records;
  for (const signal::InputOutput& one : study.experiments) records.push_back(one.outputs);
  return records;
}

void find_after_taps(const ModesStudy& study, ModesOutcome& result) {
  result.taps =
      identify::identify_decay_modes(responses_of(study), study.step, study.settings.taps);
  take_modes(*result.taps, result);
  result.diagram = result.taps->diagram;
}

void find_in_responses(const ModesStudy& study, ModesOutcome& result) {
  result.frf = identify::identify_frf_modes(*study.responses, study.settings.forced.modes);
  result.status = result.frf->status;
  result.message = result.frf->message;
  result.modes = result.frf->modes;
  result.verdict = result.frf->verdict;
  result.diagram = result.frf->diagram;
}

void find_without_forces(const ModesStudy& study, ModesOutcome& result) {
  result.ambient =
      identify::identify_ambient_modes(responses_of(study), study.step, study.settings.ambient);
  take_modes(*result.ambient, result);
  result.diagram = result.ambient->diagram;
}

void find_modes(const ModesStudy& study, ModesOutcome& result) {
  switch (study.settings.data) {
    case ModesData::Forces:
      return find_with_forces(study, result);
    case ModesData::Ambient:
      return find_without_forces(study, result);
    case ModesData::Taps:
      return find_after_taps(study, result);
    case ModesData::Frf:
      return find_in_responses(study, result);
  }
}

}  // namespace

const identify::FrfModes* ModesOutcome::responses() const {
  if (frf) return &*frf;
  return forced ? &forced->frf : nullptr;
}

Eigen::Index ModesStudy::samples() const {
  Eigen::Index sum = 0;
  for (const signal::InputOutput& one : experiments) sum += one.outputs.rows();
  return sum;
}

ModesOutcome run_modes(ModesStudy study, const RunOptions& /*options*/) {
  ModesOutcome result;
  try {
    find_modes(study, result);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  result.study = std::move(study);
  return result;
}

}  // namespace alembert::study
