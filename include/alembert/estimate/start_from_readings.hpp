#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/estimate/kinematic_observer.hpp"
#include "alembert/model/planar/mechanism.hpp"

namespace alembert::estimate {

/// Readings of one sensor on its own times.
struct SensorSeries {
  Eigen::VectorXd time;    ///< s, rising
  Eigen::VectorXd values;  ///< NaN: missing
};

/// Readings of several sensors on common times.
struct MergedReadings {
  Eigen::VectorXd time;    ///< s, rising
  Eigen::MatrixXd values;  ///< samples x sensors, NaN where a sensor was not read
};

/// Puts series with times of their own, other rates or delays, onto the union of their times.
/// Instants nearer than a thousandth of the finest step are one: clocks are written rounded.
/// @throws InvalidInput if times are not finite or do not rise.
[[nodiscard]] MergedReadings merge_readings(const std::vector<SensorSeries>& series);

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
/// @param time of the samples in s. @param readings samples x sensors, NaN: missing.
[[nodiscard]] RecordStart start_from_readings(const model::planar::Mechanism& mechanism,
                                              const Eigen::Ref<const Eigen::VectorXd>& time,
                                              const Eigen::Ref<const Eigen::MatrixXd>& readings);

/// A sensor whose readings cannot be what its description says.
struct DoubtfulSensor {
  int sensor = -1;      ///< -1: there is none
  std::string rule;     ///< "must be whole numbers with counts"
  std::string reading;  ///< what was got
};
/// The first sensor that has `counts` and readings which are no whole numbers, or whose readings of
/// a position are whole numbers only, which a small sigma contradicts: counts or another unit.
[[nodiscard]] DoubtfulSensor doubtful_sensor(const model::planar::Mechanism& mechanism,
                                             const Eigen::Ref<const Eigen::MatrixXd>& readings);

/// Whole turns that the start of coordinates needs which wrapped sensors read: such a reading says
/// nothing of them, but the other sensors of positions may. Those with which the other sensors
/// agree are taken, the fewest of them; none if they agree at once, or never.
/// @param found of these readings, whose values are changed. @return for each coordinate.
std::vector<int> settle_turns(const model::planar::Mechanism& mechanism,
                              const Eigen::Ref<const Eigen::VectorXd>& time,
                              const Eigen::Ref<const Eigen::MatrixXd>& readings,
                              RecordStart& found);

/// What of an ObserverStart is given; the rest comes from the first readings.
struct GivenStart {
  bool coordinates = false, velocities = false, accelerations = false;
  bool coordinate_sigma = false, velocity_sigma = false, acceleration_sigma = false;

  /// Nothing is left to be found.
  [[nodiscard]] bool all() const { return coordinates && velocities && accelerations; }
};

/// Takes over what the first readings say of the start and `given` does not hold: positions,
/// velocities and accelerations, with three times their standard deviations.
void take_start(const RecordStart& found, const GivenStart& given, ObserverStart& start);

}  // namespace alembert::estimate
