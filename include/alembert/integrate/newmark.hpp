#pragma once

#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// The two numbers of Newmark's family [Newmark1959].
struct NewmarkOptions {
  double beta = 0.25;  ///< β in [0, 1]: weight of a(k+1) in q(k+1)
  double gamma = 0.5;  ///< γ in [0, 1]: weight of a(k+1) in v(k+1)
};

/// Newmark's method, driven by Drive::Ends. The equation of motion holds at every sample, so that
/// the acceleration a = M⁻¹(L u - D v - K q) is a function of the state (at the start too):
///
///   q₊ = q + h v + h² ((1/2 - β) a + β a₊)
///   v₊ = v + h ((1 - γ) a + γ a₊)
///   M a₊ + D v₊ + K q₊ = L u₊
///
/// | β            | γ     | name                 | order | stable for  | free energy       |
/// |--------------|-------|----------------------|-------|-------------|-------------------|
/// | 1/4          | 1/2   | average acceleration | 2     | all h       | kept              |
/// | 1/6          | 1/2   | linear acceleration  | 2     | ω h <= 2 √3 | swings, no drift  |
/// | 0            | 1/2   | central difference   | 2     | ω h <= 2    | swings, no drift  |
/// | (γ + 1/2)²/4 | > 1/2 | numerically damped   | 1     | all h       | lost, high ω fast |
///
/// Stability and energy are those without damping and input; the swings are O((ω h)²). The first
/// rule equals midpoint_map().
///
/// γ < 1/2 makes free motion grow for every h.
/// @throws InvalidInput as model::state_space(), unless step > 0, if β or γ is out of range, or if
///   M + γ h D + β h² K is singular (possible only for a system that is not passive).
[[nodiscard]] OneStepMap newmark_map(const model::SecondOrder& system, double step,
                                     const NewmarkOptions& options = {});

}  // namespace alembert::integrate
