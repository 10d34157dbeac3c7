#pragma once

#include <optional>

#include "identify/acceleration/window_regression.hpp"

namespace alembert::identify {

/// A state from the linear equation x'' + α x' + β x = const, whose coefficients of 1, t (and t²)
/// give x0, v0 (and the offset); else from a motion about zero without trend.
[[nodiscard]] WindowState linear_start(const WindowRegression& regression, const Stretch& stretch);
[[nodiscard]] WindowState level_start(const WindowRegression& regression, const Stretch& stretch);

/// Fits by variable projection, or by general least squares where nonlinear parameters are free.
/// @param state from where; on return the result.
[[nodiscard]] WindowFit fit_projected(WindowRegression& regression, const Stretch& stretch,
                                      bool with_parameters, WindowState& state);

/// Fits by the fixed point of [Jaksic2002].
[[nodiscard]] WindowFit fit_fixed_point(WindowRegression& regression, const Stretch& stretch,
                                        WindowState& state);

/// One stretch by the method of the options; tries another start if the first one fails.
[[nodiscard]] WindowFit fit_stretch(WindowRegression& regression, const Stretch& stretch,
                                    const std::optional<WindowState>& start, WindowState& state);

/// Amplitude, condition and the equivalent linear equation at a state.
void describe_window(WindowRegression& regression, const Stretch& stretch, const WindowState& state,
                     WindowFit& fit);

}  // namespace alembert::identify
