#pragma once

#include "identify/output_error/equation_fit/fit_problem.hpp"

namespace alembert::identify {

/// Finds the profile-likelihood intervals that the options ask for, if the parameters were found.
void find_profiles(const FitProblem& problem, EquationFit& fit);

}  // namespace alembert::identify
