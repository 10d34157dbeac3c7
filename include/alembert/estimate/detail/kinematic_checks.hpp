#pragma once

#include <vector>

#include "alembert/model/planar/mechanism.hpp"

namespace alembert::estimate {

/// Sensors are in the mechanism and differ. @throws InvalidInput that begins with `function`.
void check_sensors(const char* function, const model::planar::Mechanism& mechanism,
                   const std::vector<int>& sensors);

/// The state has a position. @throws InvalidInput that begins with `function`.
void check_assembled(const char* function, const model::planar::MechanismState& state);

}  // namespace alembert::estimate
