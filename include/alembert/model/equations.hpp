#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/model/second_order_pair.hpp"

/// Models written as text: differential equations, outputs, parameters. See docs/equations.md.
namespace alembert::model {

namespace equations {
struct Program;
}

/// A name that the equations may use, with its unit ("" when not declared).
struct EquationSymbol {
  std::string name;
  std::string unit;
};

/// A name with a fixed value.
struct EquationConstant {
  std::string name;
  double value = 0.0;
  std::string unit;
};

/// The start value of a state (`x`, or `y'` for the velocity of `y'' = ...`): a number or an
/// expression in parameters, constants and inputs, which count as they are at the first sample.
struct EquationStart {
  std::string state;
  std::string value;
};

/// How a table is read between its points. Beyond them the end values are held.
enum class TableInterpolation {
  Linear,
  Cubic,  ///< cubic spline with not-a-knot ends
};

/// A curve y(x) that the equations read as `table("name", x)`.
struct EquationTable {
  std::string name;
  std::vector<double> x;  ///< at least 2, strictly increasing
  std::vector<double> y;  ///< as many
  TableInterpolation interpolation = TableInterpolation::Linear;
  std::string x_unit;
  std::string y_unit;
};

/// What the caller knows about the names in the text.
struct EquationSetup {
  std::vector<EquationSymbol> inputs;
  std::vector<EquationSymbol> outputs;  ///< definitions, states or derivatives (`y''`), no others
  std::vector<EquationSymbol> parameters;
  std::vector<EquationConstant> constants;
  std::vector<EquationStart> starts;  ///< states without one start at 0
  std::vector<EquationSymbol> units;  ///< of states and definitions
  std::vector<EquationTable> tables;
};

/// A text that breaks a rule of the language.
///
/// place().file says which text: "equations", or a key such as "start.x1" or "units.x1";
/// place().line and column count from 1 inside that text (0 when the key as a whole is meant).
class EquationError : public PlacedError {
 public:
  using PlacedError::PlacedError;
};

/// A checked model  x' = f(t, x, u, p),  y = g(t, x, u, p),  x(0) = x0(p, u(0))  with its
/// derivatives.
///
/// The states stand in the order of their equations; `y'' = ...` gives the two states y and y'.
/// Copies share the same immutable content, so that many threads may use it.
class EquationModel {
 public:
  [[nodiscard]] const std::vector<std::string>& states() const;
  [[nodiscard]] const std::vector<std::string>& inputs() const;
  [[nodiscard]] const std::vector<std::string>& outputs() const;
  [[nodiscard]] const std::vector<std::string>& parameters() const;
  /// The states that come from second-order equations; the others are of first order.
  [[nodiscard]] const std::vector<SecondOrderPair>& second_order() const;
  /// Inputs, parameters and constants on which neither states nor outputs depend.
  [[nodiscard]] const std::vector<std::string>& unused() const;
  /// Units of states, inputs, outputs and parameters as declared or inferred, in base units such
  /// as "kg m s^-2"; "" where unknown.
  [[nodiscard]] std::string unit_of(std::string_view name) const;
  /// Whether some right-hand side or output depends on the time t.
  [[nodiscard]] bool depends_on_time() const;
  /// Whether some start value depends on the inputs at the first sample.
  [[nodiscard]] bool start_uses_inputs() const;

  /// Whether entry (row, column) of a Jacobian may differ from zero, at any point.
  [[nodiscard]] bool state_jacobian_entry(std::size_t row, std::size_t column) const;

  /// The model as a self-contained C source, for reading and for use elsewhere.
  [[nodiscard]] std::string c_source() const;

  /// For the engines.
  [[nodiscard]] const equations::Program& program() const { return *program_; }
  explicit EquationModel(std::shared_ptr<const equations::Program> program);

 private:
  std::shared_ptr<const equations::Program> program_;  // shared: immutable, used by all engines
};

/// Largest text that is read, in bytes.
inline constexpr std::size_t kMaxEquationText = std::size_t{1} << 20U;

/// Reads equations, checks names, order and units, and forms the derivatives.
///
/// Units are checked when the setup declares at least one.
/// @throws EquationError with the place in the text.
[[nodiscard]] EquationModel parse_equations(std::string_view text, const EquationSetup& setup);

}  // namespace alembert::model
