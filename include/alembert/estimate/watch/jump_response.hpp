#pragma once

#include <Eigen/Core>
#include <span>

#include "alembert/estimate/observer.hpp"

/// How soon a filter follows a jump, and how soon an alarm comes of it.
namespace alembert::estimate {

/// The share of a jump of a state that its estimate has taken after 0, 1, 2, ... steps in which all
/// outputs are read:
///
///   e⁺ = (I − K H)(F e − b),   K = P Hᵀ R⁻¹,   share = 1 + e_i,   e_0 = −u_i,
///
/// with F, H at the present estimate and P its covariance, b = (1 − F_ii) u_i where the model would
/// have the state decay.
/// @param step s. @param readings of every sensor, for models with inputs.
/// @throws InvalidInput unless 0 <= state < states(), steps >= 1, step > 0 and all readings of
/// inputs are finite.
[[nodiscard]] Eigen::VectorXd jump_response(const Observer& observer, double step,
                                            std::span<const double> readings, int state, int steps);

/// s from a jump from the bound of a state to `excess` beyond it to the alarm of a threshold in
/// half of all cases: the first step whose share of the jump is limit × deviation. Infinite if
/// excess <= limit × deviation or 10000 steps are not enough.
/// @throws InvalidInput as jump_response(), or unless excess and limit are positive.
[[nodiscard]] double detection_delay(const Observer& observer, double step,
                                     std::span<const double> readings, int state, double excess,
                                     double limit);

}  // namespace alembert::estimate
