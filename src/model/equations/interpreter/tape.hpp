#pragma once

#include <cstdint>
#include <vector>

#include "model/equations/graph/program.hpp"

namespace alembert::model::equations {

/// registers[target] = op(registers[a], registers[b], registers[c]); b is the table's index for
/// tables.
struct Instruction {
  Op op = Op::Constant;
  std::uint32_t target = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

/// A Jacobian entry and the register that holds it.
struct EntrySlot {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::uint32_t slot = 0;
};

/// Straight-line code, and the registers in which its results stand afterwards.
struct Tape {
  std::vector<Instruction> code;
  std::vector<std::uint32_t> values;
  std::vector<EntrySlot> by_state;
  std::vector<EntrySlot> by_input;
  std::vector<EntrySlot> by_parameter;
};

/// The programs of a model over one set of registers, which stand in this order:
/// constants, parameters, what depends on parameters only, time, states, inputs, temporaries.
struct TapeSet {
  std::vector<double> constants;
  std::uint32_t parameter_slot = 0;
  std::uint32_t prepared_slot = 0;
  std::uint32_t time_slot = 0;
  std::uint32_t state_slot = 0;
  std::uint32_t input_slot = 0;
  std::uint32_t temporary_slot = 0;
  std::uint32_t size = 0;  ///< number of registers

  Tape prepare;      ///< what depends on parameters only; run once per set of parameters
  Tape start;        ///< start values and their derivatives: code for what depends on inputs
  Tape f;            ///< x'
  Tape g;            ///< y
  Tape f_state;      ///< x' with its derivatives with respect to the states
  Tape f_slopes;     ///< derivatives of x' with respect to states and parameters, without x'
  Tape f_jacobians;  ///< x' with its derivatives
  Tape g_jacobians;  ///< y with its derivatives
};

[[nodiscard]] TapeSet make_tapes(const Program& program);

/// The tape with the code that its values and entries need, and no other.
[[nodiscard]] Tape needed_part(Tape tape, const TapeSet& tapes);

/// The tape without its derivatives with respect to inputs, and without what only they need.
[[nodiscard]] Tape without_inputs(const Tape& tape, const TapeSet& tapes);

/// Runs a tape. Does not allocate.
void run(const Tape& tape, const std::vector<Curve>& curves, double* registers);

}  // namespace alembert::model::equations
