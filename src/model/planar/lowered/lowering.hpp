#pragma once

// A mechanism as functions of one expression graph, ready to be compiled or written out.

#include <array>
#include <string>
#include <vector>

#include "alembert/model/planar/compiled_mechanism.hpp"
#include "model/equations/functions/graph_functions.hpp"
#include "model/planar/lowered/block_order.hpp"

namespace alembert::model::planar {

/// Functions of a lowered mechanism; those that were not asked for have no roots and no place.
enum LoweredFunction {
  RunClosure,  ///< G (k), J (k x k, rows), ∂G/∂z (k x n, rows)
  RunAngles,   ///< angles whose cosines and sines stand in x, so that each is found once
  RunPoses,    ///< q
  RunReadings,
  RunReadingSlopes,
  RunForward,
  RunForwardSlopes,
  RunInverse,
  RunInverseSlopes,
  RunPowers,
  RunCount
};

/// Names, sizes and the graph: what code is made of.
struct LoweredMechanism {
  equations::Graph graph;
  equations::GraphArguments arguments;              ///< x, u = forces, p
  std::vector<equations::GraphFunction> functions;  ///< those that were asked for
  std::array<int, RunCount> place{};                ///< in `functions`; -1: not there
  std::vector<SolveBlock> blocks;
  std::vector<int> loops;  ///< places of v in q
  std::vector<std::string> loop_names;
  std::vector<double> given;   ///< numbers of the parameters
  std::vector<int> length_of;  ///< geometry parameter that each parameter is; -1: none
  int coordinates = 0;
  int first_map = 0;      ///< place of ∂v/∂z in x, rows
  int first_inverse = 0;  ///< place of the inverses of the blocks
  int first_turn = 0;     ///< place of (cos, sin) of the angles
  int angles = 0;

  [[nodiscard]] int unknowns() const { return static_cast<int>(loops.size()); }
  /// Place of v_i in x.
  [[nodiscard]] int loop(int i) const { return 3 * coordinates + 3 * i; }
};

/// @throws InvalidInput as CompiledMechanism.
[[nodiscard]] LoweredMechanism lower_mechanism(const MechanismDescription& description,
                                               const CompileOptions& options);

}  // namespace alembert::model::planar
