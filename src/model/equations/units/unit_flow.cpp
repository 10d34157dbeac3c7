#include "model/equations/units/unit_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace alembert::model::equations {

namespace {

// Each name becomes known once, and then the expressions around it are looked at again. Only texts
// made for it come near this number of nodes; what they leave open is not checked.
constexpr std::size_t kMaxVisits = 5000000;

MaybeQuantity read(const std::string& unit, const std::string& part) {
  if (unit.empty()) {
    return std::nullopt;
  }
  const MaybeQuantity result = read_quantity(unit);
  if (!result) {
    fail(part, {}, fmt::format("unknown unit {}", in_quotes(unit)));
  }
  return result;
}

void set(MaybeQuantity& target, const MaybeQuantity& value) {
  if (!target) {
    target = value;
  }
}

// The first known unit of those that must be alike, one whose scale counts if there is one.
MaybeQuantity first_known(const SyntaxNode& node, const NodeUnits& units) {
  MaybeQuantity result;
  for (int k = static_cast<int>(first_alike(node)); k < node.argument_count; ++k) {
    const MaybeQuantity& unit = units[node.arguments[static_cast<std::size_t>(k)]];
    if (unit && (!result || !result->scaled)) {
      result = unit;
    }
  }
  return result;
}

// A quantity to an unknown power has no known unit.
MaybeQuantity power(const ResolvedText& text, const SyntaxNode& node, const NodeUnits& units) {
  const MaybeQuantity& base = units[node.arguments[0]];
  if (!base) {
    return std::nullopt;
  }
  if (const auto exponent = exponent_of(text, node)) {
    return raised(*base, *exponent);
  }
  return matches(*base, kNumber) ? MaybeQuantity(kNumber) : std::nullopt;
}

}  // namespace

UnitFlow::UnitFlow(Resolved& resolved, const EquationSetup& setup)
    : resolved_(resolved), users_(resolved.symbols.size()), derivatives_(resolved.symbols.size()) {
  for (const EquationTable& table : setup.tables) {
    table_x_.push_back(read(table.x_unit, "tables." + table.name));
    table_y_.push_back(read(table.y_unit, "tables." + table.name));
  }
  declare(setup);
}

void UnitFlow::declare_one(const std::string& name, const std::string& unit,
                           const std::string& table) {
  const MaybeQuantity quantity = read(unit, table + "." + (is_name(name) ? name : "?"));
  for (Symbol& symbol : resolved_.symbols) {
    if (symbol.name == name) {
      if (quantity && symbol.quantity && !matches(*quantity, *symbol.quantity)) {
        fail(table, {},
             fmt::format("'{}' has two units, {} and {}", name, to_string(*symbol.quantity),
                         to_string(*quantity)));
      }
      if (quantity) {
        symbol.quantity = quantity;
      }
      return;
    }
  }
  fail(table, {}, fmt::format("unknown name {}", in_quotes(name)));
}

void UnitFlow::declare(const EquationSetup& setup) {
  resolved_.symbols[0].quantity = kSecond;  // t
  resolved_.symbols[1].quantity = kNumber;  // pi
  for (const auto& [list, table] :
       {std::pair{&setup.inputs, "inputs"}, std::pair{&setup.parameters, "parameters"},
        std::pair{&setup.units, "units"}, std::pair{&setup.outputs, "outputs"}}) {
    for (const EquationSymbol& symbol : *list) {
      declare_one(symbol.name, symbol.unit, table);
    }
  }
  for (const EquationConstant& constant : setup.constants) {
    declare_one(constant.name, constant.unit, "constants");
  }
}

void UnitFlow::add_expression(const ResolvedText& text, std::size_t first, std::size_t root,
                              std::uint32_t symbol) {
  const auto index = static_cast<std::uint32_t>(expressions_.size());
  expressions_.push_back({&text, first, root, symbol, true});
  queue_.push_back(index);
  users_[symbol].push_back(index);
  for (std::size_t k = first; k <= root; ++k) {
    if (text.syntax.nodes[k].form == Form::Name) {
      users_[text.symbols[k]].push_back(index);
    }
  }
  units_.resize(std::max(units_.size(), root + 1));
}

void UnitFlow::collect_expressions() {
  for (const std::uint32_t k : resolved_.order) {
    const Statement& statement = resolved_.equations.syntax.statements[k];
    add_expression(resolved_.equations, statement.first, statement.root,
                   resolved_.statement_symbols[k]);
  }
  for (std::size_t k = 0; k < resolved_.states.size(); ++k) {
    if (resolved_.starts[k]) {
      const ResolvedText& text = *resolved_.starts[k];
      add_expression(text, 0, text.syntax.statements[0].root, resolved_.states[k]);
    }
  }
}

void UnitFlow::infer() {
  collect_expressions();
  for (std::uint32_t k = 0; k < resolved_.symbols.size(); ++k) {
    if (resolved_.symbols[k].derivative_of != kNoSymbol) {
      derivatives_[resolved_.symbols[k].derivative_of].push_back(k);
    }
  }
  for (std::uint32_t k = 0; k < resolved_.symbols.size(); ++k) {
    relate(k);
  }
  std::size_t visits = 0;
  while (!queue_.empty() && visits < kMaxVisits) {
    Expression& expression = expressions_[queue_.front()];
    queue_.pop_front();
    expression.waiting = false;
    visits += expression.root - expression.first + 1;
    infer_in(expression);
  }
}

