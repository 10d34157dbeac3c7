#pragma once

#include <string>
#include <vector>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// Functions of more instructions are not copied to where they are called.
inline constexpr std::size_t kInlineLimit = 300;  // four copies stand in a Runge-Kutta step

/// How numbers are written.
struct CStyle {
  const char* type = "double";
  const char* suffix = "";            ///< of functions and numbers: f for float
  bool names_of_math_header = false;  ///< NAN and INFINITY; else quotients that need no header
};

/// A number with all its digits.
[[nodiscard]] std::string c_literal(double value, const CStyle& style);

/// Prints the code of tapes.
class CPrinter {
 public:
  explicit CPrinter(const TapeSet& tapes, CStyle style = {}) : tapes_(tapes), style_(style) {}

  /// The text of a register in an expression; booleans as double.
  [[nodiscard]] std::string operand(std::uint32_t slot) const;
  /// `  const double v7 = v3 * x[0];` for each instruction.
  [[nodiscard]] std::string body(const Tape& tape);

 private:
  [[nodiscard]] std::string expression(const Instruction& instruction) const;
  [[nodiscard]] std::string raw(std::uint32_t slot) const;

  const TapeSet& tapes_;
  CStyle style_;
  std::vector<bool> boolean_;  // per temporary: it is an int
};

}  // namespace alembert::model::equations
