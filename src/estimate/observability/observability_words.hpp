#pragma once

#include <string>
#include <vector>

#include "alembert/estimate/kinematic_observability.hpp"

namespace alembert::estimate {

/// What the sensors of a mechanism see over a workspace, in sentences.
[[nodiscard]] std::vector<std::string> observability_words(
    const model::planar::Mechanism& mechanism, const ObservabilityReport& report);

}  // namespace alembert::estimate
