#pragma once

#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/estimate/kinematic_observability.hpp"

namespace alembert::study {

/// Adds what the sensors of a mechanism see of its coordinates over the workspace: in figures and
/// words, and which sensors would help.
void describe_observability(const model::planar::Mechanism& mechanism,
                            const estimate::ObservabilityReport& report,
                            const std::vector<std::string>& words, document::ResultTree& tree);

}  // namespace alembert::study
