#pragma once

#include <Eigen/Core>

namespace alembert::identify {

/// A first look at the oscillation of a record.
struct CoarseOscillation {
  double cycles = 0.0;     ///< in the record
  double amplitude = 0.0;  ///< of the sine that fits best
  double offset = 0.0;     ///< fitted with it
};

/// Least squares of offset + a cos + b sin with a given number of cycles in the record; the share
/// of the variance that is left goes to `left`.
[[nodiscard]] CoarseOscillation fitted_sine(const Eigen::Ref<const Eigen::VectorXd>& values,
                                            double cycles, double& left);

/// The strongest oscillation; see Cycles. @param values at least 8, not all equal.
[[nodiscard]] CoarseOscillation coarse_oscillation(const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace alembert::identify
