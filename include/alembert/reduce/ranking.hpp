#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/reduce/substructure.hpp"

/// Which interior modes matter: orders in which they are worth keeping.
namespace alembert::reduce {

/// Interior modes in falling order of their worth.
struct Ranking {
  std::vector<Eigen::Index> order;  ///< indices of interior modes, the most important first
  Eigen::VectorXd score;            ///< of each interior mode, in the order of the basis
};

/// A periodic force on the masters and the steady response of the whole structure to it.
struct ForcedResponse {
  double frequency_hz = 0.0;
  Eigen::VectorXcd force;     ///< amplitude on each master
  Eigen::VectorXcd response;  ///< amplitude of each row
};

/// The undamped response (K - ω² M) x = f to a force on the masters.
/// @throws InvalidInput at a natural frequency, where there is none.
[[nodiscard]] ForcedResponse forced_response(const model::Structure& structure,
                                             const std::vector<Eigen::Index>& masters,
                                             double frequency_hz, const Eigen::VectorXcd& force);

/// By rising frequency.
[[nodiscard]] Ranking rank_by_frequency(const HybridBasis& basis);

/// Interior mode ranking (IMR): the share of each interior coordinate in modes u of the whole
/// structure, in closed form
///
///   η_i = Φᵀ M22 (u2 - B u1),  share(i, s) = (u_iᵀ M [0; φ_s]) η_i,s
///
/// The score is Σ_i weight_i |share(i, s)| / |share(i, :)|.
struct ModeRanking : Ranking {
  Eigen::MatrixXd share;  ///< modes of interest x interior modes
  /// Σ_i weight_i Σ |share(i, s)| over the interior modes of the basis that are dropped when the
  /// first k = 0, 1, ... of the order are kept: the bound of the relative truncation error.
  Eigen::VectorXd bound;
};
/// @param modes columns u, orthonormal in M. @param weights of each, summing to 1.
[[nodiscard]] ModeRanking rank_for_modes(const model::Structure& structure,
                                         const HybridBasis& basis, const Eigen::MatrixXd& modes,
                                         const Eigen::VectorXd& weights);

/// Energy-based ranking (EBR): the share of each interior mode in the mean mechanical energy of the
/// response to periodic forces,
///
///   Γ_s = Σ_k | (ω_s² + ω_k²)/2 |η_s,k|² + ω_k² Σ_m M12r(m, s) Re(x̄_m,k η_s,k) |
[[nodiscard]] Ranking rank_for_forces(const model::Structure& structure, const HybridBasis& basis,
                                      const std::vector<ForcedResponse>& responses);

/// Effective interface mass: trace of M11r⁻¹ p pᵀ with p = (M12 + Bᵀ M22) φ_s. The name and the
/// idea are those of the literature; this scaling by M11r was not checked against its source.
[[nodiscard]] Ranking rank_by_interface_mass(const HybridBasis& basis);

/// Moments of the interface (CMS-χ, [Liao2007]): the masters feel the interior as
///
///   Σ_s ω⁴ p_s p_sᵀ / (ω_s² - ω²),  p = (M12 + Bᵀ M22) φ_s,
///
/// whose leading moment at low frequencies is Σ_s p_s p_sᵀ / ω_s²: the score is |p_s|² / ω_s². The
/// expansion is derived here; the paper's abstract names the principle, its formula was not at
/// hand.
[[nodiscard]] Ranking rank_by_interface_moments(const HybridBasis& basis);

}  // namespace alembert::reduce
