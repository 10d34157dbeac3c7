#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// Frequencies in Hz, even on a logarithmic axis and denser about the first forty modes, so that
/// no resonance is cut off: from a fifth of the lowest mode to three times the highest. Empty
/// without a mode above 0 Hz.
Eigen::VectorXd response_frequencies(const std::vector<model::DampedMode>& modes);

/// Magnitude and phase of the responses from the inputs to the displacements, at most 64 of them;
/// empty if there is no mode above 0 Hz.
std::vector<Plot> response_plots(const study::LinearModel& model,
                                 const std::vector<model::DampedMode>& modes);

/// The natural frequencies as markers, "1", "2", ...; none if there are too many to tell apart.
std::vector<Marker> mode_markers(const std::vector<model::DampedMode>& modes);

}  // namespace alembert::report
