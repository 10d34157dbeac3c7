#include "alembert/identify/linear.hpp"

#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "alembert/identify/detail/linear_words.hpp"
#include "core/step_clock.hpp"
#include "identify/linear/comparison.hpp"
#include "identify/linear/evidence.hpp"
#include "identify/linear/setup.hpp"
#include "identify/linear/start.hpp"

namespace alembert::identify {
namespace {

void take_status(const Outcome& outcome, LinearIdentification& result) {
  result.status = outcome.status;
  result.message = outcome.message;
}

// Without refinement the start itself is the estimate; only its prediction is computed.
void take_start(const LinearSetup& setup, LinearIdentification& result) {
  const Matrices& matrices = result.start.matrices;
  Refinement& refinement = result.refinement;
  take_status(result.start, result);
  refinement.system = {matrices.M, matrices.D, matrices.K, setup.options.L};
  Prediction prediction = prediction_of(setup, matrices, setup.options.refinement);
  refinement.start = std::move(prediction.start);
  refinement.predictions = std::move(prediction.predictions);
  refinement.residuals = std::move(prediction.residuals);
  refinement.noise = std::move(prediction.noise);
}

void find_matrices_from(StartMethod method, const LinearSetup& setup,
                        LinearIdentification& result) {
  const StepClock starting;
  FoundStart found = find_start(setup, method);
  result.start_seconds = starting.seconds();
  result.start = std::move(found.estimate);
  take_status(result.start, result);
  if (found.refinement) {
    result.refinement = std::move(*found.refinement);
    return;
  }
  if (!result.start.usable()) {
    if (result.ok()) {
      result.status = Status::NotFinite;
      result.message = "the start gave no finite matrices; try another start";
    }
    return;
  }
  const StepClock refining;
  if (setup.options.refine) {
    result.refinement = refine(setup.problem, setup.data, refinable(result.start.matrices, method),
                               setup.options.refinement);
    take_status(result.refinement, result);
  } else {
    take_start(setup, result);
  }
  result.refine_seconds = refining.seconds();
}

// Matrices that had to be made positive at a cost that noise does not explain (χ² of one
// eigenvalue, 1 of 1000 records) may be those of another minimum.
bool is_forced(const Refinement& refinement) {
  return refinement.positive_enforced && refinement.enforcement_cost > 11.0;
}

// Σ ln σ̂ over the outputs: the likelihood of the residuals.
bool fits_better(const Refinement& one, const Refinement& other) {
  return one.noise.array().log().sum() < other.noise.array().log().sum();
}

// A start that nobody asked for may lead nowhere where another does not: with few forces and much
// noise the weak form can lie so far off that the refinement ends where no data tell apart.
void find_matrices(const LinearSetup& setup, LinearIdentification& result) {
  find_matrices_from(setup.chosen.start, setup, result);
  // A fit that is stopped or runs out of iterations is what the caller allowed.
  const bool nowhere = result.status == Status::NotIdentifiable ||
                       result.status == Status::NotFinite || result.status == Status::Indefinite;
  const std::optional<StartMethod> other =
      has_missing(setup.data) ? setup.chosen.second_with_gaps : setup.chosen.second;
  if (!(nowhere || is_forced(result.refinement)) || !other || !setup.options.refine) return;
  LinearIdentification second;
  find_matrices_from(*other, setup, second);
  if (!second.ok() || (!nowhere && !fits_better(second.refinement, result.refinement))) return;
  result.start_seconds += second.start_seconds;
  result.refine_seconds += second.refine_seconds;
  result.start = std::move(second.start);
  result.start.method = setup.chosen.start;
  result.start.words += " (after the weak form led nowhere)";
  result.refinement = std::move(second.refinement);
  take_status(second, result);
}

// √Σσ² over all entries of a symmetric matrix, relative to its norm.
double expected_difference(const Eigen::MatrixXd& deviations, const Eigen::MatrixXd& matrix) {
  return deviations.norm() / matrix.norm();
}

void find_modes_only(LinearIdentification& result) {
  const model::SecondOrder& system = result.refinement.system;
  const Eigen::Index n = system.degrees_of_freedom();
  const Eigen::Index entries = 3 * n * (n + 1) / 2;
  result.modes = mode_verdicts(system, Eigen::MatrixXd::Zero(entries, entries));
  for (ModeVerdict& mode : result.modes) {
    mode.frequency_deviation = mode.damping_deviation = kNaN;
    mode.shape_deviation.setConstant(kNaN);
  }
}

void find_deviations(LinearIdentification& result) {
  const Refinement& refinement = result.refinement;
  const model::SecondOrder& system = refinement.system;
  if (refinement.matrix_covariance.size() == 0) {
    find_modes_only(result);
    return;
  }
  result.deviations = entry_deviations(refinement.matrix_covariance);
  result.modes = mode_verdicts(system, refinement.matrix_covariance);
  result.pairs = correlated_pairs(result.problem.unknowns, refinement.covariance);
  result.expected_error = Eigen::Vector3d(expected_difference(result.deviations.M, system.M),
                                          expected_difference(result.deviations.D, system.D),
                                          expected_difference(result.deviations.K, system.K));
}

void validate(const LinearSetup& setup, const Experiments& held_back,
              LinearIdentification& result) {
  if (held_back.empty()) return;
  RefineOptions options = setup.options.refinement;
  options.stop = nullptr;
  // Held-back data begin in the midst of a motion, whatever the identification assumed.
  options.free_start = true;
  ValidationVerdict verdict;
  verdict.prediction = predict(result.refinement.system, setup.options.outputs, held_back, options);
  verdict.outputs = residual_verdicts(held_back, verdict.prediction.residuals);
  result.validation = std::move(verdict);
}

void judge_result(const LinearSetup& setup, const Experiments& held_back,
                  LinearIdentification& result) {
  const model::SecondOrder& system = result.refinement.system;
  result.definiteness = {.mass = model::scaled_definiteness(system.M),
                         .damping = model::scaled_definiteness(system.D),
                         .stiffness = model::scaled_definiteness(system.K)};
  const std::optional<Matrices>& truth = setup.options.truth;
  if (truth) result.error = relative_differences(matrices_of(system), *truth);
  if (!result.refinement.residuals.empty()) {
    result.outputs = residual_verdicts(setup.data, result.refinement.residuals);
    result.input_shares = input_shares(setup.data, result.refinement.residuals);
  }
  // Modes and predictions need a mass that can be divided by.
  if (!result.definiteness.mass.positive_definite) return;
  find_deviations(result);
  if (result.definiteness.passive()) validate(setup, held_back, result);
}

Eigen::Index samples_of(const Experiments& data) {
  Eigen::Index count = 0;
  for (const Experiment& one : data) count += one.samples();
  return count;
}

LinearIdentification nothing_yet(const LinearSetup& setup, const Experiments& held_back) {
  LinearIdentification result;
  const LinearOptions& options = setup.options;
  result.problem = setup.problem;
  result.names = options.names;
  result.records = {.experiments = setup.data.size(),
                    .samples = samples_of(setup.data),
                    .held_back = samples_of(held_back),
                    .step = setup.data.front().step};
  result.refined = options.refine;
  result.start.method = setup.chosen.start;
  result.coverage = coverage(options.L, options.outputs, options.names.coordinates);
  return result;
}

// Whether the records can be used; what is odd about them is kept.
bool examine_records(const LinearSetup& setup, LinearIdentification& result) {
  const LinearOptions& options = setup.options;
  if (!options.examine_records) return true;
  result.remarks = examine(setup.data, options.names.inputs, options.names.outputs,
                           options.unknowns.size(), takes_smooth_forces(options));
  for (const DataRemark& remark : result.remarks) {
    if (!remark.fatal) continue;
    result.status = Status::NotIdentifiable;
    result.message = remark_words(remark);
    return false;
  }
  return true;
}

}  // namespace

LinearIdentification identify_linear(const Experiments& experiments, const LinearOptions& options) {
  return identify_linear(experiments, {}, options);
}

LinearIdentification identify_linear(const Experiments& experiments, const Experiments& held_back,
                                     const LinearOptions& options) {
  const LinearSetup setup = linear_setup(experiments, held_back, options);
  LinearIdentification result = nothing_yet(setup, held_back);
  if (examine_records(setup, result)) {
    find_matrices(setup, result);
    if (result.has_system()) {
      judge_result(setup, held_back, result);
      compare_methods(setup, result);
    }
  }
  const bool smooth_forces = takes_smooth_forces(setup.options);
  judge_trust(setup.data, smooth_forces, result);
  if (options.alternatives && is_doubtful(setup.data, result)) {
    result.alternatives = find_alternatives(setup.data, setup.options);
    judge_trust(setup.data, smooth_forces, result);
  }
  return result;
}

}  // namespace alembert::identify
