#pragma once

#include <string>
#include <vector>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// Functions of more instructions are not copied to where they are called.
inline constexpr std::size_t kInlineLimit = 300;  // four copies stand in a Runge-Kutta step

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
