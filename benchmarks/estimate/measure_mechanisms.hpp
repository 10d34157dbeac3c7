#pragma once

namespace alembert::benchmark {

/// Times the observers of mechanisms as they come from a study: any bodies and joints, sizes known
/// at run time.
void measure_mechanisms(long steps);

}  // namespace alembert::benchmark
