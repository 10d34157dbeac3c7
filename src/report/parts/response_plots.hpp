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

/// Phase in degrees without jumps: the first within (-180, 180], each of the others the nearest to
/// the one before. NaN where a response is not known.
Eigen::VectorXd unwrapped_phase(const Eigen::VectorXcd& response);

/// Phase in degrees of responses beside a curve without jumps: the nearest turn to it, which is
/// found between its points. Abscissae of the curve ascend.
Eigen::VectorXd phase_beside(const Eigen::VectorXcd& response, const Eigen::VectorXd& frequencies,
                             const Eigen::VectorXd& curve_frequencies,
                             const Eigen::VectorXd& curve);

/// The natural frequencies as markers, "1", "2", ...; none if there are too many to tell apart.
std::vector<Marker> mode_markers(const std::vector<model::DampedMode>& modes);

}  // namespace alembert::report
