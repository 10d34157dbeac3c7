#pragma once

#include <cmath>
#include <numbers>

namespace alembert::estimate {

/// The angle in [-π, π] that differs from `angle` by whole turns.
template <typename T>
T wrap_angle(T angle) {
  constexpr T kPi = std::numbers::pi_v<T>;
  if (angle >= -kPi && angle <= kPi) return angle;
  return angle - T(2) * kPi * std::round(angle / (T(2) * kPi));
}

}  // namespace alembert::estimate
