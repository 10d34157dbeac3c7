#pragma once

#include "model/equations/graph/program.hpp"

namespace alembert::model::equations {

/// Forms all Jacobians of a program from the values of its functions.
/// @throws std::length_error naming what there is too much of: more than kMaxNodes operations or
/// kMaxEntries entries.
void add_derivatives(Program& program);

inline constexpr std::size_t kMaxNodes = 1000000;    ///< of the graph with its derivatives
inline constexpr std::size_t kMaxEntries = 2000000;  ///< of all Jacobians together

}  // namespace alembert::model::equations
