#pragma once

// Derivatives and substitutions in the graph of a mechanism.

#include <unordered_map>
#include <vector>

#include "model/planar/lowered/term.hpp"

namespace alembert::model::planar {

using Terms = std::vector<Term>;
/// rows[i][j] = ∂(root i)/∂(leaf j).
using TermRows = std::vector<Terms>;

/// Exact derivatives of terms by leaves. @throws std::length_error for a graph that grows too
/// large.
[[nodiscard]] TermRows slopes_of(const Terms& roots, const Terms& leaves, equations::Graph& graph);

/// The terms with other terms in place of leaves.
[[nodiscard]] Terms substituted(const Terms& roots, const Terms& leaves, const Terms& values,
                                equations::Graph& graph);

}  // namespace alembert::model::planar
