#pragma once

#include <utility>
#include <vector>

#include "model/equations/graph/graph.hpp"

namespace alembert::model::equations {

/// One entry of a sparse Jacobian.
struct Entry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  NodeId node = 0;
};

/// What a differentiation may use; each new entry costs memory even where it needs no new node.
struct DerivativeLimits {
  std::size_t nodes = 0;    ///< of the graph in the end
  std::size_t entries = 0;  ///< of the result, and of gradients that are kept at the same time
};

/// Derivatives of the roots with respect to leaves; row = index of the root, column = index in
/// `variables`; sorted by rows, then columns. Zero entries do not appear. The new nodes are added
/// to the graph.
///
/// Forward differentiation of the graph, exact. At kinks: min, max, if follow the branch that the
/// value takes (the first argument at a tie); |a|' = 1 at 0; sign, floor and comparisons have
/// derivative 0; a slope that is infinite or missing (sqrt and log at 0, a/b at b = 0, a^b at 0
/// with b < 1, asin and acos at the ends, atan2 at (0, 0), a^b with a <= 0 with respect to b) is
/// taken as 0, so that it does not turn 0·∞ into NaN. What comes out may be differentiated again;
/// only the slope of a table then counts as constant.
/// @throws std::length_error naming what exceeds the limits.
[[nodiscard]] std::vector<Entry> differentiate(Graph& graph, const std::vector<NodeId>& roots,
                                               const std::vector<NodeId>& variables,
                                               const DerivativeLimits& limits);

}  // namespace alembert::model::equations
