#pragma once

#include <cstdint>
#include <vector>

#include "identify/output_error/state_reader.hpp"
#include "identify/output_error/window_search.hpp"

namespace alembert::identify {

/// What all ways to begin need to know.
struct StartSetting {
  const model::CompiledEquations& model;
  const std::vector<EquationRecord>& records;
  const std::vector<optimize::Parameter>& parameters;  ///< with the user's guesses
  const Eigen::VectorXd& weights;
  const OutputErrorOptions& options;
  const std::vector<SmoothOutputs>& smooth;  ///< of each record
};

/// Samples in a quarter of the shortest wave of the outputs: the first lag at which the
/// autocorrelation of an output is below zero, or half of the mean distance of the extrema of the
/// smoothed output if that is less; at least 4, at most a quarter of the shortest record.
[[nodiscard]] std::size_t quarter_wave(const StartSetting& setting);

/// Parameters drawn about a centre: each times or over a factor of up to `most`, sign kept, inside
/// the bounds; one that is 0 gets up to most - 1 scales to both sides, at most 3.
[[nodiscard]] Eigen::VectorXd scattered(const StartSetting& setting, const Eigen::VectorXd& centre,
                                        double most, std::uint64_t draw);
/// The same about the guesses, with factors of up to 10.
[[nodiscard]] Eigen::VectorXd scattered_guess(const StartSetting& setting, std::uint64_t draw);

/// A multiple-shooting estimate.
struct WindowEstimate : Outcome {
  WindowPoint point;
  std::vector<RecordWindow> windows;
  /// ln of the largest factor by which a change of the start state grows along a record.
  double growth = 0.0;
  long evaluations = 0;  ///< of all steps so far
};

/// Fits parameters and window states from the parameters theta with windows of `length` samples
/// that are hardly joined; at most max_steps steps.
///
/// Status NotFinite if even shorter windows cannot be simulated from theta.
[[nodiscard]] WindowEstimate estimate_in_windows(const StartSetting& setting,
                                                 const Eigen::VectorXd& theta, std::size_t length,
                                                 int max_steps);

/// Windows of `length` samples whose states are those of whole records simulated with theta; not
/// fitted yet. @param starts of the records, a column each, as far as they are finite; else those
/// of the model.
///
/// Status NotFinite if a record cannot be simulated.
[[nodiscard]] WindowEstimate windows_along(const StartSetting& setting,
                                           const Eigen::VectorXd& theta,
                                           const Eigen::MatrixXd& starts, std::size_t length);

/// ln of the largest factor by which a change of the start state grows along a record simulated
/// with theta, in units of the size of each state; infinite if it cannot be simulated.
[[nodiscard]] double growth_along(const model::CompiledEquations& model,
                                  const std::vector<EquationRecord>& records,
                                  const std::vector<optimize::Parameter>& parameters,
                                  const Eigen::VectorXd& theta, const Eigen::VectorXd& weights);

/// Joins the windows of an estimate by a continuity weight that rises until they are one record.
///
/// Status NotConverged if the gaps do not close.
[[nodiscard]] WindowEstimate join_windows(const StartSetting& setting, WindowEstimate estimate);

/// Merges the windows of an estimate up to a growth of e^limit each, and fits them with free start
/// states and no continuity.
///
/// Status as of refit_windows().
[[nodiscard]] WindowEstimate merge_windows(const StartSetting& setting,
                                           const WindowEstimate& estimate, double limit);

/// Fits the windows of an estimate with free start states and no continuity, with the weights of
/// the setting.
///
/// Status NotFinite if a window cannot be simulated, NotConverged if the steps do not suffice.
[[nodiscard]] WindowEstimate refit_windows(const StartSetting& setting, WindowEstimate estimate);

}  // namespace alembert::identify
