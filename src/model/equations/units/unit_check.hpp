#pragma once

#include "model/equations/language/resolve.hpp"

namespace alembert::model::equations {

/// Infers units and checks them; fills Symbol::quantity.
/// @throws EquationError
void check_units(Resolved& resolved, const EquationSetup& setup);

}  // namespace alembert::model::equations
