#pragma once

#include <Eigen/Core>

#include "alembert/identify/experiment.hpp"

namespace alembert::identify {

/// The band in which the responses stand above the noise.
struct Band {
  double highest = 0.0;  ///< w_h in rad/s
  Eigen::Index decimation = 1;
};
[[nodiscard]] Band band_of(const Experiments& data);

}  // namespace alembert::identify
