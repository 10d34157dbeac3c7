#include "model/equations/units/unit_check.hpp"

#include <fmt/format.h>

#include "model/equations/language/functions.hpp"
#include "model/equations/units/unit_flow.hpp"

namespace alembert::model::equations {

namespace {

class UnitCheck {
 public:
  UnitCheck(const Resolved& resolved, const UnitFlow& flow) : resolved_(resolved), flow_(flow) {}

  void run() {
    check_derivatives();
    check(resolved_.equations, resolved_.statement_symbols);
    for (std::size_t k = 0; k < resolved_.states.size(); ++k) {
      if (resolved_.starts[k]) {
        check(*resolved_.starts[k], {resolved_.states[k]});
      }
    }
  }

 private:
  void check_derivatives() const {
    for (const Symbol& symbol : resolved_.symbols) {
      if (symbol.derivative_of == kNoSymbol || !symbol.quantity) {
        continue;
      }
      const Symbol& base = resolved_.symbols[symbol.derivative_of];
      if (!base.quantity) {
        continue;
      }
      const Quantity expected = quotient(*base.quantity, kSecond);
      if (!matches(*symbol.quantity, expected)) {
        fail("units", {},
             fmt::format("'{}' is in {}, so '{}' must be in {}, not {}", base.name,
                         to_string(*base.quantity), symbol.name, to_string(expected),
                         to_string(*symbol.quantity)));
      }
    }
  }

  const MaybeQuantity& argument(const SyntaxNode& node, std::size_t k) const {
    return units_[node.arguments[k]];
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
      units_[k] = flow_.forward(text, units_, k);
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
      const MaybeQuantity& x = flow_.table_x(text.symbols[k]);
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

  const Resolved& resolved_;
  const UnitFlow& flow_;
  NodeUnits units_;  // of the nodes of the text at hand
};

}  // namespace

void check_units(Resolved& resolved, const EquationSetup& setup) {
  UnitFlow flow(resolved, setup);
  if (any_declared(setup)) {
    flow.infer();
    UnitCheck(resolved, flow).run();
  }
}

}  // namespace alembert::model::equations
