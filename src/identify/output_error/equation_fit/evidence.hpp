#pragma once

#include <string>
#include <vector>

#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {

/// Sets the verdict by what speaks against a fit: how it ended, fits that explain nothing, what the
/// inputs still explain, experiments that fit worse than others, first samples that are missed,
/// delays, held-back data, other readings of the columns that fit better, and its warnings.
/// @param names of the options that are advised.
void judge_trust(const Experiments& data, const EquationFitNames& names, EquationFit& fit);

/// Terms that the equations have not, where a parameter hangs on them.
/// @param compare how other equations are compared; "" where they cannot be.
void judge_missing_terms(const std::vector<UnmodelledTerm>& terms, const std::string& compare,
                         Evidence& evidence);

/// Whether the model misses something of the data, so that the columns may be read wrongly.
[[nodiscard]] bool is_doubtful(const Experiments& data, const EquationFit& fit);

}  // namespace alembert::identify
