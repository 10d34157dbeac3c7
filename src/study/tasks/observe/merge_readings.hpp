#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/signal/record.hpp"

namespace alembert::study {

/// Readings of one sensor on its own times.
struct SensorSeries {
  Eigen::VectorXd time;    ///< s, rising
  Eigen::VectorXd values;  ///< NaN: missing
};

/// Readings of several sensors on common times.
struct MergedReadings {
  signal::TimeAxis time;
  Eigen::MatrixXd values;  ///< samples x sensors, NaN where a sensor was not read
};

/// Puts series with times of their own, other rates or delays, onto the union of their times.
/// Instants nearer than a thousandth of the finest step are one: clocks are written rounded.
[[nodiscard]] MergedReadings merge_readings(const std::vector<SensorSeries>& series);

}  // namespace alembert::study
