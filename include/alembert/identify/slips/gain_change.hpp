#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::identify {

/// By how much the gain of an output changed in the middle of the records, by what a fitted model
/// leaves of it.
///
///   r ≈ J δ + γ g,   g(k) = ŷ(k) in the second half of each experiment, else 0
///
/// γ is the least-squares coefficient of g beside the parameters. A system that changes its gain
/// looks the same as its sensor.
struct GainChange {
  double part = 0.0;       ///< γ: -0.5 is half of the gain
  double deviation = 0.0;  ///< for coloured residuals; 0: not asked, because little is explained
  double freedom = 0.0;    ///< degrees of freedom of the deviation
  /// Residual power of the output as it is, over that with the change taken off.
  double gain = 1.0;

  /// Whether chance gives such a change in fewer than `rate` of sound records, by Student's t.
  [[nodiscard]] bool beyond_chance(double rate) const;
};

/// One output at a time, by channel.
/// @param blocks residuals y - ŷ with their Jacobian by all that was fitted, of channels 0 to
/// channels - 1.
/// @param predicted ŷ of each block, scaled as its residual.
/// @return empty where there are more than 40 columns, or too few samples.
/// @throws InvalidInput as optimize::coloured_covariance().
[[nodiscard]] std::vector<GainChange> estimate_gain_changes(
    const std::vector<optimize::ColouredBlock>& blocks,
    const std::vector<Eigen::VectorXd>& predicted, int channels);

}  // namespace alembert::identify
