#pragma once

#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/identify/modes/mode_set.hpp"

namespace alembert::identify::modes {

/// Caution for every mode whose damping the data do not tell.
void add_damping_evidence(const std::vector<Mode>& modes, Evidence& evidence);

}  // namespace alembert::identify::modes
