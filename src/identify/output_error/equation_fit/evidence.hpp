#pragma once

#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {

/// Sets the verdict by what speaks against a fit: how it ended, fits that explain nothing, what the
/// inputs still explain, held-back data, and its warnings.
void judge_trust(EquationFit& fit);

}  // namespace alembert::identify
