#pragma once

#include "alembert/identify/output_error.hpp"

namespace alembert::identify {

/// How records are cut into windows with start states of their own.
struct Pieces {
  double length = 0.0;  ///< s, about
  /// Each window goes on from where the one before ends, whose start was fitted to it: prediction
  /// over one window ahead. The first window of a record has no prediction.
  bool ahead = false;
};

/// Simulates the experiments with given parameters window by window, each from the state that fits
/// it best, with the weights of the options. Residuals are NaN where there is no prediction.
///
/// Status as of simulate_equations().
[[nodiscard]] EquationPrediction predict_in_pieces(const model::CompiledEquations& model,
                                                   const Eigen::VectorXd& parameters,
                                                   const Experiments& data,
                                                   const SimulationOptions& options,
                                                   const Pieces& pieces);

/// Windows of about this length in all records.
[[nodiscard]] Eigen::Index pieces_in(const Experiments& data, double length);

}  // namespace alembert::identify
