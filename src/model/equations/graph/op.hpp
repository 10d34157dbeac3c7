#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace alembert::model::equations {

/// Operations of the expression graph and of the interpreter's tape. Truth is 1, falsehood 0.
enum class Op : std::uint8_t {
  // Leaves: value, or index in a.
  Constant,
  Time,
  State,
  Input,
  Parameter,
  // One argument.
  Neg,
  Not,
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
  SafeInverse,  ///< 1/a, but 0 at a = 0: slopes of sqrt, log, asin, acos where they are infinite
  Table,        ///< table b at a
  TableSlope,   ///< its derivative
  // Two arguments.
  Add,
  Sub,
  Mul,
  Div,
  Pow,
  Min,
  Max,
  Atan2,
  PowLog,  ///< derivative of b = a^n with respect to n: b·log(a), but 0 for a <= 0
  Less,
  LessEqual,
  Equal,
  NotEqual,
  And,
  Or,
  // Three arguments.
  Select,    ///< a ? b : c
  PowUp,     ///< a^b from c = a^(b-1)
  PowSlope,  ///< derivative of c = a^b with respect to a: b·c/a; at a = 0: 1 for b = 1, else 0
};

[[nodiscard]] constexpr bool is_leaf(Op op) { return op <= Op::Parameter; }
[[nodiscard]] constexpr int argument_count(Op op) {
  return is_leaf(op) ? 0 : op <= Op::TableSlope ? 1 : op <= Op::Or ? 2 : 3;
}

/// A curve in the form that is evaluated: y and slopes at the points.
struct Curve {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> slope;  ///< of the cubic spline; empty for a linear table
};

/// The curve at x, or its derivative (right-hand limit). Beyond the points the value is held.
[[nodiscard]] double curve_value(const Curve& curve, double x);
[[nodiscard]] double curve_slope(const Curve& curve, double x);

[[nodiscard]] inline double safe_inverse(double a) { return a == 0.0 ? 0.0 : 1.0 / a; }
[[nodiscard]] inline double sign_of(double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a; }
[[nodiscard]] inline double pow_log(double a, double power) {
  return a <= 0.0 ? 0.0 : power * std::log(a);
}
[[nodiscard]] inline double pow_up(double a, double b, double power) {
  return a == 0.0 ? std::pow(a, b) : a * power;
}
[[nodiscard]] inline double pow_slope(double a, double b, double power) {
  return a == 0.0 ? (b == 1.0 ? 1.0 : 0.0) : b * power / a;
}
[[nodiscard]] inline double truth(bool value) { return value ? 1.0 : 0.0; }

/// Value of an operation; `curves` serves Table and TableSlope, whose index is `table`.
[[nodiscard]] double evaluate(Op op, double a, double b, double c, const Curve* curve);

}  // namespace alembert::model::equations
