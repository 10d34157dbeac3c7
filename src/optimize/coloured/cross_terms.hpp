#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimize/coloured/noise_atoms.hpp"

namespace alembert::optimize {

/// X + Xᵀ of all pairs of channels of one experiment, for Q in place of J:
///
///   X = Σ_b coh_b √(S1_b S2_b) Σ_k Q1_k Q2_kᵀ
///
/// coh_b is the coherence of the residuals with its sign, over bands by a triangle of half width
/// max(12, 0.1 k) bins.
[[nodiscard]] Eigen::MatrixXd cross_terms(const std::vector<CosineBlock>& blocks,
                                          const CosineBands& bands,
                                          const std::vector<BandSums>& sums,
                                          const std::vector<ChannelNoise>& noise);

}  // namespace alembert::optimize
