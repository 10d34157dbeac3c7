#pragma once

#include "identify/output_error/equation_fit/fit_problem.hpp"

namespace alembert::identify {

/// Simulates and scores the held-back data, if there are any and the parameters were found.
void validate_fit(const FitProblem& problem, EquationFit& fit);

}  // namespace alembert::identify
