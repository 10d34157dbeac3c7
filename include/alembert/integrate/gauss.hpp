#pragma once

#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::integrate {

/// Gauss collocation with s = 1, 2 or 3 stages: order 2 s for a smooth input, stable for every
/// step, and free motion without damping keeps its energy exactly (F is the diagonal Padé
/// approximant of exp(A)). One stage is the midpoint rule with the input taken at the midpoint.
///
/// With A, B as in exact_map() and the nodes c, weights b and coefficients a of the Gauss methods:
///
///   k_i = A (z + Σ_j a_ij k_j) + B u(c_i),    z₊ = z + Σ_i b_i k_i
///
/// @param hold the input between samples, as in exact_map(); with signal::BetweenSamples::Cubic the
/// order of the
///   whole is min(2 s, 4) for a general smooth input and 2 s for polynomials up to degree 3.
/// @throws InvalidInput as exact_map(), or if stages is not 1, 2 or 3.
[[nodiscard]] OneStepMap gauss_map(const model::SecondOrder& system, double step, int stages,
                                   signal::BetweenSamples hold = signal::BetweenSamples::Cubic);

}  // namespace alembert::integrate
