#pragma once

namespace alembert::signal {

/// Modified Bessel function I₀(x) = Σ_j ((x/2)^j / j!)². All terms are positive, so the sum keeps
/// its digits. (std::cyl_bessel_i is absent from libc++.)
inline double bessel_i0(double x) {
  double term = 1.0;
  double sum = 1.0;
  for (double j = 1.0; term > 1e-17 * sum; j += 1.0) {
    term *= (0.5 * x / j) * (0.5 * x / j);
    sum += term;
  }
  return sum;
}

}  // namespace alembert::signal
