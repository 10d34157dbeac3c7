#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "model/equations/units/unit_rules.hpp"

namespace alembert::model::equations {

using MaybeQuantity = std::optional<Quantity>;

/// Units of the nodes of a text.
using NodeUnits = std::vector<MaybeQuantity>;

inline const Quantity kNumber{};
inline const Quantity kSecond{.exponents = {0.0, 0.0, 1.0, 0.0, 0.0}};

/// Carries declared units through the equations, into Symbol::quantity.
///
/// Units flow from arguments to results and back. An expression is looked at again when a unit of a
/// name in it has become known, so that neither the length of a chain nor the order of the text
/// matters.
class UnitFlow {
 public:
  /// Notes the declared units.
  /// @throws EquationError
  UnitFlow(Resolved& resolved, const EquationSetup& setup);

  /// Infers what can be inferred.
  void infer();

  /// The unit of a node from those of its arguments.
  [[nodiscard]] MaybeQuantity forward(const ResolvedText& text, const NodeUnits& units,
                                      std::size_t node) const;

  /// The unit of a table's argument.
  [[nodiscard]] const MaybeQuantity& table_x(std::size_t table) const { return table_x_[table]; }

 private:
  // A right-hand side or a start value, and the symbol that it is equal to.
  struct Expression {
    const ResolvedText* text = nullptr;
    std::size_t first = 0;
    std::size_t root = 0;
    std::uint32_t symbol = kNoSymbol;
    bool waiting = false;
  };

  void declare(const EquationSetup& setup);
  void declare_one(const std::string& name, const std::string& unit, const std::string& table);
  void collect_expressions();
  void add_expression(const ResolvedText& text, std::size_t first, std::size_t root,
                      std::uint32_t symbol);
  void infer_in(const Expression& expression);
  void set_symbol(std::uint32_t symbol, const MaybeQuantity& unit);
  void relate(std::uint32_t symbol);
  void backward(const ResolvedText& text, std::size_t node);
  void backward_product(const SyntaxNode& node, const MaybeQuantity& unit);
  void backward_power(const ResolvedText& text, const SyntaxNode& node, const MaybeQuantity& unit);

  Resolved& resolved_;
  std::vector<MaybeQuantity> table_x_;
  std::vector<MaybeQuantity> table_y_;
  std::vector<Expression> expressions_;
  std::vector<std::vector<std::uint32_t>> users_;        // expressions in which a symbol stands
  std::vector<std::vector<std::uint32_t>> derivatives_;  // of each symbol
  std::deque<std::uint32_t> queue_;                      // expressions to be looked at
  NodeUnits units_;                                      // of the expression at hand
};

/// Whether the argument is one of those that must be alike: all but the condition of an if.
[[nodiscard]] inline std::size_t first_alike(const SyntaxNode& node) {
  return node.form == Form::If ? 1 : 0;
}

}  // namespace alembert::model::equations
