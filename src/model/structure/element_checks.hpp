#pragma once

#include "alembert/model/structure/elements.hpp"

namespace alembert::model {

/// @throws InvalidInput if a number of the material is not allowed.
void check_material(const char* function, const Material& material);

/// @throws InvalidInput unless the determinant of a Jacobian is positive.
void check_upright(const char* function, double determinant);

}  // namespace alembert::model
