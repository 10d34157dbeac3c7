#pragma once

#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// Exact propagation over one step for an input that is a polynomial between samples: constant
/// (Drive::Begin), linear (Drive::Ends) or cubic (Drive::Polynomial).
///
/// With τ = (t - k h)/h and z = (q, h q'), dz/dτ = A z + B u(τ),
///
///   A = |     0         I    |    B = |    0     |
///       | -h² M⁻¹K   -h M⁻¹D |        | h² M⁻¹ L |
///
///   F = exp(A),   G_j = ∫₀¹ exp(A (1 - τ)) τʲ/j! dτ B = φ_{j+1}(A) B
///
/// which are the blocks of the exponential of A augmented by the input polynomial. The order of
/// the result is that of the interpolation of the input: 1, 2 and 4;
/// docs/theory/exact-propagation.md.
/// @throws InvalidInput as model::state_space(), unless step > 0, or if h² M⁻¹K overflows.
[[nodiscard]] OneStepMap exact_map(const model::SecondOrder& system, double step,
                                   signal::BetweenSamples hold = signal::BetweenSamples::Cubic);

}  // namespace alembert::integrate
