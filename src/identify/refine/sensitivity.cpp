#include "identify/refine/sensitivity.hpp"

#include "identify/refine/modal/modal_sensitivity.hpp"

namespace alembert::identify {

Eigen::Index unknown_count(const Fit& fit, const Guess& guess) {
  return guess.unknowns() + fit.start_size() * static_cast<Eigen::Index>(fit.data.size());
}

NormalEquations normal_equations(const Fit& fit, const Guess& guess,
                                 const std::vector<Eigen::MatrixXd>& errors,
                                 const Eigen::VectorXd& weights) {
  if (fit.sensitivities == Sensitivities::Automatic) {
    const ModalCoefficients coefficients(fit, guess);
    if (coefficients.usable()) {
      return modal_normal_equations(fit, guess, coefficients, errors, weights);
    }
  }
  return direct_normal_equations(fit, guess, errors, weights);
}

Eigen::MatrixXd sensitivity_factor(const Fit& fit, const Guess& guess,
                                   const Eigen::VectorXd& weights) {
  if (fit.sensitivities == Sensitivities::Automatic) {
    const ModalCoefficients coefficients(fit, guess);
    if (coefficients.usable()) return modal_factor(fit, guess, coefficients, weights);
  }
  return direct_factor(fit, guess, weights);
}

}  // namespace alembert::identify
