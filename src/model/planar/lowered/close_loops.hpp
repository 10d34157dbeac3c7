#pragma once

#include <vector>

#include "model/planar/layout/layout.hpp"
#include "model/planar/lowered/lowering.hpp"

namespace alembert::model::planar {

struct CompiledMechanism::Content {
  Content(LoweredMechanism made, Layout given, const EngineOptions& engine)
      : lowered(std::move(made)),
        layout(std::move(given)),
        functions(lowered.graph, lowered.arguments, lowered.functions, engine) {}

  LoweredMechanism lowered;
  Layout layout;
  equations::GraphFunctions functions;
  std::vector<int> first_inverse;  ///< in x, of each block
  std::vector<int> length_of;      ///< as in `lowered`
  double size = 1.0;               ///< of the mechanism
  std::vector<double> loop_scale;  ///< 1 for angles, 1/size for positions
  std::vector<double> z_scale;     ///< likewise, of the coordinates

  [[nodiscard]] int function(LoweredFunction which) const {
    return lowered.place[static_cast<std::size_t>(which)];
  }
};

/// Inverts a small matrix, rows after rows, with row pivoting. Returns the sign of the determinant,
/// 0 if a pivot is not larger than 1e-13 of the largest entry.
/// @param work size² numbers.
[[nodiscard]] int invert_block(int size, double* a, double* inverse) noexcept;

/// The blocks of J from the closure, as inverses in x. The sign of det J, 0 if singular.
[[nodiscard]] int invert_blocks(const CompiledMechanism::Content& content,
                                CompiledState& state) noexcept;

/// J step = right by the inverses in x.
void solve_blocks(const CompiledMechanism::Content& content, const CompiledState& state,
                  const double* right, int stride, double* solution) noexcept;

/// ∂v/∂z into x, from the closure.
void fill_loop_map(const CompiledMechanism::Content& content, CompiledState& state) noexcept;

/// Puts a state of the mechanism where its joints are known to be closed: q at z with the geometry
/// state.p. False if the coordinates do not determine the motion there.
[[nodiscard]] bool resume_at(const Layout& layout, const double* z, const double* q,
                             MechanismState& state) noexcept;

/// Cosines and sines of the angles of z and v in x. @param afresh else those that are there are
/// turned on where the angles have changed by little.
void turn_angles(const CompiledMechanism::Content& content, bool afresh,
                 CompiledState& state) noexcept;

/// Newton's method from v in x; with the inverses and ∂v/∂z of what is reached.
/// @param most largest first move, rad or sizes. @return false if it does not converge.
[[nodiscard]] bool close_loops(const CompiledMechanism::Content& content, double most,
                               CompiledState& state) noexcept;

}  // namespace alembert::model::planar
