#include "model/equations/language/functions.hpp"

#include <algorithm>

namespace alembert::model::equations {

const std::vector<Function>& functions() {
  static const std::vector<Function> list{
      {"min", Form::Min, 2},
      {"max", Form::Max, 2},
      {"abs", Form::Abs, 1},
      {"sign", Form::Sign, 1},
      {"floor", Form::Floor, 1},
      {"sqrt", Form::Sqrt, 1},
      {"exp", Form::Exp, 1},
      {"log", Form::Log, 1},
      {"sin", Form::Sin, 1},
      {"cos", Form::Cos, 1},
      {"tan", Form::Tan, 1},
      {"asin", Form::Asin, 1},
      {"acos", Form::Acos, 1},
      {"atan", Form::Atan, 1},
      {"sinh", Form::Sinh, 1},
      {"cosh", Form::Cosh, 1},
      {"tanh", Form::Tanh, 1},
      {"atan2", Form::Atan2, 2},
      {"pow", Form::Power, 2},
      {"if", Form::If, 3},
      {"smooth_max", Form::SmoothMax, 3},
      {"smooth_min", Form::SmoothMin, 3},
      {"smooth_abs", Form::SmoothAbs, 2},
      {"smooth_sign", Form::SmoothSign, 2},
      {"table", Form::Table, 2},
  };
  return list;
}

const Function* find_function(std::string_view name) {
  const auto& list = functions();
  const auto found = std::find_if(list.begin(), list.end(),
                                  [name](const Function& entry) { return entry.name == name; });
  return found == list.end() ? nullptr : &*found;
}

bool is_function(std::string_view name) { return find_function(name) != nullptr; }

std::string word_of(Form form) {
  switch (form) {
    case Form::Negate:
      return "-";
    case Form::Not:
      return "not";
    case Form::Add:
      return "+";
    case Form::Subtract:
      return "-";
    case Form::Multiply:
      return "*";
    case Form::Divide:
      return "/";
    case Form::Power:
      return "^";
    case Form::Less:
      return "<";
    case Form::LessEqual:
      return "<=";
    case Form::Greater:
      return ">";
    case Form::GreaterEqual:
      return ">=";
    case Form::Equal:
      return "==";
    case Form::NotEqual:
      return "!=";
    case Form::And:
      return "and";
    case Form::Or:
      return "or";
    default:
      break;
  }
  for (const Function& function : functions()) {
    if (function.form == form) {
      return std::string(function.name);
    }
  }
  return "expression";
}

}  // namespace alembert::model::equations
