#pragma once

namespace alembert::benchmark {

/// Forward dynamics with derivatives by position, rate and force: compiled from the description of
/// a mechanism, beside the same by hand. Prints lines of JSON, with the largest difference of both.
void measure_dynamics(long steps);

}  // namespace alembert::benchmark
