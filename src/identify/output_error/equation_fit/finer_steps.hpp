#pragma once

#include "identify/output_error/equation_fit/fit_problem.hpp"

namespace alembert::identify {

/// Change of the simulation with finer steps, over the residual, from which on steps are too
/// coarse: a hundredth of the residual is below any standard deviation that a record can give.
constexpr double kLargeStepError = 0.01;

/// Where the steps of whole records are too coarse for the residuals, halves them (or divides the
/// tolerance by 10) and searches on from the estimate, up to three times. Leaves the simulation
/// that was used in fit.simulation.
void search_with_finer_steps(const FitProblem& problem, EquationFit& fit);

}  // namespace alembert::identify
