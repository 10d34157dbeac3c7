#pragma once

#include <optional>

#include "alembert/integrate/energy.hpp"
#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// How the run ended, warnings and notes, and the key results of all experiments in one table:
/// modes, largest motion, achieved signal-to-noise ratios, clipped samples, energy.
/// @param tree the result as describe() has it.
Section outcome_section(const study::SimulateResult& result, const document::ResultTree& tree,
                        const std::optional<integrate::EnergyBalance>& energy);

}  // namespace alembert::report
