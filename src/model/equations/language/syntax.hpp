#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/equations/language/lexer.hpp"

namespace alembert::model::equations {

/// What a node of the syntax tree stands for. Functions and operators are alike: both have a word.
/// Not the same as Op: this is what may be written (>, smooth_max), that is what is computed
/// (slopes, shared powers); rules of units and messages go by the one, the engines by the other.
enum class Form : std::uint8_t {
  Number,
  Name,
  Negate,
  Not,
  Add,
  Subtract,
  Multiply,
  Divide,
  Power,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  If,
  Min,
  Max,
  Abs,
  Sign,
  Floor,
  Sqrt,
  Exp,
  Log,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Atan2,
  SmoothMax,
  SmoothMin,
  SmoothAbs,
  SmoothSign,
  Table,
};

/// A node; its arguments stand before it in the list of nodes, so that passes are plain loops.
struct SyntaxNode {
  Form form = Form::Number;
  int argument_count = 0;
  std::array<std::uint32_t, 3> arguments{};
  double number = 0.0;
  int primes = 0;      ///< of names
  std::string text{};  ///< of names; of numbers as written; of tables the table's name
  Position position;
};

/// `name = expression`, with primes on the name for derivatives.
struct Statement {
  std::string name{};
  int primes = 0;
  Position position;
  std::uint32_t first = 0;  ///< its nodes are first .. root
  std::uint32_t root = 0;
};

struct Syntax {
  std::vector<SyntaxNode> nodes;
  std::vector<Statement> statements;
};

struct Function {
  std::string_view name;
  Form form;
  int arguments;
};

/// The functions of the language, and a function by name (nullptr if there is none).
[[nodiscard]] const std::vector<Function>& functions();
[[nodiscard]] const Function* find_function(std::string_view name);

/// Name of an operator or function, for messages.
[[nodiscard]] std::string word_of(Form form);

/// Reads statements.
/// @throws EquationError
[[nodiscard]] Syntax parse_statements(std::string_view part, std::string_view text);

/// Reads one expression as the only statement, of the given name.
/// @throws EquationError
[[nodiscard]] Syntax parse_expression(std::string_view part, std::string_view text);

/// A name with its primes.
[[nodiscard]] inline std::string primed(const std::string& name, int primes) {
  return name + std::string(static_cast<std::size_t>(primes), '\'');
}

}  // namespace alembert::model::equations
