#pragma once

#include <Eigen/Core>

namespace alembert::identify {

/// Samples held at the limits of a sensor or converter.
struct Clipping {
  Eigen::Index upper = 0, lower = 0;  ///< samples in clipped runs at the largest and least value
  double highest = 0.0, lowest = 0.0;

  [[nodiscard]] bool any() const { return upper + lower > 0; }
};

/// Runs of at least three equal samples at an extreme value count as clipped if the record falls
/// off beside them faster than a peak does. A peak that is flat by rounding to steps q over r
/// samples has fallen by less than 4q another r/2 samples further on, since it is a parabola.
[[nodiscard]] Clipping find_clipping(const Eigen::Ref<const Eigen::VectorXd>& values, double noise);

}  // namespace alembert::identify
