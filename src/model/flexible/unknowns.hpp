#pragma once

#include "model/flexible/layout.hpp"

namespace alembert::model::flexible {

/// Joins what the joints join: fills the components of the nodes and the unknowns.
/// @throws InvalidInput that names the joint.
void add_unknowns(const FlexibleDescription& description, FlexibleLayout& layout);

}  // namespace alembert::model::flexible
