#pragma once

#include <string>

#include "alembert/identify/acceleration.hpp"

namespace alembert::identify {

/// The text of AccelerationFit::summary().
[[nodiscard]] std::string acceleration_summary(const AccelerationFit& fit);

}  // namespace alembert::identify
