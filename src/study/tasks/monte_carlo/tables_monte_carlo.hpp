#pragma once

#include "alembert/study/detail/keys.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// runs, seed, sweep.
[[nodiscard]] const BoundKeys<MonteCarloStudy>& monte_carlo_keys();

/// [monte-carlo].
[[nodiscard]] const TableSpec& monte_carlo_table();

}  // namespace alembert::study
