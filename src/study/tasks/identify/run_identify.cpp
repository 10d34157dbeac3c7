#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/identify.hpp"
#include "study/tasks/identify/identify_steps.hpp"

namespace alembert::study {
namespace {

using identify::Matrices;

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

void take_outcome(const Outcome& outcome, IdentifyResult& result) {
  result.status = outcome.status;
  result.message = outcome.message;
}

// Without refinement the start itself is the estimate; only its prediction is computed.
void take_start(const IdentifyStudy& study, const identify::RefineOptions& options,
                IdentifyResult& result) {
  const Matrices& matrices = result.start.matrices;
  identify::Refinement& refinement = result.refinement;
  take_outcome(result.start, result);
  refinement.system = {matrices.M, matrices.D, matrices.K, study.model.system.L};
  // An indefinite estimate could not be simulated; what is nearest to it can.
  const Matrices stable = identify::clipped(matrices);
  identify::Prediction prediction =
      identify::predict({stable.M, stable.D, stable.K, study.model.system.L}, output_map(study),
                        study.data.experiments, options);
  refinement.start = std::move(prediction.start);
  refinement.predictions = std::move(prediction.predictions);
  refinement.residuals = std::move(prediction.residuals);
  refinement.noise = std::move(prediction.noise);
}

void find_matrices(StartMethod method, const RunOptions& options, IdentifyResult& result) {
  const IdentifyStudy& study = result.study;
  identify::RefineOptions refine = study.settings.refinement;
  refine.stop = options.stop;
  const StepClock starting;
  FoundStart found = find_start(study, method, options);
  result.start_seconds = starting.seconds();
  result.start = std::move(found.estimate);
  take_outcome(result.start, result);
  if (found.refinement) {
    result.refinement = std::move(*found.refinement);
    return;
  }
  if (!usable(result.start.matrices)) {
    if (result.ok()) {
      result.status = Status::NotFinite;
      result.message = "the start gave no finite matrices; try another start";
    }
    return;
  }
  const StepClock refining;
  if (study.settings.refine) {
    const bool nominal = method == StartMethod::Model;
    result.refinement = refined(
        study, nominal ? result.start.matrices : identify::clipped(result.start.matrices), refine);
    take_outcome(result.refinement, result);
  } else {
    take_start(study, refine, result);
  }
  result.refine_seconds = refining.seconds();
}

// A start that the study did not name may lead nowhere where another does not: with few forces and
// much noise the weak form can lie so far off that the refinement ends where no data tell apart.
void find_matrices(const RunOptions& options, IdentifyResult& result) {
  const IdentifySettings& settings = result.study.settings;
  find_matrices(settings.start, options, result);
  // A fit that is stopped or runs out of iterations is what the study allowed.
  const bool nowhere = result.status == Status::NotIdentifiable ||
                       result.status == Status::NotFinite || result.status == Status::Indefinite;
  if (!nowhere || !settings.second_start || !settings.refine) return;
  IdentifyResult second;
  second.study = result.study;
  find_matrices(*settings.second_start, options, second);
  if (!second.ok()) return;
  result.start_seconds += second.start_seconds;
  result.refine_seconds += second.refine_seconds;
  result.start = std::move(second.start);
  result.start.words += " (after the weak form found nothing)";
  result.refinement = std::move(second.refinement);
  take_outcome(second, result);
}

// √Σσ² over all entries of a symmetric matrix, relative to its norm.
double expected_difference(const Eigen::MatrixXd& deviations, const Eigen::MatrixXd& matrix) {
  return deviations.norm() / matrix.norm();
}

void find_deviations(IdentifyResult& result) {
  const identify::Refinement& refinement = result.refinement;
  const model::SecondOrder& system = refinement.system;
  const Eigen::Index n = system.degrees_of_freedom();
  const bool known = refinement.matrix_covariance.size() > 0;
  if (!known) {
    result.modes = identify::mode_verdicts(
        system, Eigen::MatrixXd::Zero(3 * n * (n + 1) / 2, 3 * n * (n + 1) / 2));
    for (identify::ModeVerdict& mode : result.modes) {
      mode.frequency_std = mode.damping_std = kNotKnown;
      mode.shape_std.setConstant(kNotKnown);
    }
    return;
  }
  result.deviations = identify::entry_deviations(refinement.matrix_covariance);
  result.modes = identify::mode_verdicts(system, refinement.matrix_covariance);
  result.pairs = identify::correlated_pairs(result.study.unknowns, refinement.covariance);
  result.expected_error = Eigen::Vector3d(expected_difference(result.deviations.M, system.M),
                                          expected_difference(result.deviations.D, system.D),
                                          expected_difference(result.deviations.K, system.K));
}

void validate(IdentifyResult& result) {
  const IdentifyStudy& study = result.study;
  if (study.validation.empty()) return;
  identify::RefineOptions options = study.settings.refinement;
  // Held-back data begin in the midst of a motion, whatever the identification assumed.
  options.free_start = true;
  ValidationVerdict verdict;
  verdict.prediction = identify::predict(result.refinement.system, output_map(study),
                                         study.validation.experiments, options);
  verdict.outputs =
      identify::residual_verdicts(study.validation.experiments, verdict.prediction.residuals);
  result.validation = std::move(verdict);
}

void judge_result(IdentifyResult& result) {
  const IdentifyStudy& study = result.study;
  const model::SecondOrder& system = result.refinement.system;
  result.definiteness = {.mass = model::scaled_definiteness(system.M),
                         .damping = model::scaled_definiteness(system.D),
                         .stiffness = model::scaled_definiteness(system.K)};
  if (study.truth) result.error = relative_differences(matrices_of(system), *study.truth);
  if (!result.refinement.residuals.empty()) {
    result.outputs =
        identify::residual_verdicts(study.data.experiments, result.refinement.residuals);
  }
  // Modes and predictions need a mass that can be divided by.
  if (!result.definiteness.mass.positive_definite) return;
  find_deviations(result);
  if (result.definiteness.passive()) validate(result);
}

}  // namespace

IdentifyResult run_identify(const IdentifyStudy& study, const RunOptions& options) {
  IdentifyResult result;
  result.study = study;
  try {
    result.coverage =
        identify::coverage(study.model.system.L, output_map(study), study.model.coordinates);
    find_matrices(options, result);
    if (!result.has_system()) return result;
    judge_result(result);
    compare_methods(options, result);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "data: " + error.reason());
  }
  warn_about_result(result);
  return result;
}

}  // namespace alembert::study
