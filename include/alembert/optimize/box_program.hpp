#pragma once

#include <Eigen/Core>

#include "alembert/core/status.hpp"

/// Convex quadratic programs in a box, with a certificate of optimality.
namespace alembert::optimize {

/// The minimiser of gᵀx + ½ xᵀHx in lower <= x <= upper, and the proof.
///
/// With the slope s = g + H x, the multipliers y = max(s, 0) of the lower and z = max(-s, 0) of the
/// upper bounds are feasible for the dual, so that no x in the box is better by more than
///   gap = yᵀ(x - lower) + zᵀ(upper - x).
struct BoxProgram : Outcome {
  Eigen::VectorXd x;
  Eigen::VectorXd slope;      ///< g + H x: zero between the bounds, their multipliers on them
  double objective = 0.0;     ///< gᵀx + ½ xᵀHx
  double gap = 0.0;           ///< duality gap, bounds at infinity left out
  double kkt_residual = 0.0;  ///< largest |x - P(x - s)|, P the projection on the box
};

/// @param H symmetric, positive definite. @param lower, upper may be infinite; equal ones fix x.
/// @return Indefinite if a factor of H does not exist; NotConverged if the gap stays above 1e-6 of
///   the objective.
/// @throws InvalidInput if sizes disagree, numbers are not finite, or lower > upper.
[[nodiscard]] BoxProgram minimise_in_box(const Eigen::Ref<const Eigen::MatrixXd>& H,
                                         const Eigen::Ref<const Eigen::VectorXd>& g,
                                         const Eigen::Ref<const Eigen::VectorXd>& lower,
                                         const Eigen::Ref<const Eigen::VectorXd>& upper);

}  // namespace alembert::optimize
