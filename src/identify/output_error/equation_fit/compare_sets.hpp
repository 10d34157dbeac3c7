#pragma once

#include "identify/output_error/equation_fit/fit_problem.hpp"

namespace alembert::identify {

/// Fits the other sets of equations to the same data, and scores them beside the fit itself.
[[nodiscard]] std::vector<EquationSetScore> compare_sets(const FitProblem& problem,
                                                         const EquationFit& fit);

}  // namespace alembert::identify
