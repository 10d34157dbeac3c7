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

/// Residuals of all windows with their derivatives.
struct WindowColumns {
  std::vector<std::string> names;  ///< free parameters that windows show
  /// Each output of each record. J has a column for each name and behind them, if they are wanted,
  /// for the states of the windows.
  std::vector<optimize::ColouredBlock> blocks;
};

/// At an estimate; no blocks if a window cannot be simulated or does not show its start state.
/// @param with_states false: the other columns without their part in those of the states.
[[nodiscard]] WindowColumns window_columns(const model::CompiledEquations& model,
                                           const std::vector<EquationRecord>& records,
                                           const std::vector<optimize::Parameter>& parameters,
                                           const OutputErrorOptions& options,
                                           const WindowEstimate& estimate,
                                           const Eigen::VectorXd& weights, bool with_states);

}  // namespace alembert::identify
