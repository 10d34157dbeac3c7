#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/identify/refine.hpp"
#include "identify/refine/fit.hpp"
#include "identify/refine/refiner.hpp"

namespace alembert::identify {

Prediction predict(const model::SecondOrder& system, const model::OutputMap& outputs,
                   const Experiments& data, const RefineOptions& options) {
  const Fit fit("predict", data, system.L, outputs, options);
  (void)model::state_space(system, outputs);  // all checks of the system
  const Eigen::VectorXd counts = measured_counts(fit);
  Eigen::VectorXd weights = options.weights;
  if (weights.size() == 0) weights = inverse_deviations(fit, output_square_sums(fit), counts);
  Eigen::MatrixXd start = fitted_start(fit, system, weights);
  Prediction result;
  result.predictions = predicted(fit, system, start);
  if (result.predictions.empty()) {
    throw InvalidInput({.function = "predict",
                        .argument = "system",
                        .rule = "must have a finite motion on the data",
                        .value = "an overflow"});
  }
  if (options.weights.size() == 0 && fit.free_start) {
    // Once more with the weights of the residuals, as refine() does.
    weights = inverse_deviations(fit, square_sums(differences(fit, result.predictions)), counts);
    start = fitted_start(fit, system, weights);
    result.predictions = predicted(fit, system, start);
  }
  const std::vector<Eigen::MatrixXd> errors = differences(fit, result.predictions);
  result.noise = (square_sums(errors).array() / counts.array().max(1.0)).sqrt();
  for (std::size_t e = 0; e < errors.size(); ++e) {
    result.residuals.push_back(data[e].output.array().isNaN().select(kNaN, errors[e]));
  }
  result.start = start;
  result.start.bottomRows(fit.coordinates()) /= fit.step;
  return result;
}

}  // namespace alembert::identify
