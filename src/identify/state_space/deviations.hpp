#pragma once

#include <limits>

#include "alembert/identify/state_space/state_space.hpp"
#include "identify/state_space/response_fit.hpp"

/// What block scores say of poles and responses.
namespace alembert::identify::state_space {

/// Scales between the channels and those of the fit.
struct Scales {
  Eigen::VectorXd input, output;
};

/// The poles of a fit in the order of its own list, with deviations.
[[nodiscard]] std::vector<StatePole> state_poles(const ResponseFit& fit, const BlockScores& scores,
                                                 double step);

/// Frequency response at the given frequencies with deviations.
[[nodiscard]] StateSpaceResponse frequency_band(const ResponseProblem& problem,
                                                const ResponseFit& fit, const BlockScores& scores,
                                                const Scales& scales,
                                                const Eigen::VectorXd& frequencies_hz);
/// Step response at samples 0, stride, ... with deviations.
[[nodiscard]] StateSpaceResponse step_band(const ResponseProblem& problem, const ResponseFit& fit,
                                           const BlockScores& scores, const Scales& scales,
                                           Eigen::Index count, Eigen::Index stride);

/// Ratios of differences between the halves of a record over their deviations.
struct HalfRatios {
  double median = std::numeric_limits<double>::quiet_NaN();
  double largest = 0.0;
  double largest_hz = 0.0;  ///< frequency of its pole
};
/// Fits each half of the record from the poles of all of it and compares, see StateSpace::halves.
[[nodiscard]] HalfRatios disagreement_of_halves(const Samples& samples,
                                                const ResponseProblem& problem,
                                                const ResponseFit& fit, int blocks);

}  // namespace alembert::identify::state_space
