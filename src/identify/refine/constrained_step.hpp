#pragma once

#include <Eigen/Core>

#include "alembert/identify/parametrisation.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {

/// The step from θ that is nearest to a free one in the metric of the cost and keeps D and K
/// positive semidefinite:
///
///   min (x - x̂)ᵀ H (x - x̂)   with   vᵀ D(θ + s x) v >= 0 and vᵀ K(θ + s x) v >= 0 for all v,
///
/// by cutting planes: the eigenvectors v of negative eigenvalues give linear conditions, until none
/// is left or after some rounds. Clipping eigenvalues alone is the nearest point in the metric of
/// the entries, which the data may see as far away.
///
/// @param factor of H, the scaled and damped normal matrix of all unknowns (θ first).
/// @param scale s, from scaled to real unknowns. @param step x̂, scaled.
[[nodiscard]] Eigen::VectorXd constrained_step(const Parametrisation& unknowns,
                                               const Eigen::VectorXd& theta,
                                               const Eigen::LLT<Eigen::MatrixXd>& factor,
                                               const Eigen::VectorXd& scale,
                                               const Eigen::VectorXd& step);

}  // namespace alembert::identify
