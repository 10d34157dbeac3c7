#pragma once

// Total derivatives of terms of a lowered motion: the loop unknowns move with what they hang on.

#include <vector>

#include "model/planar/lowered/block_order.hpp"
#include "model/planar/lowered/lowered_motion.hpp"

namespace alembert::model::planar {

/// Derivatives of roots: rows by root, columns by coordinate, rate, acceleration or parameter.
struct TotalSlopes {
  TermRows by_z, by_zd, by_zdd, by_p;
};

/// The closure G(z, v, p) = 0 and its two time derivatives hold for all z and p. Differentiated in
/// a direction they are linear systems with the same matrix J = ∂G/∂v:
///   J δv = −G_δ,   J δv' = −(G'_δ + G'_v δv),   J δv'' = −(G''_δ + G''_v δv + G''_v' δv')
/// as Mechanism::differentiate() has it for all of q.
class MotionSlopes {
 public:
  /// Adds the leaves of ∂v/∂z and of the inverses. @param p leaves of the parameters.
  MotionSlopes(const LoweredMotion& motion, MotionLeaves& leaves, Terms p, equations::Graph& graph);

  [[nodiscard]] const std::vector<SolveBlock>& blocks() const { return blocks_; }
  [[nodiscard]] const Terms& gaps() const { return gaps_; }
  [[nodiscard]] const TermRows& jacobian() const { return J_; }
  [[nodiscard]] const TermRows& gaps_by_z() const { return G_z_; }

  /// Slopes in the leaves v' and v'', which resolved() replaces.
  [[nodiscard]] TotalSlopes total(const Terms& roots) const;
  /// ∂(root)/∂z' alone, for terms that hang on rates and not on accelerations.
  [[nodiscard]] TermRows by_rate(const Terms& roots) const;
  /// The terms with v' and v'' as they follow from z, z' and z''.
  [[nodiscard]] Terms resolved(const Terms& roots) const;

 private:
  // How all that is solved for moves in one direction.
  struct Direction {
    Terms v, vd, vdd;
    TermRows v_z;
  };

  [[nodiscard]] Terms solve(const Terms& right) const;
  [[nodiscard]] Direction direction(const Terms& v, std::size_t column) const;
  void order_blocks();
  void find_directions();
  void find_rates();

  MotionLeaves& leaves_;
  Terms p_;
  equations::Graph& graph_;
  std::size_t n_ = 0, k_ = 0;
  Terms gaps_, gap_rates_, gap_accelerations_;
  TermRows J_, G_z_, G_p_;
  TermRows rate_slopes_;          // of G' by z, p, v
  TermRows acceleration_slopes_;  // of G'' by z, p, v, v'
  std::vector<SolveBlock> blocks_;
  std::vector<std::size_t> first_inverse_;
  std::vector<Direction> by_z_, by_p_;
  Terms vd_, vdd_;
};

}  // namespace alembert::model::planar
