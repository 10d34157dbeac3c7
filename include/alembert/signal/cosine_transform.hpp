#pragma once

#include <Eigen/Core>

namespace alembert::signal {

/// Orthonormal cosine transform (DCT-II) of each column, N rows, in O(N log N) for any N:
///
///   X(k) = s_k Σ_j x(j) cos(π k (2j + 1) / (2N)),   k = 0 .. N-1,   s_0 = √(1/N), s_k = √(2/N)
///
/// Bin k stands for the frequency π k/N in rad per sample. The transform is orthogonal, so sums of
/// squares and products are kept (Parseval). It continues the record by its mirror image, so a
/// difference between the two ends makes no jump, other than in the Fourier transform.
/// @throws InvalidInput unless 1 <= N <= kLongestTransform. A NaN spreads over its whole column.
[[nodiscard]] Eigen::MatrixXd cosine_transform(const Eigen::Ref<const Eigen::MatrixXd>& columns);

}  // namespace alembert::signal
