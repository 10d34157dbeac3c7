#pragma once

namespace alembert::benchmark {

/// Times the same steps by others: the extended Kalman filter of the Orocos Bayesian Filtering
/// Library, where it is installed, and an unscented filter as one writes it by hand with Eigen.
void measure_peers(long steps);

}  // namespace alembert::benchmark
