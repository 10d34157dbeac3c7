#pragma once

#include <Eigen/Core>

#include "alembert/core/status.hpp"
#include "alembert/update/parametric_model.hpp"

/// Model updating by one convex program, as published.
namespace alembert::update {

struct PublishedOptions {
  double regularisation = 1e-3;       ///< λ of λ |Ωχ|²
  Eigen::VectorXd penalties = {};     ///< diagonal of Ω; empty: ones
  Eigen::VectorXd mode_weights = {};  ///< w_i; empty: ones
  /// Equations divided by ω_i² φ_iᵀMφ_i, without which their weight hangs on how shapes are scaled.
  bool normalised = true;
  /// Eq. (4.34): the distance to the solution of least norm in place of the residual. The same
  /// where no bound holds.
  bool preconditioned = true;
  /// All rows of eq. (4.30) in place of their products with the shape, eq. (4.31).
  bool whole_equations = false;
};

/// What the program found.
struct PublishedUpdate : Outcome {
  Eigen::VectorXd parameters;
  Eigen::VectorXd correction;  ///< χ, relative to the nominal values, or to sigma where these are 0
  double gap = 0.0;            ///< duality gap of the program
};

/// Corrects parameters from measured pairs (ω_i, φ_i) [MultibodyThesis, eqs. (4.30) to (4.35)]:
///
///   0 = φ_iᵀ[ω_i²(M + ΔM) - (K + ΔK)]φ_i,   min |χ - A⁺b|² + λ|Ωχ|²,   χ_L <= χ <= χ_U
///
/// Differs from the source: b_i = -φ_iᵀ(ω_i²M - K)φ_i with its sign, and √λ Ω in the stacked form.
/// @param shapes all rows of the model x modes. @throws InvalidInput if sizes disagree.
[[nodiscard]] PublishedUpdate published_update(
    const ParametricModel& model, const Eigen::Ref<const Eigen::VectorXd>& frequency_hz,
    const Eigen::Ref<const Eigen::MatrixXd>& shapes, const PublishedOptions& options = {});

}  // namespace alembert::update
