#pragma once

// How far a prediction may be off since the data do not tell the parameters better.

#include "alembert/optimize/estimate.hpp"

namespace alembert::identify {

/// A with A Aᵀ = V, the covariance of the estimate, one column for each parameter: moving the
/// estimate by one column moves a prediction by what that direction leaves open. Empty if V is not
/// known.
[[nodiscard]] Eigen::MatrixXd unsure_directions(const optimize::EstimateStatistics& statistics);

/// Mean square that the error of a prediction exceeds in 1 of 1000 sound records.
///
/// With θ̂ = θ + A ξ, ξ standard normal, the prediction moves by Σ d_i ξ_i, and its mean square is
/// near m χ²_ν/ν with m = Σ |d_i|² and ν = m²/Σ |d_i|⁴, the first two moments of independent terms
/// [Satterthwaite1946].
/// @param moved |d_i|² of each direction, mean squares. If one is infinite, the error cannot be
/// known and the limit is 0: what is not known excuses nothing.
[[nodiscard]] double unsure_mean_square(const Eigen::VectorXd& moved);

}  // namespace alembert::identify
