#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "alembert/model/planar/mechanism.hpp"
#include "alembert/model/planar/move_mechanism.hpp"

/// The slider-crank of [MultibodyThesis, section 3.2.1], its motions and records.
namespace alembert::reproductions::slider_crank_force {

/// Lengths in m and masses in kg of [MultibodyThesis, table 3.1]; bars are uniform.
struct Values {
  double crank, rod, height;
  double crank_mass, rod_mass, slider_mass;
};
inline constexpr Values kNominal = {0.300, 0.600, 0.050, 1.872, 3.744, 1.2};
inline constexpr Values kActual = {0.297, 0.612, 0.049, 1.8529, 3.594, 1.212};

/// What the observer believes of the sensors: rad, m/s², N m.
struct Sigmas {
  double encoder = 0.003, accelerometer = 0.05, torque = 0.28;
};

/// Crank, rod and slider on the guide y = height; encoder, accelerometer and torque cell; the force
/// `load` along the guide is unknown.
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> slider_mechanism(
    const Values& values, const Sigmas& sigmas = {});

/// The force on the slider in N: two sines and two pulses. @param sample time at which the pulses
/// are looked at, the start of the sample.
[[nodiscard]] double load_at(double time, double sample);

/// A motion of 5 s at 1 kHz of the actual mechanism.
struct SliderMotion {
  std::string name;
  Eigen::VectorXd time;
  model::planar::CoordinatePath path;
  Eigen::MatrixXd load;      ///< N, samples x 1
  Eigen::MatrixXd readings;  ///< without noise
};

/// S0: a crank under a speed controller, which passes dead centres fast and slow; S1: 6.28 +- 0.6
/// rad/s; S2: 1.45 +- 0.6 rad, never at a dead centre.
[[nodiscard]] const std::vector<SliderMotion>& slider_motions();

/// The readings of a motion with the noise of a seed, the encoder within a turn.
[[nodiscard]] Eigen::MatrixXd noisy_readings(const SliderMotion& motion, std::uint64_t seed);

}  // namespace alembert::reproductions::slider_crank_force
