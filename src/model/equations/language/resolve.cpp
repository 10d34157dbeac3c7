#include "model/equations/language/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <unordered_map>

#include "alembert/core/text.hpp"
#include "model/equations/language/dependency_order.hpp"
#include "model/equations/language/functions.hpp"
#include "model/equations/language/parser.hpp"

namespace alembert::model::equations {

namespace {

constexpr std::string_view kEquations = "equations";

std::string kind_word(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Time:
      return "the time";
    case SymbolKind::Constant:
      return "a constant";
    case SymbolKind::Input:
      return "an input";
    case SymbolKind::Parameter:
      return "a parameter";
    case SymbolKind::State:
      return "a state";
    case SymbolKind::Definition:
      return "defined by an equation";
  }
  return "";
}

bool is_reserved(std::string_view name) {
  return name == "and" || name == "or" || name == "not" || find_function(name) != nullptr;
}

// What the model computes. An input or a parameter can be read through a definition.
bool may_be_output(SymbolKind kind) {
  return kind == SymbolKind::State || kind == SymbolKind::Definition;
}

// What is known at the first sample before the state is.
bool may_be_in_start(SymbolKind kind) {
  return kind == SymbolKind::Constant || kind == SymbolKind::Parameter || kind == SymbolKind::Input;
}

class Resolver {
 public:
  Resolver(std::string_view text, const EquationSetup& setup) : setup_(setup) {
    result_.equations = {std::string(kEquations), parse_statements(kEquations, text), {}};
    if (result_.equations.syntax.statements.empty()) {
      fail(kEquations, {1, 1}, "there are no equations");
    }
  }

  Resolved run() {
    add_given_names();
    add_statements();
    resolve_names(result_.equations, false);
    result_.order = dependency_order(result_);
    add_outputs();
    add_starts();
    return std::move(result_);
  }

 private:
  void add_given_names() {
    add({.name = "t", .kind = SymbolKind::Time}, "", {});
    add({.name = "pi", .kind = SymbolKind::Constant, .value = std::numbers::pi}, "", {});
    std::size_t index = 0;
    for (const EquationSymbol& input : setup_.inputs) {
      add_given({.name = input.name, .kind = SymbolKind::Input, .index = index++}, "inputs");
    }
    index = 0;
    for (const EquationSymbol& parameter : setup_.parameters) {
      add_given({.name = parameter.name, .kind = SymbolKind::Parameter, .index = index++},
                "parameters");
    }
    for (const EquationConstant& constant : setup_.constants) {
      add_given({.name = constant.name, .kind = SymbolKind::Constant, .value = constant.value},
                "constants");
    }
  }

  void add_given(Symbol symbol, const std::string& table) {
    const std::string part = table + "." + symbol.name;
    if (!is_name(symbol.name)) {
      fail(table, {},
           fmt::format("{} is no name; names have letters, digits and underscores",
                       in_quotes(symbol.name)));
    }
    add(std::move(symbol), part, {});
  }

  std::uint32_t add(Symbol symbol, std::string_view part, Position position) {
    if (is_reserved(symbol.name)) {
      fail(part, position, fmt::format("'{}' is a word of the language", symbol.name));
    }
    const auto index = static_cast<std::uint32_t>(result_.symbols.size());
    const auto [entry, is_new] = by_name_.try_emplace(symbol.name, index);
    if (!is_new) {
      const Symbol& first = result_.symbols[entry->second];
      const auto line = lines_.find(symbol.name);
      fail(part, position,
           line != lines_.end()
               ? fmt::format("'{}' is defined twice, first in line {}", symbol.name, line->second)
               : fmt::format("'{}' is {} already", symbol.name, kind_word(first.kind)));
    }
    if (position.line > 0) {
      lines_[symbol.name] = position.line;
    }
    result_.symbols.push_back(std::move(symbol));
    return index;
  }

  void add_statements() {
    const auto& statements = result_.equations.syntax.statements;
    for (std::size_t k = 0; k < statements.size(); ++k) {
      const Statement& statement = statements[k];
      std::uint32_t below = kNoSymbol;
      for (int order = 0; order < statement.primes; ++order) {
        const std::uint32_t state = add({.name = primed(statement.name, order),
                                         .kind = SymbolKind::State,
                                         .index = result_.states.size(),
                                         .derivative_of = below},
                                        kEquations, statement.position);
        if (below != kNoSymbol) {
          result_.derivatives.push_back(state);
        }
        result_.states.push_back(state);
        below = state;
      }
      const std::uint32_t defined = add({.name = primed(statement.name, statement.primes),
                                         .kind = SymbolKind::Definition,
                                         .index = k,
                                         .derivative_of = below},
                                        kEquations, statement.position);
      result_.statement_symbols.push_back(defined);
      if (statement.primes > 0) {
        result_.derivatives.push_back(defined);
      }
      if (statement.primes == 2) {
        result_.pairs.push_back({result_.states.size() - 2, result_.states.size() - 1});
      }
    }
  }

