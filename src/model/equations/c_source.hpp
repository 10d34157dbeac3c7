#pragma once

#include <string>

#include "model/equations/tape.hpp"

namespace alembert::model::equations {

/// The model as C: names of our own making, numbers with all digits; the same for the same text.
[[nodiscard]] std::string c_source(const Program& program, const TapeSet& tapes);

/// The Runge-Kutta loops over a record, to follow the model's functions.
[[nodiscard]] std::string c_record_loops(const Program& program, const TapeSet& tapes);

/// Prints the code of tapes.
class CPrinter {
 public:
  explicit CPrinter(const TapeSet& tapes) : tapes_(tapes) {}

  /// The text of a register in an expression; booleans as double.
  [[nodiscard]] std::string operand(std::uint32_t slot) const;
  /// `  const double v7 = v3 * x[0];` for each instruction.
  [[nodiscard]] std::string body(const Tape& tape);

 private:
  [[nodiscard]] std::string expression(const Instruction& instruction) const;
  [[nodiscard]] std::string raw(std::uint32_t slot) const;

  const TapeSet& tapes_;
  std::vector<bool> boolean_;  // per temporary: it is an int
};

}  // namespace alembert::model::equations
