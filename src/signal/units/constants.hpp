#pragma once

#include <limits>
#include <numbers>

namespace alembert::signal {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace alembert::signal
