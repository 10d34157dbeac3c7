#include "identify/output_error/equation_fit/evidence.hpp"

#include "identify/verdict/fit_evidence.hpp"
#include "identify/verdict/residual_evidence.hpp"

namespace alembert::identify {
namespace {

constexpr double kManyOutliers = 0.05;  // of all samples

// What the model misses of the data, whatever the deviations say.
void judge_equation_misses(const Experiments& data, const EquationFit& fit, Evidence& evidence) {
  if (!fit.has_prediction()) return;
  const OutputErrorResult& estimate = fit.estimate;
  const std::vector<std::string>& names = fit.output_names;
  judge_fit(names, estimate.outputs, fit.input_shares, evidence);
  judge_experiments(names, data, estimate.prediction.residuals, evidence);
  // Windows have start states of their own.
  if (estimate.windows == 0) {
    judge_beginnings(estimate.prediction.residuals, estimate.prediction.rms, evidence,
                     fit.simulation.start == StartState::Free);
  }
  judge_delays(names, estimate.delays, evidence);
  judge_gain_changes(names, estimate.gain_changes, evidence);
  if (fit.validation && fit.validation->prediction.ok()) {
    judge_held_back(names, fit.validation->outputs, estimate.prediction.rms, evidence,
                    TrustLevel::Bad, fit.validation->unsure);
  }
}

// Outliers that an estimate with a loss expects are no reason to doubt it, unless they are many.
// With least squares something is wrong with the record.
void judge_left_out(const Experiments& data, const EquationFit& fit, Evidence& evidence) {
  const std::vector<Outlier>& outliers = fit.estimate.outliers;
  if (outliers.empty()) return;
  const double share =
      static_cast<double>(outliers.size()) / static_cast<double>(measured_samples(data));
  const bool expected = !fit.estimate.sample_weights.empty();
  if (expected && share < kManyOutliers) return;
  evidence.add(TrustLevel::Caution, outlier_words(fit, data),
               "look at the record there; leave such samples empty if they are no measurements");
}

}  // namespace

bool is_doubtful(const Experiments& data, const EquationFit& fit) {
  Evidence evidence;
  judge_equation_misses(data, fit, evidence);
  evidence.add(fit);
  return fit.status != Status::Stopped && evidence.verdict().level != TrustLevel::Good;
}

void judge_trust(const Experiments& data, const EquationFitNames& names, EquationFit& fit) {
  Evidence evidence;
  judge_equation_misses(data, fit, evidence);
  if (fit.has_prediction()) {
    judge_outliers(fit.output_names, data, fit.estimate.prediction.residuals, evidence,
                   names.loss.empty() ? "" : ", or keep them from deciding: " + names.loss);
    judge_left_out(data, fit, evidence);
  }
  judge_alternatives(fit.alternatives, evidence);
  for (const std::string& warning : fit.warnings) evidence.add(TrustLevel::Caution, warning);
  fit.warnings = evidence.verdict().reasons;
  evidence.add(fit);
  fit.verdict = evidence.verdict();
}

}  // namespace alembert::identify
