#pragma once

#include <string>
#include <vector>

#include "alembert/estimate/kinematic_observability.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// What the sensors of a mechanism see of its coordinates over the workspace; without blocks if
/// nothing was examined.
Section observability_section(const model::planar::Mechanism& mechanism,
                              const estimate::ObservabilityReport& report,
                              const std::vector<std::string>& words);

}  // namespace alembert::report
