#pragma once

#include "benchmarks/coverage/coverage_problems.hpp"

namespace alembert::benchmark {

/// M, D, K of two masses in a chain with frequencies and damping ratios, under coloured noise on
/// the outputs.
[[nodiscard]] CoverageProblem matrices_problem();

/// The same with a fifth of the damping, 1 % white noise on the outputs, and white noise on the
/// measured forces: 30 or 20 dB below them; its level given, not given, or given a fifth wrong.
[[nodiscard]] CoverageProblem force_noise_problem();

}  // namespace alembert::benchmark
