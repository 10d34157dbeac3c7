#pragma once

#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::optimize {

/// The part of coloured_covariance() that belongs to the first columns of J, for less: the others
/// were fitted as well, as start states of many windows are, and nobody asks for their deviations.
/// @param asked 1 to the number of columns.
/// @throws InvalidInput as coloured_covariance(), if `asked` is out of its range, or if options
/// hold noise of a known shape.
[[nodiscard]] ColouredCovariance coloured_of_first(const std::vector<ColouredBlock>& blocks,
                                                   Eigen::Index asked,
                                                   const ColouredOptions& options = {});

}  // namespace alembert::optimize
