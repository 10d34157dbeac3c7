#pragma once

#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {

/// Adds what may surprise to the warnings, and what is worth knowing to the remarks.
void warn_about_fit(const EquationFitOptions& options, EquationFit& fit);

}  // namespace alembert::identify
