#pragma once

#include <string>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// The loops of Newmark's method, to follow those too; "" for a model without states.
[[nodiscard]] std::string c_newmark_loops(const Program& program, const TapeSet& tapes);

}  // namespace alembert::model::equations
