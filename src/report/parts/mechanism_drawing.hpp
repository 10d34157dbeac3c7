#pragma once

#include "alembert/model/planar/mechanism.hpp"
#include "alembert/study/observe.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// The mechanism as it moves by the estimate, the smoothed one where there is one: its frames
/// cover the record, or as much of its beginning as can be shown without leaps.
[[nodiscard]] Animation mechanism_animation(const study::ObserveResult& result);

/// The mechanism as it moves in the first finished experiment of a simulation.
[[nodiscard]] Animation mechanism_animation(const study::SimulateResult& result);

}  // namespace alembert::report
