#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::identify {

/// How many samples an output comes late, by what a fitted model leaves of it.
///
///   r ≈ J δ + τ z,   z(k) = -(ŷ(k+1) - ŷ(k-1))/2
///
/// τ is the least-squares coefficient of z beside the parameters, in samples, after r, J and z went
/// through the first-order filter x_k - ρ x_{k-1} that takes the slow noise out of r. A delay
/// beyond chance is fitted again around ŷ and J that are as late. Its deviation allows for coloured
/// residuals; docs/verdict.md has the whole rule.
struct DelayEstimate {
  double samples = 0.0;    ///< τ; negative: early
  double deviation = 0.0;  ///< 0: not known; infinite: the parameters take such a delay up
  double freedom = 0.0;    ///< degrees of freedom of the deviation

  /// Whether chance gives such a delay in fewer than `rate` of sound records, by Student's t.
  [[nodiscard]] bool beyond_chance(double rate) const;
};

/// The delays of all outputs together and of each.
struct Delays {
  /// The mean of those below, weighted by their covariance; not known where they differ beyond
  /// chance.
  DelayEstimate common;
  std::vector<DelayEstimate> outputs;  ///< by channel; empty if nothing is known
  /// Where a delay of several outputs together cannot be told (a free motion may have begun later),
  /// the place of the one that the others are held against; -1: each is told by itself.
  int reference = -1;
  std::vector<int> relative = {};  ///< the places of those that are held against it
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
