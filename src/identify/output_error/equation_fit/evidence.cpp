#include "identify/output_error/equation_fit/evidence.hpp"

#include "identify/verdict/fit_evidence.hpp"

namespace alembert::identify {

void judge_trust(EquationFit& fit) {
  Evidence evidence;
  evidence.add(fit);
  if (fit.has_prediction()) {
    judge_fit(fit.output_names, fit.estimate.outputs, fit.input_shares, evidence);
  }
  if (fit.validation && fit.validation->prediction.ok()) {
    Eigen::VectorXd noise(static_cast<Eigen::Index>(fit.estimate.outputs.size()));
    for (Eigen::Index i = 0; i < noise.size(); ++i) {
      noise(i) = fit.estimate.outputs[static_cast<std::size_t>(i)].rms;
    }
    judge_held_back(fit.output_names, fit.validation->outputs, noise, evidence, TrustLevel::Bad);
  }
  for (const std::string& warning : fit.warnings) evidence.add(TrustLevel::Caution, warning);
  fit.verdict = evidence.verdict();
}

}  // namespace alembert::identify
