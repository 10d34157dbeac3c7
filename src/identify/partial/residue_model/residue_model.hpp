#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/identify/subspace.hpp"
#include "identify/partial/residue_model/pole_response.hpp"

/// A second-order system as a sum of reciprocal modes, and its fit to decimated records
/// (docs/theory/partial-sensing.md).
namespace alembert::identify {

/// Decimated records with what turns modes into outputs.
struct ResidueData {
  Eigen::MatrixXd C;                    ///< l x n: y = C q
  Eigen::MatrixXd L;                    ///< n x m
  std::vector<PoleDrive> drives;        ///< one per experiment
  std::vector<Eigen::MatrixXd> output;  ///< N x l each
  double step = 0.0;                    ///< of the decimated records

  [[nodiscard]] Eigen::Index coordinates() const { return C.cols(); }
  [[nodiscard]] Eigen::Index experiments() const {
    return static_cast<Eigen::Index>(output.size());
  }
};
[[nodiscard]] ResidueData residue_data(const Experiments& decimated, const Eigen::MatrixXd& C,
                                       const Eigen::MatrixXd& L);

/// n modes with the residues ψ ψᵀ:
///
///   y = 2 Re Σ_r C ψ_r (ψ_rᵀ L x_r + ξ_r e^{λ_r t}),   x_r' = λ_r x_r + u, x_r(0) = 0
struct ResidueModel {
  Eigen::MatrixXcd shapes;  ///< ψ, n x n
  Eigen::VectorXcd poles;   ///< λ, n, Im > 0
  Eigen::MatrixXcd free;    ///< ξ, n x experiments
};

/// Poles and sensed shapes c = C v of a subspace model, in the band.
struct BandPoles {
  Eigen::VectorXcd poles;
  Eigen::MatrixXcd sensed;  ///< l x poles
};
/// Poles with Im λ > 0, damping below 0.3 and |λ| < 1.15 highest.
[[nodiscard]] BandPoles band_poles(const DiscreteModel& model, double highest);

/// Actuated parts b of the modes by least squares, elimination of the least significant modes
/// down to n, and reciprocity: c = α C ψ, b = Lᵀ ψ/α.
/// @param found at least n poles.
[[nodiscard]] ResidueModel residue_start(const ResidueData& data, const BandPoles& found);

/// A fitted model.
struct ResidueFit {
  ResidueModel model;
  double cost = 0.0;
  int iterations = 0;
};
/// Levenberg-Marquardt in ψ, λ, ξ; then with a growing penalty on ψ ψᵀ + conj, which is zero for
/// a second-order system: the displacement does not jump under an impulse.
[[nodiscard]] ResidueFit fit_residues(const ResidueData& data, const ResidueModel& start);
/// The same for real modes φ, ψ = φ/√(2iω): half the unknowns, no penalty.
[[nodiscard]] ResidueFit fit_real_residues(const ResidueData& data, const ResidueModel& start);

/// M⁻¹ = 2 Re ψ Λ ψᵀ, K⁻¹ = -2 Re ψ Λ⁻¹ ψᵀ, D = -M (2 Re ψ Λ² ψᵀ) M, symmetrised, not clipped.
[[nodiscard]] Matrices residue_matrices(const ResidueModel& model);
/// M = (φφᵀ)⁻¹, K = M φ |λ|² φᵀ M, D = M φ (-2 Re λ) φᵀ M of the real part of ψ √(2iω).
[[nodiscard]] Matrices real_residue_matrices(const ResidueModel& model);

}  // namespace alembert::identify
