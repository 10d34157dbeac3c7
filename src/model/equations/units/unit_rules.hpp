#pragma once

#include <optional>

#include "model/equations/language/resolve.hpp"

namespace alembert::model::equations {

/// What a form demands of the units of its arguments.
enum class Rule {
  Alike,                ///< all alike, and so is the result (of an if: both branches)
  AllAlikeGivesNumber,  ///< all alike, the result has no unit
  Numbers,              ///< neither argument nor result have a unit
  Same,                 ///< the result is in the unit of the argument
  Product,
  Quotient,
  Power,
  Free,  ///< leaves, logic and tables
};

[[nodiscard]] Rule rule_of(Form form);

/// The exponent of a power or a root where it is a number of the text, possibly with a sign, or a
/// quotient of numbers.
[[nodiscard]] std::optional<double> exponent_of(const ResolvedText& text, const SyntaxNode& node);

/// Whether the caller declares a unit for anything.
[[nodiscard]] bool any_declared(const EquationSetup& setup);

}  // namespace alembert::model::equations
