#pragma once

#include <vector>

#include "model/equations/graph/graph.hpp"

namespace alembert::model::equations {

/// A graph with the same values in which a^b is computed from a^(b-1) where both occur, as
/// they do in models of hysteresis: one power is worth twenty products. `roots` are changed to the
/// nodes of the new graph.
[[nodiscard]] Graph share_powers(const Graph& graph,
                                 const std::vector<std::vector<NodeId>*>& roots);

}  // namespace alembert::model::equations
