#pragma once

#include <numbers>

#include "alembert/core/not_a_number.hpp"

namespace alembert::signal {

inline constexpr double kPi = std::numbers::pi;

}  // namespace alembert::signal
