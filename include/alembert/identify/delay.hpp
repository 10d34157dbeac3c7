#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::identify {

/// How many samples an output comes late, by what a fitted model leaves of it.
///
///   r ≈ J δ + τ z,   z(k) = -(ŷ(k+1) - ŷ(k-1))/2
///
/// τ is the least-squares coefficient of z beside the parameters, in samples; it is exact for small
/// delays and finds larger ones too small. Its deviation allows for coloured residuals.
struct DelayEstimate {
  double samples = 0.0;    ///< τ; negative: early
  double deviation = 0.0;  ///< 0: not known
  double freedom = 0.0;    ///< degrees of freedom of the deviation

  /// Whether chance gives such a delay in fewer than `rate` of sound records, by Student's t.
  [[nodiscard]] bool beyond_chance(double rate) const;
};

/// The delays of all outputs together and of each.
struct Delays {
  DelayEstimate common;                ///< the mean of those below, weighted by their covariance
  std::vector<DelayEstimate> outputs;  ///< by channel; empty if nothing is known
};

/// @param blocks residuals y - ŷ with their Jacobian by all that was fitted, of channels 0 to
/// channels - 1.
/// @param predicted ŷ of each block, scaled as its residual.
/// @return nothing known where there are more than 40 columns (the cost is that of
/// optimize::coloured_covariance() with `channels` more of them), or too few samples.
/// @throws InvalidInput as optimize::coloured_covariance().
[[nodiscard]] Delays estimate_delays(const std::vector<optimize::ColouredBlock>& blocks,
                                     const std::vector<Eigen::VectorXd>& predicted, int channels);

}  // namespace alembert::identify
