#pragma once

#include "alembert/identify/output_error.hpp"

namespace alembert::identify {

/// The same simulation with half the steps, or where the method chooses them a tenth of the
/// tolerances: to see by how much results depend on them.
[[nodiscard]] SimulationOptions finer(const SimulationOptions& options);

}  // namespace alembert::identify
