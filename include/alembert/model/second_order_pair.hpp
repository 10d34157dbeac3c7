#pragma once

#include <cstddef>

namespace alembert::model {

/// Two states that are a coordinate and its velocity, from an equation `y'' = ...`.
struct SecondOrderPair {
  std::size_t position = 0;
  std::size_t velocity = 0;
};

}  // namespace alembert::model
