#pragma once

#include <Eigen/Core>
#include <set>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"
#include "optimize/coloured/cosine_bands.hpp"

namespace alembert::optimize {

/// J = Q W⁺ with orthonormal columns of Q over all blocks and priors: G = (JᵀJ + ΠᵀΠ)⁻¹ = W Wᵀ. If
/// J has the rank r < p, Q has r columns, and G is the inverse on what the data see.
struct OrthonormalColumns {
  std::vector<Eigen::MatrixXd> blocks;  ///< rows of Q; those of missing samples are zero
  Eigen::MatrixXd prior;                ///< rows of Q that belong to priors
  Eigen::MatrixXd back;                 ///< W, p x r; of the parameters asked for
  std::vector<bool> unseen;  ///< parameters that take part in a direction that J does not see
};

/// @param blocks with J finite in all rows whose residual is not NaN.
/// @param prior Π, any number of rows.
/// @param rank_tolerance of the singular values of J with columns of norm 1.
/// @param asked the first columns, whose W is asked for.
[[nodiscard]] OrthonormalColumns orthonormal_columns(const std::vector<ColouredBlock>& blocks,
                                                     const Eigen::MatrixXd& prior,
                                                     double rank_tolerance, Eigen::Index asked);

/// One block in cosine bins.
struct CosineBlock {
  Eigen::MatrixXd columns;          ///< transform of Q
  Eigen::VectorXd residual;         ///< transform of r, missing samples as zero
  std::vector<Eigen::Index> bands;  ///< band of each bin
  Eigen::MatrixXd sine_columns;     ///< sine transform of Q, where it is asked for
  std::vector<Eigen::Index> sine_bands;
  Eigen::VectorXd shape;  ///< variance of each bin of noise of known shape at size 1; or empty
  double present = 1.0;   ///< share of samples that are not missing
  int channel = 0;
  int experiment = 0;
};

/// Symmetric matrices as vectors whose product is the trace: svec(A)·svec(B) = tr(A B).
[[nodiscard]] Eigen::VectorXd to_packed(const Eigen::MatrixXd& symmetric);
[[nodiscard]] Eigen::MatrixXd from_packed(const Eigen::VectorXd& vector, Eigen::Index size);

/// Sums over the bins of each band and over all experiments of one channel. Q stands for J, so
/// that G = I here.
struct BandSums {
  int channel = 0;
  Eigen::MatrixXd squares;  ///< column b: H_b = Σ Q_k Q_kᵀ, packed; empty if `rows` stand for it
  std::vector<const CosineBlock*> rows;  ///< of this channel; they outlive the sums
  /// tr(H_b H_b') with the bands b' of each channel, where `rows` stand for H_b.
  std::vector<Eigen::MatrixXd> traces;
  Eigen::MatrixXd sensitivity;  ///< a_bj = (G H_b G)_jj in the units of θ, bands x p
  Eigen::VectorXd taken;        ///< h_b = tr H_b, bins that the fit took
  Eigen::VectorXd power;        ///< q_b = Σ r_k²
  Eigen::VectorXd bins;         ///< n_b, without the share of missing samples
  /// Part of Σ S_b H_b that priors have, packed; with the first channel alone, empty without them.
  Eigen::VectorXd fixed = {};
  /// K_b, mean variance per bin of noise of known shape at size 1; zero without.
  Eigen::VectorXd shape = {};
  Eigen::Index rank = 0;  ///< columns of Q
};

/// The sums of all channels, by rising channel. @param back W of the parameters asked for.
[[nodiscard]] std::vector<BandSums> band_sums(const std::vector<CosineBlock>& blocks,
                                              const std::set<int>& channels,
                                              const CosineBands& bands,
                                              const Eigen::MatrixXd& back);

}  // namespace alembert::optimize
