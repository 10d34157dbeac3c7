#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alembert/model/equations.hpp"
#include "model/equations/language/quantity.hpp"
#include "model/equations/language/syntax.hpp"

namespace alembert::model::equations {

enum class SymbolKind { Time, Constant, Input, Parameter, State, Definition };

constexpr std::uint32_t kNoSymbol = ~std::uint32_t{0};

/// A name with its meaning.
struct Symbol {
  std::string name;  ///< with primes
  SymbolKind kind = SymbolKind::Constant;
  std::size_t index = 0;                    ///< among its kind; of a definition its statement
  double value = 0.0;                       ///< of a constant
  std::uint32_t derivative_of = kNoSymbol;  ///< of x' the symbol x
  std::optional<Quantity> quantity{};       ///< declared or inferred
};

/// An expression or a list of statements whose names are resolved.
struct ResolvedText {
  std::string part;  ///< for messages
  Syntax syntax;
  std::vector<std::uint32_t> symbols;  ///< per node: the symbol of a name, the index of a table
};

/// The checked text of a model.
struct Resolved {
  std::vector<Symbol> symbols;
  ResolvedText equations;
  std::vector<std::uint32_t> statement_symbols;  ///< what each statement defines
  std::vector<std::uint32_t> order;              ///< statements, each after those it uses
  std::vector<std::uint32_t> states;             ///< symbols
  std::vector<std::uint32_t> derivatives;        ///< symbol of the derivative of each state
  std::vector<SecondOrderPair> pairs;
  std::vector<std::uint32_t> outputs;               ///< symbols
  std::vector<std::optional<ResolvedText>> starts;  ///< per state; none: 0
};

/// Resolves all names.
/// @throws EquationError
[[nodiscard]] Resolved resolve(std::string_view text, const EquationSetup& setup);

}  // namespace alembert::model::equations
