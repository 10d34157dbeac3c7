#pragma once

#include <utility>
#include <vector>

#include "model/equations/graph.hpp"

namespace alembert::model::equations {

/// One entry of a sparse Jacobian.
struct Entry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  NodeId node = 0;
};

/// Derivatives of the roots with respect to leaves; row = index of the root, column = index in
/// `variables`; sorted by rows. Zero entries do not appear. The new nodes are added to the graph.
///
/// Forward differentiation of the graph, exact. At kinks: min, max, if follow the branch that the
/// value takes (the first argument at a tie); |a|' = 1 at 0; sign, floor and comparisons have
/// derivative 0; an infinite slope (sqrt at 0, a^b at 0 with b < 1, asin and acos at the ends) is
/// taken as 0, so that it does not turn 0·∞ into NaN.
/// @throws std::length_error if there would be more than `max_nodes` nodes.
[[nodiscard]] std::vector<Entry> differentiate(Graph& graph, const std::vector<NodeId>& roots,
                                               const std::vector<NodeId>& variables,
                                               std::size_t max_nodes);

}  // namespace alembert::model::equations
