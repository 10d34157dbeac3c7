#pragma once

#include <string>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// What a source has. The loops of each method take the compiler as long as the functions at a
/// point, so that libraries are made without those that are not used.
struct CSourceParts {
  bool points = true;  ///< f, g, their Jacobians and sensitivities at a point
  bool runge_kutta = true;
  bool newmark = true;
};

/// The model as C: names of our own making, numbers with all digits; the same for the same text.
[[nodiscard]] std::string c_source(const Program& program, const TapeSet& tapes,
                                   CSourceParts parts = {});

/// What all sources begin with: prototypes and small functions.
[[nodiscard]] std::string c_preamble();

/// Two functions of the values of y = g: `name`_prepare(p, w) and `name`(t, x, u, p, w, r).
[[nodiscard]] std::string c_values_function(const TapeSet& tapes, const std::string& name);

}  // namespace alembert::model::equations