  void resolve_names(ResolvedText& text, bool only_values) {
    text.symbols.assign(text.syntax.nodes.size(), kNoSymbol);
    for (std::size_t k = 0; k < text.syntax.nodes.size(); ++k) {
      const SyntaxNode& node = text.syntax.nodes[k];
      if (node.form == Form::Name) {
        text.symbols[k] = symbol_of(node, text.part, only_values);
      } else if (node.form == Form::Table) {
        text.symbols[k] = table_of(node, text.part);
      }
    }
  }

  std::uint32_t symbol_of(const SyntaxNode& node, const std::string& part, bool only_values) const {
    const std::string name = primed(node.text, node.primes);
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) {
      unknown_name(node, part, only_values);
    }
    const SymbolKind kind = result_.symbols[found->second].kind;
    if (only_values && !may_be_in_start(kind)) {
      fail(part, node.position,
           fmt::format("'{}' is {}; a start value may use parameters, constants and inputs only",
                       name, kind_word(kind)));
    }
    return found->second;
  }

  [[noreturn]] void unknown_name(const SyntaxNode& node, const std::string& part,
                                 bool only_values) const {
    const std::string name = primed(node.text, node.primes);
    const auto base = by_name_.find(node.text);
    if (node.primes > 0 && base != by_name_.end()) {
      fail(part, node.position,
           fmt::format("'{}' is unknown: '{}' is {}, there is no equation {} = ...", name,
                       node.text, kind_word(result_.symbols[base->second].kind), name));
    }
    std::vector<std::string> candidates;
    for (const Symbol& symbol : result_.symbols) {
      if (!only_values || may_be_in_start(symbol.kind)) {
        candidates.push_back(symbol.name);
      }
    }
    const std::string near = nearest(name, candidates);
    fail(part, node.position,
         near.empty() ? fmt::format("unknown name '{}'", name)
                      : fmt::format("unknown name '{}', did you mean '{}'?", name, near));
  }

  std::uint32_t table_of(const SyntaxNode& node, const std::string& part) const {
    std::vector<std::string> names;
    for (const EquationTable& table : setup_.tables) {
      if (table.name == node.text) {
        return static_cast<std::uint32_t>(names.size());
      }
      names.push_back(table.name);
    }
    const std::string near = nearest(node.text, names);
    fail(part, node.position,
         fmt::format("unknown table {}{}", in_quotes(node.text),
                     near.empty() ? "" : fmt::format(", did you mean {}?", in_quotes(near))));
  }

  [[noreturn]] void unknown_output(const std::string& name) const {
    std::vector<std::string> names;
    for (const Symbol& symbol : result_.symbols) {
      if (may_be_output(symbol.kind)) names.push_back(symbol.name);
    }
    const std::string near = nearest(name, names);
    fail("outputs", {},
         fmt::format("output {} has no equation{}", in_quotes(name),
                     near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
  }

  void add_outputs() {
    for (const EquationSymbol& output : setup_.outputs) {
      const auto found = by_name_.find(output.name);
      if (found == by_name_.end()) {
        unknown_output(output.name);
      }
      const SymbolKind kind = result_.symbols[found->second].kind;
      if (!may_be_output(kind)) {
        fail("outputs", {},
             fmt::format("output '{}' is {}; an output is a definition, a state or a derivative",
                         output.name, kind_word(kind)));
      }
      if (std::count_if(setup_.outputs.begin(), setup_.outputs.end(),
                        [&output](const auto& other) { return other.name == output.name; }) > 1) {
        fail("outputs", {}, fmt::format("output '{}' is named twice", output.name));
      }
      result_.outputs.push_back(found->second);
    }
  }

  void add_starts() {
    result_.starts.resize(result_.states.size());
    for (const EquationStart& start : setup_.starts) {
      const std::string part = "start." + start.state;
      auto& slot = result_.starts[state_index(start.state)];
      if (slot) {
        fail("start", {}, fmt::format("the start of '{}' is given twice", start.state));
      }
      slot = ResolvedText{part, parse_expression(part, start.value), {}};
      resolve_names(*slot, true);
    }
  }

  std::size_t state_index(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found != by_name_.end() && result_.symbols[found->second].kind == SymbolKind::State) {
      return result_.symbols[found->second].index;
    }
    std::vector<std::string> states;
    for (const std::uint32_t state : result_.states) {
      states.push_back(result_.symbols[state].name);
    }
    const std::string near = nearest(name, states);
    fail("start", {},
         fmt::format("{} has a start value, but there is no equation {} = ...{}", in_quotes(name),
                     is_name(name) ? name + "'" : "for it",
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }

  const EquationSetup& setup_;
  Resolved result_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  std::unordered_map<std::string, std::size_t> lines_;  // of names defined in the text
};

}  // namespace

Resolved resolve(std::string_view text, const EquationSetup& setup) {
  return Resolver(text, setup).run();
}

}  // namespace alembert::model::equations
