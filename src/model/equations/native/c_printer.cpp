#include "model/equations/native/c_printer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alembert::model::equations {

namespace {

std::string c_number(double value) {
  if (std::isnan(value)) {
    return "(0.0 / 0.0)";
  }
  if (std::isinf(value)) {
    return value > 0.0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)";
  }
  std::string text = fmt::format("{:.17g}", value);
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return std::signbit(value) ? "(" + text + ")" : text;
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

std::string CPrinter::raw(std::uint32_t slot) const {
  if (slot < tapes_.parameter_slot) {
    return c_number(tapes_.constants[slot]);
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
  return boolean ? "(double)" + raw(slot) : raw(slot);
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
  switch (argument_count(i.op)) {
    case 1:
      return fmt::format("{}({})", c_function(i.op), operand(i.a));
    case 2:
      return fmt::format("{}({}, {})", c_function(i.op), operand(i.a), operand(i.b));
    default:
      return fmt::format("{}({}, {}, {})", c_function(i.op), operand(i.a), operand(i.b),
                         operand(i.c));
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
    text += fmt::format("  const {} {} = {};\n", boolean ? "int" : "double", raw(i.target),
                        expression(i));
    boolean_[i.target - tapes_.temporary_slot] = boolean;
  }
  return text;
}

}  // namespace alembert::model::equations
