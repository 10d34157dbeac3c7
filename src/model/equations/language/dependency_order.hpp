#pragma once

#include <cstdint>
#include <vector>

#include "model/equations/language/resolve.hpp"

namespace alembert::model::equations {

/// Sorts the statements so that each stands after those it uses.
/// @throws EquationError naming a cycle
[[nodiscard]] std::vector<std::uint32_t> dependency_order(const Resolved& resolved);

}  // namespace alembert::model::equations
