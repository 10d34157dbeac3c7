#include <fmt/format.h>

#include <cmath>

#include "model/equations/unit_rules.hpp"

namespace alembert::model::equations {

namespace {

using MaybeQuantity = std::optional<Quantity>;

constexpr int kMaxPasses = 50;  // each infers at least one more name; long chains stay unchecked

const Quantity kNumber{};
const Quantity kSecond{.exponents = {0.0, 0.0, 1.0, 0.0, 0.0}};

class UnitCheck {
 public:
  UnitCheck(Resolved& resolved, const EquationSetup& setup) : resolved_(resolved) {
    for (const EquationTable& table : setup.tables) {
      table_x_.push_back(read(table.x_unit, "tables." + table.name));
      table_y_.push_back(read(table.y_unit, "tables." + table.name));
    }
    declare(setup);
  }

  void run() {
    for (int pass = 0; pass < kMaxPasses && changed_; ++pass) {
      changed_ = false;
      relate_derivatives();
      infer(resolved_.equations, resolved_.statement_symbols);
      for (std::size_t k = 0; k < resolved_.states.size(); ++k) {
        if (resolved_.starts[k]) {
          infer(*resolved_.starts[k], {resolved_.states[k]});
        }
      }
    }
    check_derivatives();
    check(resolved_.equations, resolved_.statement_symbols);
    for (std::size_t k = 0; k < resolved_.states.size(); ++k) {
      if (resolved_.starts[k]) {
        check(*resolved_.starts[k], {resolved_.states[k]});
      }
    }
  }

 private:
  static MaybeQuantity read(const std::string& unit, const std::string& part) {
    if (unit.empty()) {
      return std::nullopt;
    }
    const MaybeQuantity result = read_quantity(unit);
    if (!result) {
      fail(part, {}, fmt::format("unknown unit {}", in_quotes(unit)));
    }
    return result;
  }

