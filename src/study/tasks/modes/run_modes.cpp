#include <fmt/format.h>

#include <algorithm>
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

void find_with_forces(ModesStudy& study, ModesOutcome& result) {
  result.forced =
      identify::identify_record_modes(study.experiments, study.step, study.settings.forced);
  take_modes(*result.forced, result);
  result.diagram = result.forced->frf.diagram;
  for (const std::string& blow : result.forced->left_out) {
    study.notes.push_back(blow + ": left out");
  }
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

void find_modes(ModesStudy& study, ModesOutcome& result) {
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

// Shapes of unit modal mass; a scale that is not trusted is a reason for caution.
void scale_found(const ModesStudy& study, ModesOutcome& result) {
  if (!study.scale || result.modes.empty()) return;
  result.scaled = identify::scale_modes(result.modes, study.scale->point, study.scale->motion);
  for (std::size_t r = 0; r < result.scaled.size(); ++r) {
    if (result.scaled[r].trusted) continue;
    result.verdict.level = std::max(result.verdict.level, TrustLevel::Caution);
    result.verdict.reasons.push_back(fmt::format("the mode at {:.5g} Hz has no modal mass: {}",
                                                 result.modes[r].frequency_hz,
                                                 result.scaled[r].remark));
    result.verdict.advice.push_back(
        "look at place, direction and sign of force and response of the driving point");
  }
}

}  // namespace

bool has_modal_model(const ModesOutcome& result) {
  return std::any_of(result.scaled.begin(), result.scaled.end(),
                     [](const identify::ScaledMode& one) { return one.trusted; });
}

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
    scale_found(study, result);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  result.study = std::move(study);
  return result;
}

}  // namespace alembert::study
