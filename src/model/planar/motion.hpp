#pragma once

// Steps between the numbers of a state and the motion of its bodies.

#include "model/planar/functions.hpp"

namespace alembert::model::planar {

/// Puts the points where the parameters have them.
void place_points(const Layout& layout, MechanismState& state) noexcept;

/// x, y, φ, cos φ, sin φ of every body from q, and the arms of the points.
void set_positions(const Layout& layout, MechanismState& state) noexcept;

/// First and second derivatives of them from q' and q''.
void set_rates(const Layout& layout, MechanismState& state) noexcept;

/// A = [C_q; b_q] at the present motion, and its factors. False if singular.
bool factor_jacobian(const Layout& layout, MechanismState& state) noexcept;

/// f alone, cheaper than evaluate().
[[nodiscard]] double position_value(const ScalarFunction& f, const PointTable& table,
                                    const BodyMotion<double>* motion) noexcept;

inline PointTable point_table(const Layout& layout, const MechanismState& state) {
  return {layout.points.data(), state.points.data(), state.arms.data(), nullptr};
}

}  // namespace alembert::model::planar