  void declare_one(const std::string& name, const std::string& unit, const std::string& table) {
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

  void declare(const EquationSetup& setup) {
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

  void set(MaybeQuantity& target, const MaybeQuantity& value) {
    if (!target && value) {
      target = value;
      changed_ = true;
    }
  }

  // The unit of x' is that of x per second.
  void relate_derivatives() {
    for (Symbol& symbol : resolved_.symbols) {
      if (symbol.derivative_of == kNoSymbol) {
        continue;
      }
      Symbol& base = resolved_.symbols[symbol.derivative_of];
      if (base.quantity) {
        set(symbol.quantity, quotient(*base.quantity, kSecond));
      } else if (symbol.quantity) {
        set(base.quantity, product(*symbol.quantity, kSecond));
      }
    }
  }

  void check_derivatives() const {
    for (const Symbol& symbol : resolved_.symbols) {
      if (symbol.derivative_of == kNoSymbol || !symbol.quantity) {
        continue;
      }
      const Symbol& base = resolved_.symbols[symbol.derivative_of];
      const Quantity expected = quotient(*base.quantity, kSecond);
      if (!matches(*symbol.quantity, expected)) {
        fail("units", {},
             fmt::format("'{}' is in {}, so '{}' must be in {}, not {}", base.name,
                         to_string(*base.quantity), symbol.name, to_string(expected),
                         to_string(*symbol.quantity)));
      }
    }
  }

  void infer(const ResolvedText& text, const std::vector<std::uint32_t>& defined) {
    units_.assign(text.syntax.nodes.size(), std::nullopt);
    for (std::size_t k = 0; k < units_.size(); ++k) {
      units_[k] = forward(text, k);
    }
    for (std::size_t k = 0; k < defined.size(); ++k) {
      const std::uint32_t root = text.syntax.statements[k].root;
      Symbol& symbol = resolved_.symbols[defined[k]];
      set(symbol.quantity, units_[root]);
      set(units_[root], symbol.quantity);
    }
    for (std::size_t k = units_.size(); k-- > 0;) {
      backward(text, k);
    }
  }

  const MaybeQuantity& argument(const SyntaxNode& node, std::size_t k) const {
    return units_[node.arguments[k]];
  }

  // Whether the argument is one of those that must be alike: all but the condition of an if.
  static std::size_t first_alike(const SyntaxNode& node) { return node.form == Form::If ? 1 : 0; }

  MaybeQuantity forward(const ResolvedText& text, std::size_t k) const {
    const SyntaxNode& node = text.syntax.nodes[k];
    switch (rule_of(node.form)) {
      case Rule::AllAlikeGivesNumber:
      case Rule::Numbers:
        return kNumber;
      case Rule::Same:
        return argument(node, 0);
      case Rule::Alike:
        return first_known(node);
      case Rule::Power:
        return power(text, node);
      case Rule::Product:
      case Rule::Quotient: {
        const MaybeQuantity& a = argument(node, 0);
        const MaybeQuantity& b = argument(node, 1);
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

  MaybeQuantity first_known(const SyntaxNode& node) const {
    MaybeQuantity result;
    for (int k = static_cast<int>(first_alike(node)); k < node.argument_count; ++k) {
      const MaybeQuantity& unit = argument(node, static_cast<std::size_t>(k));
      if (unit && (!result || !result->scaled)) {
        result = unit;
      }
    }
    return result;
  }

  // A quantity to an unknown power has no known unit.
  MaybeQuantity power(const ResolvedText& text, const SyntaxNode& node) const {
    const MaybeQuantity& base = argument(node, 0);
    if (!base) {
      return std::nullopt;
    }
    if (const auto exponent = exponent_of(text, node)) {
      return raised(*base, *exponent);
    }
    return matches(*base, kNumber) ? MaybeQuantity(kNumber) : std::nullopt;
  }

  void backward(const ResolvedText& text, std::size_t k) {
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
        const MaybeQuantity known = first_known(node);
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
          set(resolved_.symbols[text.symbols[k]].quantity, unit);
        } else if (node.form == Form::Table) {
          set(units_[node.arguments[0]], table_x_[text.symbols[k]]);
        }
    }
  }

  void backward_product(const SyntaxNode& node, const MaybeQuantity& unit) {
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

  void backward_power(const ResolvedText& text, const SyntaxNode& node, const MaybeQuantity& unit) {
    const auto exponent = exponent_of(text, node);
    if (unit && exponent && *exponent != 0.0) {
      set(units_[node.arguments[0]], raised(*unit, 1.0 / *exponent));
    }
    if (node.form == Form::Power) {
      set(units_[node.arguments[1]], kNumber);
    }
  }

  // "'x1' is in m" or "the left side is in m".
  std::string describe(const ResolvedText& text, std::uint32_t id,
                       const std::string& otherwise) const {
    const SyntaxNode& node = text.syntax.nodes[id];
    const std::string unit = to_string(*units_[id]);
    const std::string shown = unit == "-" ? "has no unit" : "is in " + unit;
    if (node.form == Form::Name) {
      return fmt::format("'{}' {}", primed(node.text, node.primes), shown);
    }
    if (node.form == Form::Number) {
      return fmt::format("the number {} {}", node.text, shown);
    }
    return fmt::format("{} {}", otherwise, shown);
  }

  void check(const ResolvedText& text, const std::vector<std::uint32_t>& defined) {
    units_.assign(text.syntax.nodes.size(), std::nullopt);
    for (std::size_t k = 0; k < units_.size(); ++k) {
      units_[k] = forward(text, k);
      check_node(text, k);
    }
    for (std::size_t k = 0; k < defined.size(); ++k) {
      const Statement& statement = text.syntax.statements[k];
      const Symbol& symbol = resolved_.symbols[defined[k]];
      const MaybeQuantity& right = units_[statement.root];
      if (symbol.quantity && right && !matches(*symbol.quantity, *right)) {
        fail(text.part, statement.position,
             fmt::format("units do not match: '{}' is in {}, {}", symbol.name,
                         to_string(*symbol.quantity),
                         describe(text, statement.root, "its right-hand side")));
      }
    }
  }

  void check_node(const ResolvedText& text, std::size_t k) const {
    const SyntaxNode& node = text.syntax.nodes[k];
    const Rule rule = rule_of(node.form);
    if (rule == Rule::Alike || rule == Rule::AllAlikeGivesNumber) {
      check_alike(text, node);
    } else if (rule == Rule::Numbers) {
      check_number(text, node, 0);
    } else if (node.form == Form::Power) {
      check_number(text, node, 1);
    } else if (node.form == Form::Table) {
      const MaybeQuantity& x = table_x_[text.symbols[k]];
      if (x && argument(node, 0) && !matches(*x, *argument(node, 0))) {
        fail(text.part, node.position,
             fmt::format("units do not match: the table {} is over {}, {}", in_quotes(node.text),
                         to_string(*x), describe(text, node.arguments[0], "its argument")));
      }
    }
  }

  void check_alike(const ResolvedText& text, const SyntaxNode& node) const {
    const std::size_t first = first_alike(node);
    const auto count = static_cast<std::size_t>(node.argument_count);
    for (std::size_t i = first; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const MaybeQuantity& a = argument(node, i);
        const MaybeQuantity& b = argument(node, j);
        if (a && b && !matches(*a, *b)) {
          const bool sides = !find_function(word_of(node.form));
          fail(text.part, node.position,
               fmt::format("units do not match: {}, {}, at '{}'",
                           describe(text, node.arguments[i],
                                    sides ? "the left side" : fmt::format("argument {}", i + 1)),
                           describe(text, node.arguments[j],
                                    sides ? "the right side" : fmt::format("argument {}", j + 1)),
                           word_of(node.form)));
        }
      }
    }
  }

  void check_number(const ResolvedText& text, const SyntaxNode& node, std::size_t k) const {
    const MaybeQuantity& unit = argument(node, k);
    if (unit && !matches(*unit, kNumber)) {
      fail(text.part, node.position,
           fmt::format(
               "units do not match: '{}' needs a number without unit, {}", word_of(node.form),
               describe(text, node.arguments[k], k == 0 ? "its argument" : "the exponent")));
    }
  }

  Resolved& resolved_;
  std::vector<MaybeQuantity> table_x_;
  std::vector<MaybeQuantity> table_y_;
  std::vector<MaybeQuantity> units_;  // of the nodes of the text at hand
  bool changed_ = true;
};

}  // namespace

void check_units(Resolved& resolved, const EquationSetup& setup) {
  UnitCheck check(resolved, setup);
  if (any_declared(setup)) {
    check.run();
  }
}

}  // namespace alembert::model::equations
