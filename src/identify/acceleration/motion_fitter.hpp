#pragma once

#include <optional>

#include "identify/acceleration/motion_regression.hpp"

namespace alembert::identify {

/// A state from the linear equation x'' + α x' + β x = const, whose coefficients of 1, t (and t²)
/// give x0, v0 (and the offset); else from a motion about zero without trend.
[[nodiscard]] MotionState linear_start(const MotionRegression& regression, const Stretch& stretch);
[[nodiscard]] MotionState level_start(const MotionRegression& regression, const Stretch& stretch);

/// Fits by variable projection, or by general least squares where nonlinear parameters are free.
/// @param state from where; on return the result.
[[nodiscard]] MotionFit fit_projected(MotionRegression& regression, const Stretch& stretch,
                                      bool with_parameters, MotionState& state);

/// Fits by the fixed point of [Jaksic2002].
[[nodiscard]] MotionFit fit_fixed_point(MotionRegression& regression, const Stretch& stretch,
                                        MotionState& state);

/// One stretch by the method of the options; tries another start if the first one fails.
[[nodiscard]] MotionFit fit_stretch(MotionRegression& regression, const Stretch& stretch,
                                    const std::optional<MotionState>& start, MotionState& state);

/// Amplitude, condition and the equivalent linear equation at a state.
void describe_motion(MotionRegression& regression, const Stretch& stretch, const MotionState& state,
                     MotionFit& fit);

}  // namespace alembert::identify
