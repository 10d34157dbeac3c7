#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>

#include "alembert/model/planar/mechanism.hpp"

/// A rig of two links in a level plane like the published one: shoulder driven, elbow passive, an
/// encoder in each joint and an accelerometer across each link.
namespace alembert::reproductions::two_link {

/// Dimensions of the rig. The published ones are not printed; these are chosen.
struct Sizes {
  double upper = 0.30;           ///< L1, m
  double lower = 0.25;           ///< L2, m
  double upper_sensor = 0.25;    ///< d1, m from the shoulder
  double lower_sensor = 0.20;    ///< d2, m from the elbow
  double upper_mass = 1.0;       ///< kg, uniform bar
  double lower_mass = 0.5;       ///< kg, uniform bar
  double motor_inertia = 0.010;  ///< kg m², turns with the upper link
  double encoder_sigma = 0.0;    ///< rad, what an observer takes for noise beside that of a count
};

/// Sensors in the order of the readings.
enum Sensor { ShoulderEncoder, ElbowEncoder, UpperAccelerometer, LowerAccelerometer };

constexpr double kEncoderCounts = 1000.0;     ///< a turn
constexpr double kAccelerometerNoise = 0.03;  ///< m/s², standard deviation
constexpr double kUpperSensitivity = 0.1019;  ///< V/(m/s²), as published
constexpr double kLowerSensitivity = 0.00681;

/// Step of a converter of 16 bits over ±10 V, in m/s².
[[nodiscard]] double converter_step(double sensitivity);

/// The rig with coordinates θ1 and θ2, the elbow against the upper link. Its parameters are errors
/// of d1 and d2. @param gravity along -y of the plane, m/s²
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> make_rig(const Sizes& sizes = {},
                                                                       double gravity = 0.0);

}  // namespace alembert::reproductions::two_link
