#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/estimate/kinematic_model.hpp"
#include "alembert/estimate/noise.hpp"

/// Noises of the kinematic observers.
namespace alembert::estimate {

/// Covariance added in a step by white noise of this density on the derivative after the last:
///   Q_ij = density Δt^(2m-1-i-j) / ((2m-1-i-j) (m-1-i)! (m-1-j)!),  i, j = 0..m-1.
/// @throws InvalidInput unless 1 <= blocks <= 6, step > 0 and density >= 0.
[[nodiscard]] Eigen::MatrixXd white_noise_motion(int blocks, double step, double density);

/// Noise of the output form.
struct OutputFormNoise {
  /// Density of the jerk or snap of each coordinate, unit² s⁻⁵ or s⁻⁷; one for all or n.
  std::vector<double> density = {1.0};
  double parameter_density = 0.0;  ///< random walk of the geometry, m²/s
  double bias_density = 0.0;       ///< random walk of the biases, unit²/s
  /// White noise that moves each unknown force (of F', or of F'' in an integrated walk), N²/s or
  /// N²/s³, with m² for torques; one for all or one for each.
  std::vector<double> force_density = {1.0};
};

/// Q of the output form for steps of any length, computed in place.
///
///   Q(Δt) = D Q(1) D,  D_ii = √s Δt^(m-b-½) in block b of m, √Δt for parameters and biases, and
///   for forces Δt^(m-b-½), or √((1 − e^(−2aΔt))/2a) behind a low pass with a = 2π f,
///
/// so with Q(1) = L Lᵀ, found once, the factor of Q(Δt) is D L. s scales the densities of the
/// motion.
class MotionNoise {
 public:
  /// @throws InvalidInput for wrong sizes or signs.
  MotionNoise(const KinematicOutputModel& model, const OutputFormNoise& noise);

  /// Sets Q of a step. Allocates nothing. @param step in s, > 0. @param scale s, >= 0.
  void set(double step, double scale = 1.0) noexcept;
  /// Q of the last set(); of 1 s before the first.
  [[nodiscard]] const Noise<double, Eigen::Dynamic>& noise() const noexcept { return noise_; }
  /// The states of the last block, whose variance in Q is the largest beside that of the estimate.
  [[nodiscard]] std::vector<int> highest_derivatives() const;

 private:
  void set_forces(double root, double step) noexcept;

  int coordinates_;
  int blocks_;
  int first_force_;
  int forces_;
  int force_blocks_;
  double decay_rate_;                   // a of a low pass, 1/s; 0: none
  Noise<double, Eigen::Dynamic> unit_;  // of a step of 1 s
  Noise<double, Eigen::Dynamic> noise_;
  Eigen::VectorXd factors_;  // diagonal of D
  double step_ = 0.0;        // of the last set()
  double scale_ = 1.0;
};

/// Q of a step of the output form. @throws InvalidInput for wrong sizes or signs.
[[nodiscard]] Noise<double, Eigen::Dynamic> process_noise(const KinematicOutputModel& model,
                                                          double step,
                                                          const OutputFormNoise& noise);

/// R of the chosen sensors of a mechanism, from their standard deviations and resolutions.
/// @throws InvalidInput naming a sensor whose variance is zero.
[[nodiscard]] Noise<double, Eigen::Dynamic> sensor_noise(const model::planar::Mechanism& mechanism,
                                                         const std::vector<int>& sensors);

}  // namespace alembert::estimate
