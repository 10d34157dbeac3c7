#pragma once

namespace alembert::reproductions::two_link {

/// Largest differences between the generic mechanism and the published equations of the two links,
/// each relative to the size of what is compared. θ2 is the angle of the elbow against the upper
/// link, and the plane is level:
///
///   a1 = d1 θ1''
///   a2 = (L1 cos θ2 + d2) θ1'' + d2 θ2'' + L1 sin θ2 θ1'²
struct FormulaDifference {
  double sensitivity = 0.0;   ///< of S: ∂(a1, a2)/∂(θ1'', θ2'')
  double rest = 0.0;          ///< of S' z', what is left of (a1, a2) without accelerations
  double acceleration = 0.0;  ///< of z'' from (a1, a2), as the input form computes it
  int states = 0;             ///< compared
};

/// Compares at random dimensions, positions, speeds and accelerations.
[[nodiscard]] FormulaDifference compare_formula(int states);

}  // namespace alembert::reproductions::two_link
