#pragma once

#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// The midpoint variational integrator (variational.hpp) as a map of (q, h q'), driven by
/// Drive::Ends: with midpoints q_m = (q + q₊)/2, v_m = (v + v₊)/2 and u_m = (u + u₊)/2,
///
///   q₊ = q + h v_m,    M (v₊ - v)/h + D v_m + K q_m = L u_m
///
/// Second order; unconditionally stable for a passive system. Its energy balance holds exactly,
///   E₊ - E = h v_mᵀ L u_m - h v_mᵀ D v_m,    E = (vᵀ M v + qᵀ K q)/2,
/// so that energy neither grows nor is lost without damping and force.
/// @throws InvalidInput as model::state_space(), unless step > 0, or if M + h D/2 + h² K/4 is
///   singular (possible only for a system that is not passive).
[[nodiscard]] OneStepMap midpoint_map(const model::SecondOrder& system, double step);

}  // namespace alembert::integrate
