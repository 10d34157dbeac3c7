#pragma once

#include "alembert/identify/acceleration_refine.hpp"

namespace alembert::identify {

/// θ = (parameters, x0, v0, offset) of a refined equation.
[[nodiscard]] Eigen::VectorXd stacked_unknowns(const RefinedEquation& refined);

/// Changes a_i of θ with Σ a_i a_iᵀ = V, the covariance of the estimate; no columns if it is not
/// known.
[[nodiscard]] Eigen::MatrixXd open_directions(const RefinedEquation& refined);

/// Acceleration of the whole record for θ, with the offset; empty if it cannot be simulated.
[[nodiscard]] Eigen::VectorXd acceleration_for(const EquationOfMotion& equation,
                                               const AccelerationRecord& record,
                                               const Eigen::VectorXd& theta);

}  // namespace alembert::identify
