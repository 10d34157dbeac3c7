#pragma once

#include "model/flexible/layout.hpp"

namespace alembert::model::flexible {

/// Forces and springs, once there are nodes.
/// @throws InvalidInput that names the force.
void add_loads(const FlexibleDescription& description, FlexibleLayout& layout);

}  // namespace alembert::model::flexible
