#pragma once

#include <limits>

namespace alembert {

/// A number that is not there: a missing sample, a statistic that cannot be had.
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace alembert
