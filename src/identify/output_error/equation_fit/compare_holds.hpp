#pragma once

#include "identify/output_error/equation_fit/fit_problem.hpp"

namespace alembert::identify {

/// Fits with the other holds of the inputs, from the estimate, and takes what clearly fits best:
/// fills in the holds of the fit, and renews its estimate and simulation.
void compare_holds(const FitProblem& problem, EquationFit& fit);

}  // namespace alembert::identify
