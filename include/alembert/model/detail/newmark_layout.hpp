#pragma once

#include <cstddef>
#include <vector>

#include "alembert/model/second_order_pair.hpp"

namespace alembert::model::detail {

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

/// @param pairs of different states, all below `states`.
[[nodiscard]] NewmarkLayout newmark_layout(std::size_t states,
                                           const std::vector<SecondOrderPair>& pairs);

}  // namespace alembert::model::detail
