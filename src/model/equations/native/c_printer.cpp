#include "model/equations/native/c_printer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace alembert::model::equations {

namespace {

std::string c_special_number(double value, const CStyle& style) {
  const bool negative = value < 0.0;
  if (style.names_of_math_header) {
    return std::isnan(value) ? "NAN" : negative ? "(-INFINITY)" : "INFINITY";
  }
  return std::isnan(value) ? "(0.0 / 0.0)" : negative ? "(-1.0 / 0.0)" : "(1.0 / 0.0)";
}

bool gives_boolean(Op op) { return op == Op::Not || (op >= Op::Less && op <= Op::Or); }

const char* c_function(Op op) {
  switch (op) {
    case Op::Abs:
      return "fabs";
    case Op::Sign:
      return "sign_of";
    case Op::Floor:
      return "floor";
    case Op::Sqrt:
      return "sqrt";
    case Op::Exp:
      return "exp";
    case Op::Log:
      return "log";
    case Op::Sin:
      return "sin";
    case Op::Cos:
      return "cos";
    case Op::Tan:
      return "tan";
    case Op::Asin:
      return "asin";
    case Op::Acos:
      return "acos";
    case Op::Atan:
      return "atan";
    case Op::Sinh:
      return "sinh";
    case Op::Cosh:
      return "cosh";
    case Op::Tanh:
      return "tanh";
    case Op::SafeInverse:
      return "safe_inverse";
    case Op::Pow:
      return "pow";
    case Op::PowUp:
      return "pow_up";
    case Op::Atan2:
      return "atan2";
    case Op::PowLog:
      return "pow_log";
    default:
      return "pow_slope";
  }
}

// Functions that the text itself defines, for the number that it uses.
bool is_own(Op op) {
  return op == Op::Sign || op == Op::SafeInverse || op == Op::PowUp || op == Op::PowLog ||
         op == Op::PowSlope;
}

const char* c_operator(Op op) {
  switch (op) {
    case Op::Add:
      return "+";
    case Op::Sub:
      return "-";
    case Op::Mul:
      return "*";
    case Op::Div:
      return "/";
    case Op::Less:
      return "<";
    case Op::LessEqual:
      return "<=";
    case Op::Equal:
      return "==";
    case Op::NotEqual:
      return "!=";
    default:
      return nullptr;
  }
}

}  // namespace

std::string c_literal(double value, const CStyle& style) {
  const bool single = *style.suffix != '\0';
  // Numbers beyond the range of a float are its infinity or 0, as a conversion would make them.
  constexpr double kLargestFloat = std::numeric_limits<float>::max();
  const double number = single && std::abs(value) > kLargestFloat
                            ? std::copysign(std::numeric_limits<double>::infinity(), value)
                            : value;
  if (!std::isfinite(number)) {
    return c_special_number(number, style);
  }
  std::string text = single ? fmt::format("{:.9g}", number) : fmt::format("{:.17g}", number);
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  text += style.suffix;
  return std::signbit(number) ? "(" + text + ")" : text;
}

std::string CPrinter::raw(std::uint32_t slot) const {
  if (slot < tapes_.parameter_slot) {
    return c_literal(tapes_.constants[slot], style_);
  }
  if (slot < tapes_.prepared_slot) {
    return fmt::format("p[{}]", slot - tapes_.parameter_slot);
  }
  if (slot < tapes_.time_slot) {
    return fmt::format("w[{}]", slot - tapes_.prepared_slot);
  }
  if (slot == tapes_.time_slot) {
    return "t";
  }
  if (slot < tapes_.input_slot) {
    return fmt::format("x[{}]", slot - tapes_.state_slot);
  }
  if (slot < tapes_.temporary_slot) {
    return fmt::format("u[{}]", slot - tapes_.input_slot);
  }
  return fmt::format("v{}", slot - tapes_.temporary_slot);
}

std::string CPrinter::operand(std::uint32_t slot) const {
  const bool boolean = slot >= tapes_.temporary_slot &&
                       slot - tapes_.temporary_slot < boolean_.size() &&
                       boolean_[slot - tapes_.temporary_slot];
  return boolean ? fmt::format("({}){}", style_.type, raw(slot)) : raw(slot);
}

std::string CPrinter::expression(const Instruction& i) const {
  if (const char* sign = c_operator(i.op)) {
    return fmt::format("{} {} {}", operand(i.a), sign, operand(i.b));
  }
  switch (i.op) {
    case Op::Neg:
      return "-" + operand(i.a);
    case Op::Not:
      return fmt::format("{} == 0", raw(i.a));
    case Op::And:
      return fmt::format("{} != 0 && {} != 0", raw(i.a), raw(i.b));
    case Op::Or:
      return fmt::format("{} != 0 || {} != 0", raw(i.a), raw(i.b));
    case Op::Min:
      return fmt::format("{0} < {1} ? {0} : {1}", operand(i.a), operand(i.b));
    case Op::Max:
      return fmt::format("{0} > {1} ? {0} : {1}", operand(i.a), operand(i.b));
    case Op::Select:
      return fmt::format("{} != 0 ? {} : {}", raw(i.a), operand(i.b), operand(i.c));
    case Op::Table:
      return fmt::format("table{}({}, 0)", i.b, operand(i.a));
    case Op::TableSlope:
      return fmt::format("table{}({}, 1)", i.b, operand(i.a));
    default:
      break;
  }
  const std::string name = c_function(i.op) + std::string(is_own(i.op) ? "" : style_.suffix);
  switch (argument_count(i.op)) {
    case 1:
      return fmt::format("{}({})", name, operand(i.a));
    case 2:
      return fmt::format("{}({}, {})", name, operand(i.a), operand(i.b));
    default:
      return fmt::format("{}({}, {}, {})", name, operand(i.a), operand(i.b), operand(i.c));
  }
}

std::string CPrinter::body(const Tape& tape) {
  std::string text;
  boolean_.assign(tapes_.size - tapes_.temporary_slot, false);
  for (const Instruction& i : tape.code) {
    if (i.target < tapes_.time_slot) {
      text += fmt::format("  {} = {};\n", raw(i.target), expression(i));
      continue;
    }
    const bool boolean = gives_boolean(i.op);
    text += fmt::format("  const {} {} = {};\n", boolean ? "int" : style_.type, raw(i.target),
                        expression(i));
    boolean_[i.target - tapes_.temporary_slot] = boolean;
  }
  return text;
}

}  // namespace alembert::model::equations
