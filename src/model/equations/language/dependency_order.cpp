#include "model/equations/language/dependency_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/text.hpp"

namespace alembert::model::equations {

namespace {

enum class Visit : std::uint8_t { New, Open, Done };

// The statements that define names used by a statement, in the order of their use.
std::vector<std::uint32_t> used_statements(const Resolved& resolved, std::uint32_t statement) {
  const Statement& range = resolved.equations.syntax.statements[statement];
  std::vector<std::uint32_t> used;
  for (std::uint32_t node = range.first; node <= range.root; ++node) {
    if (resolved.equations.syntax.nodes[node].form != Form::Name) {
      continue;
    }
    const Symbol& symbol = resolved.symbols[resolved.equations.symbols[node]];
    if (symbol.kind == SymbolKind::Definition) {
      used.push_back(static_cast<std::uint32_t>(symbol.index));
    }
  }
  return used;
}

// A statement on the way down, with what it still has to visit.
struct OpenStatement {
  std::uint32_t statement = 0;
  std::vector<std::uint32_t> used;
  std::size_t next = 0;
};

[[noreturn]] void report_cycle(const Resolved& resolved, const std::vector<OpenStatement>& path,
                               std::uint32_t again) {
  const auto name_of = [&resolved](std::uint32_t statement) {
    return resolved.symbols[resolved.statement_symbols[statement]].name;
  };
  std::vector<std::string> names;
  for (const OpenStatement& open : path) {
    if (!names.empty() || open.statement == again) {
      names.push_back(name_of(open.statement));
    }
  }
  const Position position = resolved.equations.syntax.statements[again].position;
  if (names.size() == 1) {
    fail("equations", position, fmt::format("'{}' depends on itself", names[0]));
  }
  if (names.size() > 8) {
    names.resize(7);
    names.emplace_back("...");
  }
  names.push_back(name_of(again));
  fail("equations", position,
       fmt::format("definitions go round in a circle: {}", join(names, " -> ")));
}

}  // namespace

std::vector<std::uint32_t> dependency_order(const Resolved& resolved) {
  const auto count = static_cast<std::uint32_t>(resolved.equations.syntax.statements.size());
  std::vector<Visit> visits(count, Visit::New);
  std::vector<std::uint32_t> order;
  for (std::uint32_t root = 0; root < count; ++root) {
    std::vector<OpenStatement> path;
    const auto open = [&](std::uint32_t statement) {
      visits[statement] = Visit::Open;
      path.push_back({statement, used_statements(resolved, statement), 0});
    };
    if (visits[root] == Visit::New) {
      open(root);
    }
    while (!path.empty()) {
      OpenStatement& top = path.back();
      if (top.next == top.used.size()) {
        visits[top.statement] = Visit::Done;
        order.push_back(top.statement);
        path.pop_back();
        continue;
      }
      const std::uint32_t used = top.used[top.next++];
      if (visits[used] == Visit::Open) {
        report_cycle(resolved, path, used);
      }
      if (visits[used] == Visit::New) {
        open(used);
      }
    }
  }
  return order;
}

}  // namespace alembert::model::equations
