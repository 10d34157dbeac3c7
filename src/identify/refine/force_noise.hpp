#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/refine/refiner.hpp"
#include "identify/refine/sensitivity.hpp"

/// What noise on the measured forces does to the cost of a refinement, and how it is taken off.
///
/// Forces are measured as u + v, v white with the deviations σ_j. The prediction from them holds
/// the response to v, and the expected cost is that of exact forces plus
///
///   Σ_i w_i² Σ_j σ_j² Σ_k c(k) g_ij(k)²,      c(k) = Σ_experiments max(0, N - k)
///
/// with g the response of output i to an impulse of force j. Least squares lowers this sum by
/// making the system stiffer, heavier and more damped. It is known where σ is known, so that it can
/// be subtracted; docs/theory/refinement.md, section on noise on forces. An impulse is an
/// experiment like any other: force σ_j √weight at one sample, start at rest, output zero.
namespace alembert::identify {

class ForceNoise {
 public:
  /// @param deviations σ_j of each force, all >= 0. @param options of the refinement.
  ForceNoise(const Fit& fit, const Eigen::VectorXd& deviations, const RefineOptions& options);

  [[nodiscard]] const Eigen::VectorXd& deviations() const noexcept { return deviations_; }

  /// Errors of the impulses, and the sum above for each output, w = 1; empty and NaN if the motion
  /// is not finite.
  struct Response {
    std::vector<Eigen::MatrixXd> errors;
    Eigen::VectorXd squares;
  };
  [[nodiscard]] Response response(const model::SecondOrder& system) const;

  /// Half of the second and minus half of the first derivative of the sum by θ.
  [[nodiscard]] NormalEquations equations(const Guess& guess, const Response& response,
                                          const Eigen::VectorXd& weights) const;

 private:
  Experiments impulses_;
  Fit fit_;
  Eigen::VectorXd deviations_;
  Eigen::VectorXd present_;  // share of samples of each output that are measured
};

/// Takes what the noise on forces adds off H and gradient.
void take_off(const NormalEquations& noise, NormalEquations& equations);

/// F = (1 - C H)⁻¹, C = (Jᵀ W² J)⁻¹ of all unknowns and H of the noise: with it F cov Fᵀ is the
/// covariance of the estimate from the cost without the noise.
[[nodiscard]] Eigen::MatrixXd without_noise(const Eigen::MatrixXd& C, const Eigen::MatrixXd& H);

}  // namespace alembert::identify
