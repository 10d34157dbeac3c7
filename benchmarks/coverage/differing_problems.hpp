#pragma once

#include "benchmarks/coverage/coverage_problems.hpp"

namespace alembert::benchmark {

/// A pendulum in twelve experiments whose parameters are not the same: the model misses something
/// that differs between them. Sought is what a fit to very many such experiments gives.
[[nodiscard]] CoverageProblem differing_problem();

}  // namespace alembert::benchmark
