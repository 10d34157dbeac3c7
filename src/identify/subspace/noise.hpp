#pragma once

#include <Eigen/Core>

#include "identify/subspace/hankel.hpp"

/// The innovation form of a subspace model.
namespace alembert::identify::realisation {

struct NoiseModel {
  Eigen::MatrixXd gain;        ///< Kg, order x outputs
  Eigen::MatrixXd covariance;  ///< of the innovations
  bool estimated = false;      ///< false: the residuals vanish, gain and covariance are zero
};

/// Covariances of w and v in x(k+1) = F x + w, y = H x + v: (Q S; Sᵀ R).
struct StateNoise {
  Eigen::MatrixXd Q, S, R;
};
/// The Kalman gain of these, from the Riccati equation. @pre R is positive definite.
[[nodiscard]] NoiseModel steady_noise(const Eigen::MatrixXd& F, const Eigen::MatrixXd& H,
                                      const StateNoise& noise);

/// Kalman gain from the residuals of the state sequences.
///
/// The states at s and s + 1 are those that explain the outputs to come, given all inputs and the
/// outputs before: X(s) = Γ⁺ (Ŷ_f - T U_f), Ŷ_f the projection on (U_f, W_p), and the same one
/// sample later; T holds the Markov parameters of F, G, H, J. The residuals of
///   X(s+1) = F X(s) + G u(s) + w,   y(s) = H X(s) + J u(s) + v
/// have the covariance (Q S; Sᵀ R), positive semidefinite by construction, and the gain follows
/// from the Riccati equation [VanOverschee1996, ch. 4]. Differs from there: T comes from the model
/// instead of a regression, so that no input covariance is inverted.
/// All in the scaled channels.
[[nodiscard]] NoiseModel noise_model(const Compression& data, const Eigen::MatrixXd& F,
                                     const Eigen::MatrixXd& G, const Eigen::MatrixXd& H,
                                     const Eigen::MatrixXd& J);

}  // namespace alembert::identify::realisation
