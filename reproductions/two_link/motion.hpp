#pragma once

#include <Eigen/Core>

/// The tests of the rig, simulated.
namespace alembert::reproductions::two_link {

enum class Trial {
  Impulses,  ///< 10 s: the servo holds the shoulder, torque pulses of 40 ms every 2 s
  Sweep      ///< 9 s: the shoulder follows a sine of 0.05 rad from 10 Hz down to 1 Hz
};

/// What happened in a test, at 1 kHz.
struct Motion {
  Eigen::VectorXd time;
  Eigen::MatrixXd truth;    ///< samples x (θ1, θ2, θ1', θ2', θ1'', θ2'')
  Eigen::MatrixXd exact;    ///< samples x what ideal sensors read: rad, rad, m/s², m/s²
  double energy_gap = 0.0;  ///< largest |energy gained - work done| over the largest energy
};

/// Integrates M(z) z'' + h(z, z') = τ by the classical Runge-Kutta rule, 4 steps a sample. The
/// elbow has viscous and dry friction.
[[nodiscard]] Motion simulate(Trial test, double gravity = 0.0);

}  // namespace alembert::reproductions::two_link
