#pragma once

#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/study/simulate.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// [simulate] of a linear model.
[[nodiscard]] const TableSpec& simulate_table();

/// method, hold, newmark, stages, start.
[[nodiscard]] const BoundKeys<integrate::LinearSimulationOptions>& method_keys();
/// beta and gamma of [simulate.newmark].
[[nodiscard]] const BoundKeys<integrate::LinearSimulationOptions>& newmark_keys();

/// Keys that all kinds of models share.
[[nodiscard]] const BoundKeys<SimulateStudy>& simulate_time_keys();   ///< step, samples, duration
[[nodiscard]] const BoundKeys<SimulateStudy>& simulate_count_keys();  ///< seed, experiments, truth

}  // namespace alembert::study
