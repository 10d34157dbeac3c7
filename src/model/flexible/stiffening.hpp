#pragma once

#include "model/flexible/beam.hpp"

namespace alembert::model::flexible {

/// Geometric stiffening of a beam element: its mean stretch counts the slope of its axis,
///
///   ε = (u₂ − u₁)/L + 1/(2L) ∫ w'² dx,    V = ½ EA L ε²,
///
/// so that tension resists bending. The stretch is averaged over the element, which keeps it from
/// locking. Functions give what that adds to the linear element. [docs/theory/flexible.md]
[[nodiscard]] double stiffening_energy(const BeamMatrices& beam, const Vector6& u);
/// ∂V/∂u of that part.
[[nodiscard]] Vector6 stiffening_gradient(const BeamMatrices& beam, const Vector6& u);

}  // namespace alembert::model::flexible
