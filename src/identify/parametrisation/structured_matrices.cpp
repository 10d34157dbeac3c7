#include <fmt/format.h>

#include <array>
#include <string_view>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "identify/parametrisation/entry_index.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

constexpr std::string_view kLetters = "MDK";

// "M21"; with ten coordinates or more "M12,3".
std::string entry_name(char letter, Index row, Index column, Index n) {
  const Index high = std::max(row, column) + 1;
  const Index low = std::min(row, column) + 1;
  return n < 10 ? fmt::format("{}{}{}", letter, high, low)
                : fmt::format("{}{},{}", letter, high, low);
}

// What is known of each entry of the stack.
struct Entry {
  enum class Kind { Free, Fixed, Tied } kind = Kind::Free;
  double value = 0.0;  // Fixed: value; Tied: factor
  Index other = 0;     // Tied: place of the entry followed
};

[[noreturn]] void fail(std::size_t rule, const std::string& reason) {
  throw InvalidInput({.function = "structured_matrices",
                      .item = fmt::format("rule {}", rule + 1),
                      .rule = std::string(reason)});
}

Index place_of(Index n, std::size_t rule, char letter, Index row, Index column) {
  const std::size_t part = kLetters.find(letter);
  if (part == std::string_view::npos) {
    fail(rule, fmt::format("must name the matrix M, D or K, got '{}'", letter));
  }
  if (row < 0 || row >= n || column < 0 || column >= n) {
    fail(rule, fmt::format("must point to an entry of the {} x {} matrix {}, got row {}, column {}",
                           n, n, letter, row + 1, column + 1));
  }
  return static_cast<Index>(part) * half_size(n) + half_index(n, row, column);
}

void check_rule(const EntryRule& rule, std::size_t number, const StructureOptions& options) {
  if (!std::isfinite(rule.value)) fail(number, "must have a finite value");
  const bool damping =
      rule.matrix == 'D' || (rule.kind == EntryRule::Kind::Tied && rule.other_matrix == 'D');
  if (options.proportional_damping && damping) {
    fail(number, "must not name D, which proportional damping makes of M and K");
  }
}

std::vector<Entry> entries_of(Index n, const StructureOptions& options) {
  std::vector<Entry> entries(static_cast<std::size_t>(3 * half_size(n)));
  for (Index column = 0; options.diagonal_mass && column < n; ++column) {
    for (Index row = column + 1; row < n; ++row) {
      entries[static_cast<std::size_t>(half_index(n, row, column))].kind = Entry::Kind::Fixed;
    }
  }
  for (std::size_t r = 0; r < options.rules.size(); ++r) {
    const EntryRule& rule = options.rules[r];
    check_rule(rule, r, options);
    const Index place = place_of(n, r, rule.matrix, rule.row, rule.column);
    Entry& entry = entries[static_cast<std::size_t>(place)];
    if (entry.kind != Entry::Kind::Free) {
      fail(r, fmt::format("repeats what another rule or diagonal_mass says of {}",
                          entry_name(rule.matrix, rule.row, rule.column, n)));
    }
    const bool fixed = rule.kind == EntryRule::Kind::Fixed;
    entry.kind = fixed ? Entry::Kind::Fixed : Entry::Kind::Tied;
    entry.value = rule.value;
    if (!fixed) {
      entry.other = place_of(n, r, rule.other_matrix, rule.other_row, rule.other_column);
    }
  }
  return entries;
}

std::string name_of_place(Index place, Index n) {
  const Index part = place / half_size(n);
  Index rest = place % half_size(n);
  Index column = 0;
  while (rest >= n - column) rest -= n - column++;
  return entry_name(kLetters[static_cast<std::size_t>(part)], column + rest, column, n);
}

// The entry at the end of a chain of ties, and the product of the factors on the way.
std::pair<Index, double> root_of(const std::vector<Entry>& entries, Index place, Index n) {
  double factor = 1.0;
  const Index begin = place;
  for (std::size_t steps = 0; steps <= entries.size(); ++steps) {
    const Entry& entry = entries[static_cast<std::size_t>(place)];
    if (entry.kind != Entry::Kind::Tied) return {place, factor};
    factor *= entry.value;
    place = entry.other;
  }
  throw InvalidInput({.function = "structured_matrices",
                      .argument = "rules",
                      .rule = "must not tie in a circle",
                      .value = fmt::format("one through {}", name_of_place(begin, n))});
}

void add_proportional_damping(Parametrisation& result) {
  result.proportional_damping = true;
  result.names.insert(result.names.end(), {"alpha", "beta"});
  result.units.insert(result.units.end(), {"1/s", "s"});
}

}  // namespace

Parametrisation structured_matrices(Index degrees_of_freedom, const StructureOptions& options) {
  const Index n = degrees_of_freedom;
  check::at_least("structured_matrices", "degrees_of_freedom", n, 1);
  const std::vector<Entry> entries = entries_of(n, options);
  const Index half = half_size(n);
  Parametrisation result;
  result.degrees_of_freedom = n;
  result.offset = Eigen::VectorXd::Zero(3 * half);
  std::vector<Index> unknown(entries.size(), -1);
  const auto derived = [&](Index place) {
    return options.proportional_damping && place >= half && place < 2 * half;
  };
  for (Index place = 0; place < 3 * half; ++place) {
    if (entries[static_cast<std::size_t>(place)].kind == Entry::Kind::Free && !derived(place)) {
      unknown[static_cast<std::size_t>(place)] = static_cast<Index>(result.names.size());
      result.names.push_back(name_of_place(place, n));
    }
  }
  std::vector<Eigen::Triplet<double>> triplets;
  for (Index place = 0; place < 3 * half; ++place) {
    if (derived(place)) continue;
    const auto [root, factor] = root_of(entries, place, n);
    const Index column = unknown[static_cast<std::size_t>(root)];
    if (column >= 0) {
      triplets.emplace_back(place, column, factor);
    } else {
      result.offset(place) = factor * entries[static_cast<std::size_t>(root)].value;
    }
  }
  result.basis.resize(3 * half, static_cast<Index>(result.names.size()));
  result.basis.setFromTriplets(triplets.begin(), triplets.end());
  result.units.resize(result.names.size());
  if (options.proportional_damping) add_proportional_damping(result);
  if (result.size() == 0) {
    throw InvalidInput(
        {.function = "structured_matrices", .argument = "rules", .rule = "must leave an unknown"});
  }
  return result;
}

Parametrisation free_matrices(Index degrees_of_freedom) {
  check::at_least("free_matrices", "degrees_of_freedom", degrees_of_freedom, 1);
  return structured_matrices(degrees_of_freedom, {});
}

}  // namespace alembert::identify
