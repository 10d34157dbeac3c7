#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimize/coloured/noise_atoms.hpp"

namespace alembert::optimize {

/// The sine transform (DST-II) of each column, bins k = 1 .. N.
[[nodiscard]] Eigen::MatrixXd sine_transform(Eigen::MatrixXd columns);

/// Writes the sine transforms (DST-II) of the orthonormal columns Q into the blocks.
void add_sine_bins(const std::vector<Eigen::MatrixXd>& columns, std::vector<CosineBlock>& blocks);

/// The weight of each bin. @param bands of each bin. @param weight of each band.
[[nodiscard]] Eigen::VectorXd weight_of_bins(const std::vector<Eigen::Index>& bands,
                                             const Eigen::VectorXd& weight);

/// Σ S_b H_b over sine bins and all channels.
[[nodiscard]] Eigen::MatrixXd sine_middle(const std::vector<CosineBlock>& blocks,
                                          const std::vector<BandSums>& sums,
                                          const std::vector<ChannelNoise>& noise);

}  // namespace alembert::optimize
