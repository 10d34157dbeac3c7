#pragma once

// The motion of all bodies as terms of the coordinates and of as few further unknowns as the
// loops need: what hangs on others by constant factors is eliminated once.

#include <vector>

#include "model/planar/dynamics/acting.hpp"
#include "model/planar/lowered/numbers.hpp"
#include "model/planar/lowered/slopes.hpp"

namespace alembert::model::planar {

/// Leaves of the graph, in this order: z, z', z'', the loop unknowns v, v', v'', ∂v/∂z column after
/// column, and the inverses of the blocks of the Jacobian row after row.
struct MotionLeaves {
  Terms z, zd, zdd;
  Terms v, vd, vdd;
  TermRows v_z;    ///< [unknown][coordinate]
  Terms inverses;  ///< of all blocks
  std::size_t count = 0;

  Term next(equations::Graph& graph) { return {graph, graph.leaf(equations::Op::State, count++)}; }
};

/// Bodies, and what must vanish for the loops to be closed.
struct LoweredMotion {
  std::vector<BodyMotion<Term>> bodies;  ///< with the ground at the end
  std::vector<int> loops;                ///< places in q of the loop unknowns
  std::vector<Jet<Term>> residuals;      ///< as many, in sizes of the mechanism or rad
};

/// Eliminates what can be: angles by the rows of angles, positions by the rows whose direction does
/// not turn. What is left over is v, with the rows that are left over as residuals.
/// @param leaves z, z' and z'' are there; v, v' and v'' are added.
/// @throws InvalidInput if rows are redundant, or more or fewer than unknowns.
[[nodiscard]] LoweredMotion lower_motion(const Layout& layout, const TermNumbers& numbers,
                                         MotionLeaves& leaves, equations::Graph& graph);

}  // namespace alembert::model::planar
