#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "alembert/model/second_order.hpp"

namespace alembert::identify {

/// Eigenvectors of the scaled first-order form, A = V diag(λ) W, W = V⁻¹, in z = (q, h q').
///
/// V = (v; λ v) with (λ² M + λ h D + h² K) v = 0, and W's right half is U M with the rows uᵀ of Uᵀ
/// (for distinct poles u is a multiple of v).
struct ModalBasis {
  Eigen::VectorXcd poles;          ///< λ, 2n
  Eigen::MatrixXcd v;              ///< n x 2n
  Eigen::MatrixXcd u;              ///< n x 2n, columns (W_2 M⁻¹)ᵀ
  Eigen::MatrixXcd W;              ///< 2n x 2n
  std::vector<Eigen::Index> kept;  ///< one of each conjugate pair (Im > 0), and all real poles
  double condition = 0.0;          ///< |V| |W| / 2n in coordinates with unit mass
  bool usable = false;             ///< the decomposition exists and is finite
};
[[nodiscard]] ModalBasis modal_basis(const model::SecondOrder& system, double step);

/// Ordered pairs (r, s) of kept poles too close for a divided difference of their signals:
/// |λ_r - λ_s| τ < limit with τ = min(samples, 1/|Re λ|), the memory of the mode in samples.
/// `crossing` is true if such a pair has a partner that is not kept or of another kind.
struct ClosePairs {
  std::vector<std::pair<Eigen::Index, Eigen::Index>> pairs;  ///< indices of poles
  bool crossing = false;
};
[[nodiscard]] ClosePairs close_pairs(const ModalBasis& basis, Eigen::Index samples, double limit);

}  // namespace alembert::identify
