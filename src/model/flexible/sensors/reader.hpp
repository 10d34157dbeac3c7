#pragma once

#include <array>

#include "alembert/model/flexible/sensors.hpp"
#include "model/flexible/layout.hpp"

namespace alembert::model::flexible {

/// Rows of w'' and of the stretch in the displacements of an element.
struct GaugeRow {
  int element = 0;
  Vector6 row = Vector6::Zero();
};

/// A sensor with its names turned into numbers.
struct FlexibleReader {
  int node = -1;   ///< -1: the ground
  int other = -1;  ///< of what it is relative to
  int force = -1;  ///< that it reads
  Eigen::Vector2d at = Eigen::Vector2d::Zero(),
                  other_at = Eigen::Vector2d::Zero();  ///< of the ground
  Eigen::Vector2d axis = Eigen::Vector2d::UnitX();     ///< of length 1
  std::array<GaugeRow, 2> gauges = {};  ///< mean of two elements at a node between them
  int gauge_count = 0;
};

/// Row of κ = w'' − of a strain: u' − distance w'' − at ξ of 0 to 1 in a beam element.
[[nodiscard]] Vector6 gauge_row(FlexibleSensorKind kind, double length, double xi, double distance);

/// @throws InvalidInput that names the sensor.
[[nodiscard]] FlexibleReader make_reader(const FlexibleDescription& description,
                                         const FlexibleLayout& layout,
                                         const FlexibleSensor& sensor);

}  // namespace alembert::model::flexible
