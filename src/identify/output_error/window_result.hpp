#pragma once

#include "identify/output_error/window_start.hpp"

namespace alembert::identify {

/// Outputs of the windows of an estimate along all records.
///
/// Status NotFinite if a window cannot be simulated.
[[nodiscard]] EquationPrediction predict_windows(const model::CompiledEquations& model,
                                                 const Experiments& data,
                                                 const WindowEstimate& estimate,
                                                 const SimulationOptions& options);

/// Statistics of the parameters with the states of the windows eliminated: N less the states
/// counts as the number of residuals.
void find_window_statistics(const model::CompiledEquations& model,
                            const std::vector<EquationRecord>& records,
                            const std::vector<optimize::Parameter>& parameters,
                            const OutputErrorOptions& options, const WindowEstimate& estimate,
                            OutputErrorResult& result);

}  // namespace alembert::identify
