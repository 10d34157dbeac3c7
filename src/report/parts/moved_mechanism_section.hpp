#pragma once

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A simulated mechanism: how it moves, as a drawing, a table and plots of its coordinates.
/// @param tree the result as describe() has it.
Section moved_mechanism_section(const study::SimulateResult& result,
                                const study::MovedMechanism& moved,
                                const document::ResultTree& tree);

}  // namespace alembert::report