void UnitFlow::infer_in(const Expression& expression) {
  for (std::size_t k = expression.first; k <= expression.root; ++k) {
    units_[k] = forward(*expression.text, units_, k);
  }
  set_symbol(expression.symbol, units_[expression.root]);
  set(units_[expression.root], resolved_.symbols[expression.symbol].quantity);
  for (std::size_t k = expression.root + 1; k-- > expression.first;) {
    backward(*expression.text, k);
  }
}

void UnitFlow::set_symbol(std::uint32_t symbol, const MaybeQuantity& unit) {
  MaybeQuantity& quantity = resolved_.symbols[symbol].quantity;
  if (quantity || !unit) {
    return;
  }
  quantity = unit;
  for (const std::uint32_t user : users_[symbol]) {
    if (!std::exchange(expressions_[user].waiting, true)) {
      queue_.push_back(user);
    }
  }
  relate(symbol);
}

// The unit of x' is that of x per second.
void UnitFlow::relate(std::uint32_t symbol) {
  const MaybeQuantity quantity = resolved_.symbols[symbol].quantity;
  if (!quantity) {
    return;
  }
  for (const std::uint32_t derivative : derivatives_[symbol]) {
    set_symbol(derivative, quotient(*quantity, kSecond));
  }
  if (const std::uint32_t base = resolved_.symbols[symbol].derivative_of; base != kNoSymbol) {
    set_symbol(base, product(*quantity, kSecond));
  }
}

MaybeQuantity UnitFlow::forward(const ResolvedText& text, const NodeUnits& units,
                                std::size_t k) const {
  const SyntaxNode& node = text.syntax.nodes[k];
  switch (rule_of(node.form)) {
    case Rule::AllAlikeGivesNumber:
    case Rule::Numbers:
      return kNumber;
    case Rule::Same:
      return units[node.arguments[0]];
    case Rule::Alike:
      return first_known(node, units);
    case Rule::Power:
      return power(text, node, units);
    case Rule::Product:
    case Rule::Quotient: {
      const MaybeQuantity& a = units[node.arguments[0]];
      const MaybeQuantity& b = units[node.arguments[1]];
      if (!a || !b) {
        return std::nullopt;
      }
      return node.form == Form::Multiply ? product(*a, *b) : quotient(*a, *b);
    }
    case Rule::Free:
      break;
  }
  switch (node.form) {
    case Form::Name:
      return resolved_.symbols[text.symbols[k]].quantity;
    case Form::Table:
      return table_y_[text.symbols[k]];
    // Zero fits any unit; a factor may be a conversion.
    case Form::Number:
      return node.number == 0.0 ? MaybeQuantity{} : Quantity{.scaled = node.number == 1.0};
    default:
      return kNumber;
  }
}

void UnitFlow::backward(const ResolvedText& text, std::size_t k) {
  const SyntaxNode& node = text.syntax.nodes[k];
  const MaybeQuantity unit = units_[k];
  switch (rule_of(node.form)) {
    case Rule::Alike:
    case Rule::Same:
      for (int i = static_cast<int>(first_alike(node)); i < node.argument_count; ++i) {
        set(units_[node.arguments[static_cast<std::size_t>(i)]], unit);
      }
      break;
    case Rule::AllAlikeGivesNumber: {
      const MaybeQuantity known = first_known(node, units_);
      for (int i = 0; i < node.argument_count; ++i) {
        set(units_[node.arguments[static_cast<std::size_t>(i)]], known);
      }
      break;
    }
    case Rule::Numbers:
      set(units_[node.arguments[0]], kNumber);
      break;
    case Rule::Product:
    case Rule::Quotient:
      backward_product(node, unit);
      break;
    case Rule::Power:
      backward_power(text, node, unit);
      break;
    case Rule::Free:
      if (node.form == Form::Name) {
        set_symbol(text.symbols[k], unit);
      } else if (node.form == Form::Table) {
        set(units_[node.arguments[0]], table_x_[text.symbols[k]]);
      }
  }
}

void UnitFlow::backward_product(const SyntaxNode& node, const MaybeQuantity& unit) {
  MaybeQuantity& a = units_[node.arguments[0]];
  MaybeQuantity& b = units_[node.arguments[1]];
  if (!unit) {
    return;
  }
  const bool times = node.form == Form::Multiply;
  if (b) {
    set(a, times ? quotient(*unit, *b) : product(*unit, *b));
  } else if (a) {
    set(b, times ? quotient(*unit, *a) : quotient(*a, *unit));
  }
}

void UnitFlow::backward_power(const ResolvedText& text, const SyntaxNode& node,
                              const MaybeQuantity& unit) {
  const auto exponent = exponent_of(text, node);
  if (unit && exponent && *exponent != 0.0) {
    set(units_[node.arguments[0]], raised(*unit, 1.0 / *exponent));
  }
  if (node.form == Form::Power) {
    set(units_[node.arguments[1]], kNumber);
  }
}

}  // namespace alembert::model::equations
