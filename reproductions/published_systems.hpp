#pragma once

#include "alembert/model/second_order.hpp"

namespace alembert::reproductions {

/// The frame with 8 degrees of freedom of [Bruschetta2014, Table 1], from
/// studies/frame-8dof/simulate.toml: M = 100 I kg, K as printed, D = 0.005 K + 0.01 M, a force on
/// every coordinate.
///
/// Differs from the printed table: D(3,7) = -50 instead of +50, which makes D symmetric and equal
/// to the formula. Modes from 5.59 to 20.43 rad/s, damping 1.5 to 5.1 %.
[[nodiscard]] const model::SecondOrder& frame_8dof();

/// The system with 3 degrees of freedom of [Bruschetta2014], from
/// studies/triple-mass/simulate.toml: M = diag(0.8, 2, 1.2) kg, K = 5 I - 1 1ᵀ N/m, D = 0.1 K, a
/// force on every coordinate. Modes at 1.17, 1.85, 2.35 rad/s.
[[nodiscard]] const model::SecondOrder& coupled_3dof();

}  // namespace alembert::reproductions
