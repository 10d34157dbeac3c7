#pragma once

#include <Eigen/Core>

#include "alembert/study/modes.hpp"

namespace alembert::study {

/// What shapes.csv holds: one row per output, real and imaginary part of each mode in turn; NaN for
/// a mode without shape.
[[nodiscard]] Eigen::MatrixXd shape_columns(const ModesOutcome& result);

}  // namespace alembert::study
