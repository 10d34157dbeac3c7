#include "model/equations/units/unit_rules.hpp"

namespace alembert::model::equations {

namespace {

std::optional<double> fixed_number(const ResolvedText& text, std::uint32_t id) {
  const SyntaxNode& node = text.syntax.nodes[id];
  if (node.form == Form::Number) {
    return node.number;
  }
  if (node.form == Form::Negate && text.syntax.nodes[node.arguments[0]].form == Form::Number) {
    return -text.syntax.nodes[node.arguments[0]].number;
  }
  const bool quotient_of_numbers = node.form == Form::Divide &&
                                   text.syntax.nodes[node.arguments[0]].form == Form::Number &&
                                   text.syntax.nodes[node.arguments[1]].form == Form::Number;
  if (quotient_of_numbers) {
    return text.syntax.nodes[node.arguments[0]].number /
           text.syntax.nodes[node.arguments[1]].number;
  }
  return std::nullopt;
}

}  // namespace

Rule rule_of(Form form) {
  switch (form) {
    case Form::Add:
    case Form::Subtract:
    case Form::Min:
    case Form::Max:
    case Form::SmoothMax:
    case Form::SmoothMin:
    case Form::SmoothAbs:
    case Form::If:
      return Rule::Alike;
    case Form::Less:
    case Form::LessEqual:
    case Form::Greater:
    case Form::GreaterEqual:
    case Form::Equal:
    case Form::NotEqual:
    case Form::Atan2:
    case Form::SmoothSign:
      return Rule::AllAlikeGivesNumber;
    case Form::Negate:
    case Form::Abs:
    case Form::Floor:
      return Rule::Same;
    case Form::Multiply:
      return Rule::Product;
    case Form::Divide:
      return Rule::Quotient;
    case Form::Power:
    case Form::Sqrt:
      return Rule::Power;
    case Form::Number:
    case Form::Name:
    case Form::Sign:
    case Form::Not:
    case Form::And:
    case Form::Or:
    case Form::Table:
      return Rule::Free;
    default:
      return Rule::Numbers;  // exp, log, sin, ...
  }
}

std::optional<double> exponent_of(const ResolvedText& text, const SyntaxNode& node) {
  return node.form == Form::Sqrt ? 0.5 : fixed_number(text, node.arguments[1]);
}

bool any_declared(const EquationSetup& setup) {
  for (const auto* list : {&setup.inputs, &setup.outputs, &setup.parameters, &setup.units}) {
    for (const EquationSymbol& symbol : *list) {
      if (!symbol.unit.empty()) return true;
    }
  }
  for (const EquationConstant& constant : setup.constants) {
    if (!constant.unit.empty()) return true;
  }
  for (const EquationTable& table : setup.tables) {
    if (!table.x_unit.empty() || !table.y_unit.empty()) return true;
  }
  return false;
}

}  // namespace alembert::model::equations
