#pragma once

#include <Eigen/Core>
#include <complex>

namespace alembert::identify::modes {

/// Standard deviations of f = |λ|/2π and ζ = -Re λ/|λ|.
struct PoleDeviation {
  double frequency_hz = 0.0;
  double damping_ratio = 0.0;
};

/// From the covariance of (Re λ, Im λ), by the first derivatives. With λ = a + ib, n = |λ|:
///   df = (a da + b db)/(2π n),   dζ = (-b² da + a b db)/n³.
[[nodiscard]] PoleDeviation pole_deviation(std::complex<double> pole,
                                           const Eigen::Matrix2d& covariance);

}  // namespace alembert::identify::modes
