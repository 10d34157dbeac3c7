#include <algorithm>

#include "alembert/study/identify.hpp"
#include "study/result/fit_sizes.hpp"

namespace alembert::study {
namespace {

bool is_square(const Eigen::MatrixXd& matrix, Eigen::Index n) {
  return matrix.rows() == n && matrix.cols() == n;
}

bool are_square(const Eigen::MatrixXd& M, const Eigen::MatrixXd& D, const Eigen::MatrixXd& K,
                Eigen::Index n) {
  return is_square(M, n) && is_square(D, n) && is_square(K, n);
}

// Matrices, their deviations and modes are there as a whole or not at all.
void complete_matrices(IdentifyResult& result) {
  const Eigen::Index n = result.study.model.system.L.rows();
  model::SecondOrder& system = result.refinement.system;
  if (!are_square(system.M, system.D, system.K, n)) system = {};
  const identify::Matrices& deviations = result.deviations;
  const bool known = are_square(deviations.M, deviations.D, deviations.K, n);
  if (!known || !result.has_system()) result.deviations = {};
  if (!result.has_system()) {
    result.modes.clear();
    result.error.reset();
    result.definiteness = {};
  }
  std::erase_if(result.modes,
                [n](const identify::ModeVerdict& mode) { return mode.shape.size() != n; });
  for (identify::ModeVerdict& mode : result.modes) fit_size(mode.shape_deviation, n);
}

void complete_unknowns(IdentifyResult& result) {
  identify::Refinement& refinement = result.refinement;
  identify::Parametrisation& unknowns = result.problem.unknowns;
  if (refinement.theta.size() != unknowns.size() ||
      unknowns.names.size() != static_cast<std::size_t>(unknowns.size())) {
    refinement.theta.resize(0);
  }
  fit_size(refinement.covariance, refinement.theta.size(), refinement.theta.size());
}

// Signals are drawn with their residuals.
void complete_signals(IdentifyResult& result) {
  const std::size_t outputs = result.study.outputs.size();
  identify::Refinement& refinement = result.refinement;
  if (refinement.noise.size() > 0) fit_size(refinement.noise, static_cast<Eigen::Index>(outputs));
  if (!fits(refinement.predictions, result.study.data) ||
      !fits(refinement.residuals, result.study.data)) {
    refinement.predictions.clear();
    refinement.residuals.clear();
  }
  if (!fits(result.outputs, outputs)) result.outputs.clear();
  if (!result.validation) return;
  if (!fits(result.validation->prediction.predictions, result.study.validation) ||
      result.validation->outputs.size() != outputs || result.study.validation.empty()) {
    result.validation.reset();
  }
}

}  // namespace

void complete(IdentifyResult& result) {
  complete_matrices(result);
  complete_unknowns(result);
  complete_signals(result);
}

}  // namespace alembert::study
