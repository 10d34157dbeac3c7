#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimize/coloured/noise_atoms.hpp"

namespace alembert::optimize {

/// Writes the sine transforms (DST-II) of the orthonormal columns Q into the blocks.
void add_sine_bins(const std::vector<Eigen::MatrixXd>& columns, std::vector<CosineBlock>& blocks);

/// Σ_k w_b Q1_k Q2_kᵀ over the bins of two blocks of the same length, w given per band.
[[nodiscard]] Eigen::MatrixXd weighted_product(const Eigen::MatrixXd& one,
                                               const Eigen::MatrixXd& two,
                                               const std::vector<Eigen::Index>& bands,
                                               const Eigen::VectorXd& weight);

/// Σ S_b H_b over sine bins and all channels.
[[nodiscard]] Eigen::MatrixXd sine_middle(const std::vector<CosineBlock>& blocks,
                                          const std::vector<BandSums>& sums,
                                          const std::vector<ChannelNoise>& noise);

}  // namespace alembert::optimize
