#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/model/planar/mechanism.hpp"

namespace alembert::study {

/// What the first readings of a sensor say of the coordinate that it reads.
struct CoordinateStart {
  bool known = false;                                   ///< a sensor reads it
  Eigen::Vector3d value = Eigen::Vector3d::Zero();      ///< position, velocity, acceleration
  Eigen::Vector3d deviation = Eigen::Vector3d::Zero();  ///< standard; infinite: nothing is known
  double age = 0.0;                                     ///< s since its last reading
};

/// Where and how an estimation can begin.
struct RecordStart {
  Eigen::Index first = 0;  ///< the first sample by which all coordinates with a sensor were read
  std::vector<CoordinateStart> coordinates;
};

/// Fits a parabola to the first readings of each coordinate that a sensor reads itself: as many of
/// 8, 16, 32, 64 as it fits within their noise. Readings far off count little (weights
/// 1/(1 + (r/3s)²)). With fewer than 4 readings the position alone is taken.
[[nodiscard]] RecordStart start_from_readings(const model::planar::Mechanism& mechanism,
                                              const Eigen::VectorXd& time,
                                              const Eigen::MatrixXd& readings);

}  // namespace alembert::study
