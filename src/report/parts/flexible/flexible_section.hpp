#pragma once

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A simulated mechanism with flexible bodies: its motion, modes, deflections and energies.
/// @param tree the result as describe() has it.
Section flexible_section(const study::SimulateResult& result, const study::MovedFlexible& moved,
                         const document::ResultTree& tree);

}  // namespace alembert::report
