#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimize/coloured/band_sums.hpp"

namespace alembert::optimize {

/// Falling spectra of which the noise is a sum: white noise and noise of first order,
///
///   L_0 = 1,   L_i(ω) = (1-a)²/(1 - 2a cos ω + a²),   a = exp(-1/τ_i),   τ_i = 1/2, 1, 2, .. < N/4
///
/// each divided by its mean over the bands.
struct NoiseAtoms {
  Eigen::MatrixXd spectra;         ///< L_ib, bands x atoms
  Eigen::VectorXd time_constants;  ///< τ_i in samples; 0 for white noise
};

[[nodiscard]] NoiseAtoms noise_atoms(const CosineBands& bands);

/// Noise of one channel during the fit: S_b = Σ_i c_i L_ib + size K_b.
struct ChannelNoise {
  Eigen::VectorXd weights;   ///< c_i
  Eigen::VectorXd spectrum;  ///< S_b
  Eigen::VectorXd restored;  ///< u_b, power of the residuals with what the fit took given back
  double size = 0.0;         ///< of the noise of known shape, the same in all channels
};

/// V = Σ S_b H_b over all channels, for Q in place of J (G = I).
[[nodiscard]] Eigen::MatrixXd middle_matrix(const std::vector<BandSums>& sums,
                                            const std::vector<ChannelNoise>& noise);

/// Writes u_b = max(0, q_b + 2 S_b h_b - tr(H_b V)) of all channels.
void restore_power(const std::vector<BandSums>& sums, std::vector<ChannelNoise>& noise);

/// Fits c_i >= 0 of all channels to the restored powers.
/// @param shaped fit the size of the noise of known shape too; else it is zero.
[[nodiscard]] std::vector<ChannelNoise> fit_noise(const std::vector<BandSums>& sums,
                                                  const NoiseAtoms& atoms,
                                                  const ColouredOptions& options,
                                                  bool shaped = false);

/// -2 ln of the likelihood of independent normal bins (Whittle): Σ_b n_b ln S_b + u_b/S_b.
[[nodiscard]] double whittle_cost(const Eigen::VectorXd& bins, const Eigen::VectorXd& restored,
                                  const Eigen::VectorXd& spectrum);

/// How much worse the restored powers are explained without atoms of a time constant from `limit`
/// samples on: 2 ln of the likelihood ratio, at least 0.
/// @param low_bands look at the lowest bands only, where a peak above them would speak for one
/// side.
[[nodiscard]] double slow_evidence(const BandSums& sums, const NoiseAtoms& atoms,
                                   const ChannelNoise& noise, double limit, bool low_bands);

}  // namespace alembert::optimize
