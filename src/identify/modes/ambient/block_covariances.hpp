#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::identify::modes {

/// Covariances of responses with references at lags 1 .. 2q-1, block by block:
///   R_k = E y(t + k) y_ref(t)ᵀ.
struct BlockCovariances {
  Eigen::Index outputs = 0, references = 0, lags = 0;
  /// Column k - 1 is the mean R_k, outputs x references, by columns.
  Eigen::MatrixXd mean;
  /// (R⁽ᵇ⁾ - mean)/√(nb (nb - 1)) of each block, of the same form: the sum of their squares is the
  /// variance of the mean.
  std::vector<Eigen::MatrixXd> deviations;
};

/// @param reference maps the outputs to the references, outputs x references.
[[nodiscard]] BlockCovariances block_covariances(const std::vector<Eigen::MatrixXd>& records,
                                                 const Eigen::MatrixXd& reference,
                                                 Eigen::Index lags, int blocks);

/// The block Hankel matrix with R_{i+j+1} at (i, j), i, j = 0 .. q-1.
[[nodiscard]] Eigen::MatrixXd covariance_hankel(const BlockCovariances& covariances,
                                                Eigen::Index q);

}  // namespace alembert::identify::modes
