#pragma once

#include <cstddef>
#include <vector>

#include "model/equations/graph/program.hpp"

namespace alembert::model::equations {

/// The unknowns of a Newmark step: the accelerations of the pairs, then the states of first order.
struct NewmarkLayout {
  /// How a state depends on the unknowns of a step.
  enum class Role { Position, Velocity, First };

  std::vector<SecondOrderPair> pairs;
  std::vector<std::size_t> first;    ///< states of first order
  std::vector<Role> role;            ///< of each state
  std::vector<std::size_t> unknown;  ///< the unknown that moves each state

  [[nodiscard]] std::size_t unknowns() const { return pairs.size() + first.size(); }
};

[[nodiscard]] NewmarkLayout newmark_layout(const Program& program);

}  // namespace alembert::model::equations
