#pragma once

#include "alembert/study/flexible_motion.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// [simulate] of a mechanism with flexible bodies.
[[nodiscard]] const TableSpec& flexible_simulate_table();

/// How it is integrated and drawn.
[[nodiscard]] const BoundKeys<MovedFlexible>& flexible_motion_keys();

/// links of [simulate.start].
[[nodiscard]] const BoundKeys<MovedFlexible>& flexible_start_keys();

}  // namespace alembert::study
