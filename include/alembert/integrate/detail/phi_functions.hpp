#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::integrate {

/// exp(A) and the products φ_k(A) B, k = 1..count, with
///
///   φ_0(A) = exp(A),   φ_{k+1}(A) = ∫₀¹ exp(A (1 - τ)) τᵏ/k! dτ
///
/// Equal to blocks of the exponential of A augmented by the input polynomial, which a library's
/// matrix exponential would give. Written out because it costs s (N³ + count N² m) instead of
/// s (N + count m)³ and lets A alone choose the scaling: the unit shifts of the polynomial in the
/// augmented matrix would force squarings that a short step does not need.
struct PhiProducts {
  Eigen::MatrixXd exponential;            ///< N x N
  std::vector<Eigen::MatrixXd> products;  ///< φ_k(A) B at index k - 1, N x m
};

/// @param A square, finite.
[[nodiscard]] PhiProducts phi_products(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                       int count);

}  // namespace alembert::integrate
