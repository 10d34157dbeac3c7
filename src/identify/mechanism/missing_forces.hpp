#pragma once

#include "identify/mechanism/mechanism_problem.hpp"

namespace alembert::identify {

/// Writes the forces along coordinates that the description has not and the residuals show into
/// fit.estimate.missing_terms: friction, springs, an offset. They cost two simulations each.
void find_missing_forces(const MechanismProblem& problem, const MechanismFitOptions& options,
                         MechanismFit& fit);

}  // namespace alembert::identify
