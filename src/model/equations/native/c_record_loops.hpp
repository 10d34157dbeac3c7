#pragma once

#include <string>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// What loops over a record need, to follow the model's functions.
[[nodiscard]] std::string c_record_tools(const Program& program, const TapeSet& tapes);

/// The sensitivities of f and g at a point, to follow those.
[[nodiscard]] std::string c_point_sensitivities();

/// The Runge-Kutta loops, to follow those.
[[nodiscard]] std::string c_runge_kutta_loops();

}  // namespace alembert::model::equations
