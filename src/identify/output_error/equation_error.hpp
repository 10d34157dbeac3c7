#pragma once

#include "identify/output_error/window_start.hpp"

namespace alembert::identify {

/// Parameters by regression of the equations on smoothed states and their derivatives,
///
///   θ = argmin Σ ((x̃' - f(t, x̃, u, θ))/σ(x̃'))²,
///
/// by Levenberg-Marquardt with the exact ∂f/∂θ. Cheap and without simulation, and biased by
/// what smoothing does to the derivatives: a guess, not an estimate.
struct EquationErrorGuess : Outcome {
  Eigen::VectorXd theta;
  long evaluations = 0;
};

/// Parameters that the regression cannot see (start values) take what the smoothed states say
/// about the first sample.
///
/// Status NotIdentifiable if the outputs do not determine all states.
[[nodiscard]] EquationErrorGuess equation_error(const StartSetting& setting);

}  // namespace alembert::identify
