#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>

#include "alembert/model/planar/mechanism.hpp"

/// A rig of two links in a level plane like the published one: shoulder driven, elbow passive, an
/// encoder in each joint and an accelerometer across each link.
namespace alembert::reproductions {

/// Dimensions of the rig. The published ones are not printed; these are chosen.
struct TwoLinkSizes {
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
enum TwoLinkSensor { ShoulderEncoder, ElbowEncoder, UpperAccelerometer, LowerAccelerometer };

constexpr double kEncoderCounts = 1000.0;     ///< a turn
constexpr double kAccelerometerNoise = 0.03;  ///< m/s², standard deviation
constexpr double kUpperSensitivity = 0.1019;  ///< V/(m/s²), as published
constexpr double kLowerSensitivity = 0.00681;

/// Step of a converter of 16 bits over ±10 V, in m/s².
[[nodiscard]] double converter_step(double sensitivity);

/// The rig with coordinates θ1 and θ2, the elbow against the upper link. Its parameters are errors
/// of d1 and d2. @param gravity along -y of the plane, m/s²
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> two_link_rig(
    const TwoLinkSizes& sizes = {}, double gravity = 0.0);

enum class TwoLinkTest {
  Impulses,  ///< 10 s: the servo holds the shoulder, torque pulses of 40 ms every 2 s
  Sweep      ///< 9 s: the shoulder follows a sine of 0.05 rad from 10 Hz down to 1 Hz
};

/// What happened in a test, at 1 kHz.
struct TwoLinkMotion {
  Eigen::VectorXd time;
  Eigen::MatrixXd truth;    ///< samples x (θ1, θ2, θ1', θ2', θ1'', θ2'')
  Eigen::MatrixXd exact;    ///< samples x what ideal sensors read: rad, rad, m/s², m/s²
  double energy_gap = 0.0;  ///< largest |energy gained - work done| over the largest energy
};

/// Integrates M(z) z'' + h(z, z') = τ by the classical Runge-Kutta rule, 4 steps a sample. The
/// elbow has viscous and dry friction.
[[nodiscard]] TwoLinkMotion simulate_two_link(TwoLinkTest test, double gravity = 0.0);

enum class EncoderError {
  Counts,   ///< as on the rig: whole counts
  Gaussian  ///< of the same variance, step²/12, for comparison
};

/// Readings as the sensors of two_link_rig() give them: counts of the encoders, whose edges lie at
/// places that the seed chooses and the reading knows; accelerations with noise and converter
/// steps.
[[nodiscard]] Eigen::MatrixXd read_two_link(const TwoLinkMotion& motion, std::uint64_t seed,
                                            EncoderError encoders = EncoderError::Counts);

}  // namespace alembert::reproductions
