#pragma once

#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>

namespace alembert::optimize {

/// Probability that the ratio of two variances with `above` and `below` degrees of freedom exceeds
/// `ratio` by chance.
[[nodiscard]] inline double f_tail(double ratio, double above, double below) {
  if (!std::isfinite(ratio)) return 0.0;
  return cdf(complement(boost::math::fisher_f(above, below), ratio));
}

}  // namespace alembert::optimize
