#pragma once

#include <vector>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// A model whose kinks are held on one side, so that it is smooth.
///
/// Every min, max, abs, sign, comparison and floor of the right-hand sides that depends on time,
/// states or inputs has a switch function, whose sign (or, for floor, the whole number) becomes one
/// more input. The outputs of the program are the switch functions.
struct FrozenModel {
  Program program;
  TapeSet tapes;
  std::vector<bool> is_floor;  ///< of each switch: the input is the whole number, not a sign

  [[nodiscard]] std::size_t switches() const { return is_floor.size(); }
};

[[nodiscard]] FrozenModel freeze(const Program& program);

}  // namespace alembert::model::equations
