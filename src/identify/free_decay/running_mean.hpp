#pragma once

#include <Eigen/Core>

namespace alembert::identify {

/// Means over a window that need not be a whole number of samples.
struct RunningMean {
  Eigen::Index first = 0;  ///< sample of the first mean
  Eigen::VectorXd values;  ///< empty if the window is longer than the record
};

/// (1/w) ∫ y over [k - w/2, k + w/2] of the polygon through the samples, at the samples k where the
/// window lies within the record. @param width w in samples, > 0.
[[nodiscard]] RunningMean running_mean(const Eigen::Ref<const Eigen::VectorXd>& values,
                                       double width);

/// The same for all samples: near the ends the first and last mean go on.
[[nodiscard]] Eigen::VectorXd extended_mean(const Eigen::Ref<const Eigen::VectorXd>& values,
                                            double width);

/// The offset of an oscillation in course of time, at all samples: a polynomial through its mean
/// over a cycle taken twice, of degree 0 below 5, 1 below 8 and else 2 cycles. Up to the ends it is
/// better than the means themselves, which end a cycle before.
/// @param width of a cycle in samples.
/// @param otherwise the offset where the record is too short for such means.
[[nodiscard]] Eigen::VectorXd smooth_baseline(const Eigen::Ref<const Eigen::VectorXd>& values,
                                              double width, double otherwise);

}  // namespace alembert::identify
