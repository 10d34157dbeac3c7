#pragma once

#include <Eigen/Core>

#include "alembert/identify/subspace.hpp"
#include "identify/subspace/hankel.hpp"

/// From the compressed data to the observability matrix.
namespace alembert::identify::realisation {

/// The weighted projection of the future outputs on the past, along the future inputs.
///
///   MOESP   L32                                (outputs and past without the future inputs)
///   N4SID   L32 L22⁺ L22                       (the oblique projection of what is left of both)
///   CVA     (L32 L32ᵀ + L33 L33ᵀ)^(-1/2) L32   (canonical correlations)
///
/// [VanOverschee1996, ch. 4]. Differs from the plain oblique projection L32 L22⁺ (L21 L22), which
/// multiplies the estimated coefficients with the whole past: where future inputs nearly predict
/// past ones (an input without power in some band), the coefficients of what is left over are
/// noise, and L21 takes it up at full size. Multiplied with the past without the future inputs, as
/// in [SLICOT, IB01ND], nothing is amplified; with all singular values of L22 it is MOESP's
/// matrix. With X = U S Vᵀ of W₁ projection, Γ = W₁⁻¹ U S^(1/2).
struct Projection {
  Eigen::VectorXd values;         ///< S, descending
  Eigen::MatrixXd observability;  ///< Γ with all columns; the first n are those of order n
};
[[nodiscard]] Projection project(const Compression& data, SubspaceWeighting weighting);

/// The order that the noise allows.
///
/// L32 of pure noise, whitened by L33, has no singular value above √rows + √columns
/// (Marchenko-Pastur); those above 1.1 times that edge are counted.
/// @param highest at most this.
[[nodiscard]] Eigen::Index order_above_noise(const Compression& data, Eigen::Index highest);

/// The order before the largest ratio of neighbouring singular values, lowest..highest.
[[nodiscard]] Eigen::Index order_at_gap(const Eigen::VectorXd& values, Eigen::Index lowest,
                                        Eigen::Index highest);

/// F and H of the given order from the shift structure of Γ: Γ(without last block) F = Γ(without
/// first block), H = first block.
struct ShiftModel {
  Eigen::MatrixXd F, H;
};
[[nodiscard]] ShiftModel shift_model(const Projection& projection, Eigen::Index outputs,
                                     Eigen::Index order);

}  // namespace alembert::identify::realisation
