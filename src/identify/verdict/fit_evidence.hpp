#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/alternatives.hpp"
#include "alembert/identify/delay.hpp"
#include "alembert/identify/input_share.hpp"
#include "alembert/identify/slips/gain_change.hpp"
#include "alembert/identify/verdict.hpp"

/// What residuals say against a fitted model, whichever it is.
namespace alembert::identify {

/// Held-back residuals over the noise of the estimation from which on they are worse: a quarter
/// more is what a model loses that took up noise.
constexpr double kWorsePrediction = 1.25;

/// Fits that explain nothing, and residuals that the inputs explain.
/// @param names of the outputs.
void judge_fit(const std::vector<std::string>& names, const std::vector<ResidualVerdict>& outputs,
               const std::vector<InputShare>& shares, Evidence& evidence);

/// Coloured residuals: deviations that take them for white are too small.
void judge_colour(const std::vector<std::string>& names,
                  const std::vector<ResidualVerdict>& outputs, bool allowed_for,
                  Evidence& evidence);

/// Held-back data that are predicted worse than the noise of the estimation allows.
/// @param noise standard deviation of each output, from the estimation.
/// @param from the level from which on it is said here: Bad where warnings say the rest.
/// @param unsure rms of each output by which the prediction may be off since the data do not tell
/// the parameters better; empty: not asked.
void judge_held_back(const std::vector<std::string>& names,
                     const std::vector<ResidualVerdict>& held_back, const Eigen::VectorXd& noise,
                     Evidence& evidence, TrustLevel from = TrustLevel::Caution,
                     const Eigen::VectorXd& unsure = {});

/// Outputs that look as if they came late or early.
void judge_delays(const std::vector<std::string>& names, const Delays& delays, Evidence& evidence);

/// Outputs whose gain looks changed from the middle of the records on.
void judge_gain_changes(const std::vector<std::string>& names,
                        const std::vector<GainChange>& changes, Evidence& evidence);

/// The best of other readings of the columns.
void judge_alternatives(const std::vector<Alternative>& alternatives, Evidence& evidence);

/// "y1, y2 and 3 more"
[[nodiscard]] std::string listed_names(std::vector<std::string> names);

}  // namespace alembert::identify
