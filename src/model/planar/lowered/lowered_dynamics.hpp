#pragma once

// The equations of motion of a lowered mechanism as terms.

#include "model/planar/lowered/motion_slopes.hpp"

namespace alembert::model::planar {

/// τ = M z'' + bias − B F, in leaves of the motion and of the forces.
struct LoweredDynamics {
  Terms tau;
  Terms force_rates;  ///< rates along which the forces do work
  Term dissipated;    ///< power that dampers and friction take
};

/// By the principle of virtual power: Σ (m (a − g)·∂v/∂z' + J φ'' ∂φ'/∂z') + Σ T ∂s'/∂z' − Σ F
/// ∂r'/∂z'.
[[nodiscard]] LoweredDynamics lower_dynamics(const Layout& layout, const TermNumbers& numbers,
                                             const LoweredMotion& motion,
                                             const MotionSlopes& slopes, const Terms& forces);

/// z'' = M⁻¹ (−τ at z'' = 0) and its derivatives, by M = L D Lᵀ unrolled.
struct LoweredForward {
  Terms zdd;
  Terms pivots;  ///< D: all above zero where M has an inverse
  TermRows by_z, by_zd, by_force, by_p;
};

/// @param slopes_wanted else the derivatives are left empty.
[[nodiscard]] LoweredForward lower_forward(const LoweredDynamics& dynamics,
                                           const MotionLeaves& leaves, const MotionSlopes& slopes,
                                           const Terms& forces, bool slopes_wanted,
                                           equations::Graph& graph);

}  // namespace alembert::model::planar
