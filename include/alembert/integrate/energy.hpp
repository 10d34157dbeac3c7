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
  Eigen::VectorXd supplied;    ///< h Σ v_mᵀ L u_m up to sample k
  Eigen::VectorXd residual;    ///< E(k) - E(0) + dissipated - supplied
};

/// Energy balance with powers taken at the midpoint of each step, v_m = (v(k) + v(k+1))/2 and
/// u_m = (u(k) + u(k+1))/2.
///
/// For midpoint_map() and Newmark's average acceleration the residual is zero to rounding
/// (docs/theory/variational.md); for other methods it is the O(h²) error of this quadrature.
/// @throws InvalidInput if the sizes disagree.
[[nodiscard]] EnergyBalance energy_balance(const model::SecondOrder& system,
                                           const Trajectory& trajectory,
                                           const Eigen::Ref<const Eigen::MatrixXd>& input,
                                           double step);

}  // namespace alembert::integrate
