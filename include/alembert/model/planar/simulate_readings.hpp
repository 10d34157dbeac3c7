#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/signal/sensor.hpp"

/// What real sensors of a mechanism would record, as an observer reads it.
namespace alembert::model::planar {

/// How the record y of a sensor comes from its exact value x in SI: simulate_sensor(factor x).
struct RecordedSensor {
  double factor = 1.0;                 ///< counts/2π for an encoder that counts, else 1
  std::string unit = {};               ///< of the record: "count", or that of sensor_unit()
  signal::SensorOptions options = {};  ///< in the unit of the record
};

/// The record of a sensor with what the sensor itself says (noise, known offset, counts, turns) and
/// errors that it does not know of.
/// @param errors sigma and bias in SI; its noise takes the place of the sensor's own, its bias adds
///   to the known offset. A delay and a rate are taken as they are; nothing is read of instants
///   before the motion begins. For an encoder that counts bits has no place.
/// @throws InvalidInput for bits together with counts.
[[nodiscard]] RecordedSensor recorded_sensor(const Sensor& sensor,
                                             const signal::SensorOptions& errors = {});

/// Records of all sensors of a mechanism: samples x sensors, NaN where one took no sample;
/// physical_value() turns an entry back.
///
/// Sensor s draws from random.child(s), so that the errors of one leave the noise of the others.
/// @param readings exact values in SI, as MechanismMotion has them. @param step in s, > 0.
/// @param errors none, or one for each sensor, as for recorded_sensor().
/// @throws InvalidInput if sizes do not fit, and as signal::simulate_sensor().
[[nodiscard]] Eigen::MatrixXd simulate_readings(
    const Mechanism& mechanism, const Eigen::Ref<const Eigen::MatrixXd>& readings, double step,
    const RandomStream& random, const std::vector<signal::SensorOptions>& errors = {});

}  // namespace alembert::model::planar
