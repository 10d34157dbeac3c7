#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimize/coloured/band_sums.hpp"

namespace alembert::optimize {

/// Whether rows of Q in place of packed H_b cost less. Packed ones take r²/2 numbers a band, which
/// are written once and read several times; traces of all pairs by rows take N² r products.
[[nodiscard]] bool rows_cost_less(Eigen::Index bins, Eigen::Index rank, Eigen::Index bands,
                                  Eigen::Index channels);

/// tr(H_b H_b') for the bands b of one channel and b' of another, by the rows of both:
///
///   tr(H_b H_b') = Σ_{k in b} Σ_{l in b'} (Q_k · Q_l)²
///
/// @param count of bands.
[[nodiscard]] Eigen::MatrixXd traces_between(const std::vector<const CosineBlock*>& one,
                                             const std::vector<const CosineBlock*>& other,
                                             Eigen::Index count);

/// Σ_b weight_b H_b of one channel. @param weight not negative.
[[nodiscard]] Eigen::MatrixXd weighted_squares(const BandSums& sums, const Eigen::VectorXd& weight);

/// tr(H_b V) of each band of one channel. @param V symmetric.
[[nodiscard]] Eigen::VectorXd traces_with(const BandSums& sums, const Eigen::MatrixXd& V);

}  // namespace alembert::optimize
