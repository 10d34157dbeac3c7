#include "model/planar/lowered/block_order.hpp"

#include <algorithm>
#include <numeric>

namespace alembert::model::planar {

namespace {

using Pattern = std::vector<std::vector<bool>>;

// Gives a column a row of its own, and rows given before others where needed [Kuhn's algorithm].
bool match(const Pattern& pattern, std::size_t column, std::vector<bool>& seen,
           std::vector<int>& column_of) {
  for (std::size_t row = 0; row < pattern.size(); ++row) {
    if (!pattern[row][column] || seen[row]) continue;
    seen[row] = true;
    if (column_of[row] < 0 ||
        match(pattern, static_cast<std::size_t>(column_of[row]), seen, column_of)) {
      column_of[row] = static_cast<int>(column);
      return true;
    }
  }
  return false;
}

// reaches[i][j]: what row i is solved for depends on what row j is solved for.
Pattern reachability(const Pattern& pattern, const std::vector<int>& column_of) {
  const std::size_t n = pattern.size();
  Pattern reaches(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      reaches[i][j] = i == j || pattern[i][static_cast<std::size_t>(column_of[j])];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (!reaches[i][k]) continue;
      for (std::size_t j = 0; j < n; ++j) {
        if (reaches[k][j]) reaches[i][j] = true;
      }
    }
  }
  return reaches;
}

}  // namespace

std::vector<SolveBlock> block_order(const Pattern& pattern) {
  const std::size_t n = pattern.size();
  std::vector<int> column_of(n, -1);
  for (std::size_t column = 0; column < n; ++column) {
    std::vector<bool> seen(n, false);
    if (!match(pattern, column, seen, column_of)) return {};
  }
  const Pattern reaches = reachability(pattern, column_of);
  // What depends on less comes first; the rows of a component depend on as much.
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto depends_on = [&](std::size_t row) {
    return std::count(reaches[row].begin(), reaches[row].end(), true);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return depends_on(a) < depends_on(b); });
  std::vector<SolveBlock> blocks;
  std::vector<bool> taken(n, false);
  for (const std::size_t row : order) {
    if (taken[row]) continue;
    SolveBlock block;
    for (std::size_t other = 0; other < n; ++other) {
      if (!reaches[row][other] || !reaches[other][row]) continue;
      taken[other] = true;
      block.rows.push_back(static_cast<int>(other));
      block.columns.push_back(column_of[other]);
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace alembert::model::planar
