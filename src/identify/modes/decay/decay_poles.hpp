#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/modes/decay_modes.hpp"

namespace alembert::identify::modes {

/// Candidates for the modes of decays.
struct DecayCandidates {
  std::vector<FrfPole> poles;  ///< with one participation for each decay
  std::vector<StabilityPoint> diagram;
  Eigen::VectorXd singular_values;
};

/// Poles of the Hankel matrix with y_e(i + j + 1) at (i, j) for all orders, followed over them.
/// @param decays standardised, of equal columns.
[[nodiscard]] DecayCandidates decay_candidates(const std::vector<Eigen::MatrixXd>& decays,
                                               double step, const DecayOptions& options);

/// Residues ρ of y(k) = Σ_r Re ρ_r exp(λ_r k step) + y0 by least squares, outputs x poles.
[[nodiscard]] Eigen::MatrixXcd decay_residues(const Eigen::MatrixXd& decay, double step,
                                              const std::vector<FrfPole>& poles);

/// The part of each decay in each pole, largest 1: full residues by least squares, then the best
/// approximation φ ξᵀ of rank one.
void set_decay_participations(const std::vector<Eigen::MatrixXd>& decays, double step,
                              std::vector<FrfPole>& poles);

}  // namespace alembert::identify::modes
