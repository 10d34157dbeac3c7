#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

namespace alembert::signal {

/// The numbers that describe one channel. NaN samples are missing and count nowhere but in
/// `missing`; with no sample left all values are NaN.
struct ChannelStatistics {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  Eigen::Index count = 0;                ///< samples that are there
  Eigen::Index missing = 0;              ///< NaN samples
  double mean = kUnknown;                ///< Σx / count
  double rms = kUnknown;                 ///< √(Σx² / count)
  double standard_deviation = kUnknown;  ///< √(Σ(x - mean)² / (count - 1)); 0 for one sample
  double smallest = kUnknown;
  double largest = kUnknown;
  double crest_factor = kUnknown;  ///< max|x| / rms; NaN for a channel of zeros
};

/// Describes one channel.
[[nodiscard]] ChannelStatistics statistics(const Eigen::Ref<const Eigen::VectorXd>& values);

/// Describes each column of a matrix of samples.
[[nodiscard]] std::vector<ChannelStatistics> column_statistics(
    const Eigen::Ref<const Eigen::MatrixXd>& samples);

}  // namespace alembert::signal
