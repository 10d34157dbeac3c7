#pragma once

#include "alembert/report/document.hpp"
#include "alembert/study/simulate.hpp"

namespace alembert::report {

/// A simulated mechanism: how it moves, as a drawing, a table and plots of its coordinates.
Section moved_mechanism_section(const study::SimulateResult& result,
                                const study::MovedMechanism& moved);

}  // namespace alembert::report
