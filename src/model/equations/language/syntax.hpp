#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/model/detail/lexer.hpp"

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

/// A name with its primes.
[[nodiscard]] inline std::string primed(const std::string& name, int primes) {
  return name + std::string(static_cast<std::size_t>(primes), '\'');
}

}  // namespace alembert::model::equations
