#pragma once

#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {

/// Sets the verdict by what speaks against a fit: how it ended, fits that explain nothing, what the
/// inputs still explain, experiments that fit worse than others, first samples that are missed,
/// delays, held-back data, other readings of the columns that fit better, and its warnings.
/// @param names of the options that are advised.
void judge_trust(const Experiments& data, const EquationFitNames& names, EquationFit& fit);

/// Whether the model misses something of the data, so that the columns may be read wrongly.
[[nodiscard]] bool is_doubtful(const Experiments& data, const EquationFit& fit);

}  // namespace alembert::identify
