#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimize/coloured/noise_atoms.hpp"

namespace alembert::optimize {

/// Means over neighbouring bands, K of half width max(8, 0.04 k) bins.
struct LocalRatio {
  Eigen::MatrixXd kernel;  ///< K
  Eigen::VectorXd bins;    ///< K n
};

[[nodiscard]] LocalRatio local_ratio(const CosineBands& bands, const Eigen::VectorXd& bins);

/// Largest z of the local ratio m = (K u/S)/(K n) above 1. Bins are χ² of one degree, so
/// var m = 2 K² n/(K n)².
[[nodiscard]] double highest_peak(const LocalRatio& local, const Eigen::VectorXd& bins,
                                  const ChannelNoise& noise);

/// What the spectrum of a channel with peaks is a multiple of.
struct PeakBase {
  bool used = false;         ///< the channel has peaks
  Eigen::VectorXd spectrum;  ///< base_b
  int order = 0;             ///< of the autoregressive noise; 0: the atoms
};

/// Autoregressive noise of the residuals of one channel.
struct RegressionBase {
  Eigen::VectorXd spectrum;
  int order = 0;
  double cost = 0.0;  ///< Whittle's, and ln N for each coefficient
};
/// @param records residuals, missing samples as zero.
[[nodiscard]] RegressionBase regression_base(const std::vector<Eigen::VectorXd>& records,
                                             const CosineBands& bands, const BandSums& sums,
                                             const ChannelNoise& noise, int max_order);

/// Base under the peaks of one channel: autoregressive noise of the residuals where it explains
/// them better than the atoms. @param records residuals, missing samples as zero.
[[nodiscard]] PeakBase peak_base(const std::vector<Eigen::VectorXd>& records,
                                 const CosineBands& bands, const BandSums& sums,
                                 const ChannelNoise& noise, int max_order);

/// S = base times local ratio, m >= 0.1, in the channels with peaks: six passes.
void follow_peaks(const std::vector<BandSums>& sums, const std::vector<LocalRatio>& local,
                  const std::vector<PeakBase>& bases, std::vector<ChannelNoise>& noise);

}  // namespace alembert::optimize
