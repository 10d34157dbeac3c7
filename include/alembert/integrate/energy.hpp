#pragma once

#include <Eigen/Core>

#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// Mechanical energy E(k) = (vᵀ M v + qᵀ K q)/2 in J at each sample of a trajectory.
/// @throws InvalidInput if the trajectory does not fit the system.
[[nodiscard]] Eigen::VectorXd mechanical_energy(const model::SecondOrder& system,
                                                const Trajectory& trajectory);

/// Where the energy of a trajectory came from and went, in J, at each sample.
struct EnergyBalance {
  Eigen::VectorXd energy;      ///< E(k)
  Eigen::VectorXd dissipated;  ///< h Σ v_mᵀ D v_m up to sample k
  Eigen::VectorXd supplied;  ///< Σ (q(k+1) - q(k))ᵀ L u(k), or h Σ v_mᵀ L u_m, up to sample k
  Eigen::VectorXd residual;  ///< E(k) - E(0) + dissipated - supplied
};

/// Energy balance of a motion under an input that ran between its samples as `hold` says.
///
/// The dissipated power is taken at the midpoint of each step, v_m = (v(k) + v(k+1))/2.
/// signal::BetweenSamples::Held: the force on a step is L u(k), so that its work is (q(k+1) -
/// q(k))ᵀ L u(k) without any error of a quadrature. signal::BetweenSamples::Linear and
/// signal::BetweenSamples::Cubic: the supplied power is taken at the midpoint too, u_m = (u(k) +
/// u(k+1))/2. Methods without a hold, see uses_hold(), take the samples in this way: pass
/// signal::BetweenSamples::Linear for them.
///
/// The residual is zero to rounding for midpoint_map() and Newmark's average acceleration with
/// signal::BetweenSamples::Linear (docs/theory/variational.md), and for exact_map() and gauss_map()
/// with signal::BetweenSamples::Held if D = 0. Else it is the O(h²) error of the quadratures.
/// @throws InvalidInput if the sizes disagree.
[[nodiscard]] EnergyBalance energy_balance(
    const model::SecondOrder& system, const Trajectory& trajectory,
    const Eigen::Ref<const Eigen::MatrixXd>& input, double step,
    signal::BetweenSamples hold = signal::BetweenSamples::Linear);

}  // namespace alembert::integrate
