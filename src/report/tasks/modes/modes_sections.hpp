#pragma once

#include <vector>

#include "alembert/study/modes.hpp"
#include "report/page/vocabulary.hpp"

/// Pictures of the report of [identify] with method = "modes".
namespace alembert::report {

/// Poles over orders, with the modes as lines.
[[nodiscard]] Plot stabilisation_plot(const study::ModesOutcome& result);
/// Measured and synthesised FRFs, magnitude.
[[nodiscard]] Plot mode_response_plot(const study::ModesOutcome& result);
/// Their phase.
[[nodiscard]] Plot mode_phase_plot(const study::ModesOutcome& result);
/// Measured and fitted decays over time, the first record.
[[nodiscard]] Plot decay_plot(const study::ModesOutcome& result);
/// Their amplitude spectra.
[[nodiscard]] Plot decay_spectrum_plot(const study::ModesOutcome& result);
/// Singular values of the covariances of an ambient record.
[[nodiscard]] Plot singular_value_plot(const study::ModesOutcome& result);
/// Shapes over the outputs.
[[nodiscard]] Plot mode_shape_plot(const study::ModesOutcome& result);
/// MAC of all pairs of modes.
[[nodiscard]] MatrixView mac_view(const study::ModesOutcome& result);

/// The shapes in motion, of a study with a geometry.
[[nodiscard]] ShapeView moving_shapes(const study::ModesOutcome& result);

}  // namespace alembert::report
