#pragma once

#include <vector>

#include "identify/output_error/window_start.hpp"

/// Whether residuals show a term that the equations have not. docs/theory/output-error.md, "Terms
/// that are missing".
namespace alembert::identify {

/// Writes the terms of result.missing_terms, which cost one simulation with sensitivities, for a
/// result with statistics.
/// @param windows of the estimate; nullptr for whole records.
void find_missing_terms(const model::CompiledEquations& model,
                        const std::vector<EquationRecord>& records,
                        const std::vector<optimize::Parameter>& parameters,
                        const OutputErrorOptions& options, const WindowEstimate* windows,
                        OutputErrorResult& result);

}  // namespace alembert::identify
