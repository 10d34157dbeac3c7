#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/not_a_number.hpp"

namespace alembert::signal {

/// The numbers that describe one channel. NaN samples are missing and count nowhere but in
/// `missing`; with no sample left all values are NaN.
struct ChannelStatistics {
  Eigen::Index count = 0;            ///< samples that are there
  Eigen::Index missing = 0;          ///< NaN samples
  double mean = kNaN;                ///< Σx / count
  double rms = kNaN;                 ///< √(Σx² / count)
  double standard_deviation = kNaN;  ///< √(Σ(x - mean)² / (count - 1)); 0 for one sample
  double smallest = kNaN;
  double largest = kNaN;
  double crest_factor = kNaN;  ///< max|x| / rms; NaN for a channel of zeros
};

/// Describes one channel.
[[nodiscard]] ChannelStatistics statistics(const Eigen::Ref<const Eigen::VectorXd>& values);

/// Describes each column of a matrix of samples.
[[nodiscard]] std::vector<ChannelStatistics> column_statistics(
    const Eigen::Ref<const Eigen::MatrixXd>& samples);

}  // namespace alembert::signal
