#pragma once

#include "identify/output_error/equation_fit/fit_problem.hpp"

namespace alembert::identify {

/// Looks for the slip behind a bad fit of equations: estimates again with the opposite sign of each
/// column, with two columns exchanged, inputs and outputs exchanged, a column in another unit,
/// outputs that run late or early, other inputs between samples, and without each experiment.
/// Returns what fits clearly better, the best first.
///
/// Each reading is searched from the guess and from the estimate, and the better end is kept; on
/// the first samples (at most 600 in all), spread over all cores. Records of a periodic motion are
/// taken whole.
[[nodiscard]] std::vector<Alternative> find_equation_alternatives(const FitProblem& problem,
                                                                  const EquationFit& fit);

}  // namespace alembert::identify
