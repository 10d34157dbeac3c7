#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alembert/identify/acceleration_refine.hpp"
#include "reproductions/reproduce.hpp"

/// Simulated free decays for the reproductions of [identify] with method = "acceleration".
namespace alembert::reproductions::acceleration {

/// A system with its true parameters.
struct MotionCase {
  std::string name;
  std::string equation;
  Eigen::VectorXd parameters;  ///< in the order of the equation
  double x0 = 0.1;             ///< m, released at rest
  double duration = 10.83;     ///< s: 10 cycles of the published oscillator
  double step = 1e-3;          ///< s
};

/// What the sensor adds.
struct SensorCase {
  Eigen::Index every = 1;  ///< keeps every n-th sample
  double sigma = 0.0;      ///< white noise, m/s²
  double snr_db = 0.0;     ///< instead of sigma if not 0
  int bits = 0;            ///< 0: not rounded
  double range = 5.0;      ///< ±, m/s²
  double offset = 0.0;     ///< m/s²
};

/// The published oscillator, x'' + a x' + b x + c x³ = 0 with a = 0.01067, b = 36.78, c = -444.7,
/// from studies/duffing/identify.toml.
[[nodiscard]] const MotionCase& duffing_case();

/// The 12-bit converter of the publication, ±5 m/s², with noise of 1e-3 m/s².
[[nodiscard]] SensorCase published_sensor(Eigen::Index every = 1);

/// The true motion of a system; throws StudyError if it cannot be simulated.
[[nodiscard]] Eigen::VectorXd true_acceleration(const identify::MotionEquation& equation,
                                                const MotionCase& system);

/// A record of it; the same seed gives the same noise.
[[nodiscard]] identify::MotionRecord sensed(const Eigen::VectorXd& truth, double step,
                                            const SensorCase& sensor, std::uint64_t seed);

}  // namespace alembert::reproductions::acceleration
