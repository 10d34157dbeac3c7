#pragma once

#include <string>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// What a source has. The loops of each method take the compiler as long as the functions at a
/// point, so that libraries are made without those that are not used.
struct CSourceParts {
  bool points = true;  ///< f, g, their Jacobians and sensitivities at a point
  bool runge_kutta = true;
  bool newmark = true;
};

/// The model as C: names of our own making, numbers with all digits; the same for the same text.
[[nodiscard]] std::string c_source(const Program& program, const TapeSet& tapes,
                                   CSourceParts parts = {});

/// What loops over a record need, to follow the model's functions.
[[nodiscard]] std::string c_record_tools(const Program& program, const TapeSet& tapes);

/// The sensitivities of f and g at a point, to follow those.
[[nodiscard]] std::string c_point_sensitivities();

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
