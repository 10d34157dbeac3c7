#pragma once

#include <iterator>
#include <type_traits>
#include <vector>

namespace alembert {

/// The results of a function on each item, in order.
template <typename Items, typename Function>
[[nodiscard]] auto mapped(const Items& items, Function function) {
  std::vector<std::decay_t<decltype(function(*std::begin(items)))>> results;
  results.reserve(std::size(items));
  for (const auto& item : items) {
    results.push_back(function(item));
  }
  return results;
}

}  // namespace alembert
