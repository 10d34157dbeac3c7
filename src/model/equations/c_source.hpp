#pragma once

#include <string>

#include "model/equations/tape.hpp"

namespace alembert::model::equations {

/// What a source can do besides the model's functions at a point. Newmark's method is a library of
/// its own, made when it is first used: it takes the compiler as long as all the rest.
enum class CSourceParts { Default, Newmark, All };

/// The model as C: names of our own making, numbers with all digits; the same for the same text.
[[nodiscard]] std::string c_source(const Program& program, const TapeSet& tapes,
                                   CSourceParts parts = CSourceParts::All);

/// What loops over a record need, to follow the model's functions.
[[nodiscard]] std::string c_record_tools(const Program& program, const TapeSet& tapes);

/// The Runge-Kutta loops, to follow those.
[[nodiscard]] std::string c_runge_kutta_loops();

/// The loops of Newmark's method, to follow those too; "" for a model without states.
[[nodiscard]] std::string c_newmark_loops(const Program& program, const TapeSet& tapes);

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
