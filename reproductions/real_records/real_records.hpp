#pragma once

#include "reproductions/reproduce.hpp"

namespace alembert::reproductions::real_records {

/// Public measured records as their files are: a drive, a pendulum, a tapped cantilever, two tanks
/// and a simulated hysteresis. Needs the public records.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::real_records
