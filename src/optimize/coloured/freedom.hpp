#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimize/coloured/noise_atoms.hpp"
#include "optimize/coloured/peaks.hpp"

namespace alembert::optimize {

/// Vg = (Σ H_b/S_b)⁻¹ for Q in place of J: the covariance that weights by this noise would give.
[[nodiscard]] Eigen::MatrixXd weighted_covariance(const std::vector<BandSums>& sums,
                                                  const std::vector<ChannelNoise>& noise);

/// ν_j of one channel whose noise is a sum of atoms: 1/ν = 1/ν_F + 1/(factor P + 2).
/// @param weighted Vg.
[[nodiscard]] Eigen::VectorXd freedom_of_atoms(const BandSums& sums, const ChannelNoise& noise,
                                               const NoiseAtoms& atoms,
                                               const Eigen::MatrixXd& weighted, double factor);

/// ν_j of one channel whose noise follows the local ratio, at least 4.
[[nodiscard]] Eigen::VectorXd freedom_of_peaks(const BandSums& sums, const ChannelNoise& noise,
                                               const PeakBase& base, const LocalRatio& local);

}  // namespace alembert::optimize
