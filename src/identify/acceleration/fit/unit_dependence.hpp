#pragma once

#include <vector>

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// The parameters that enter linearly and whose term is not of degree 1 in x and x', by the motion
/// found for a record. None for a record with known forces: these tell the unit.
[[nodiscard]] std::vector<UnitDependence> unit_dependence(const EquationOfMotion& equation,
                                                          const RecordFit& record);

}  // namespace alembert::identify
