#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "identify/experiment/added_columns.hpp"

namespace alembert::identify {

/// Blocks with a column for the delay of each of some channels, around outputs that are late by so
/// many samples already.
class DelayColumns {
 public:
  /// @param predicted ŷ of each block; both are kept by reference.
  DelayColumns(const ColouredBlocks& blocks, const std::vector<Eigen::VectorXd>& predicted,
               int channel_count, std::vector<int> channels);

  /// The columns of other channels of the same blocks.
  [[nodiscard]] DelayColumns of(std::vector<int> channels) const {
    return {blocks_, predicted_, channel_count_, std::move(channels)};
  }

  /// ŷ and J of channels()[i] are taken late by samples(i) from now on.
  void shift(const Eigen::VectorXd& samples) { shift_ = samples; }

  /// z(k) = -(ŷ(k+1) - ŷ(k-1))/2, one-sided at the ends.
  [[nodiscard]] ColouredBlocks blocks() const;

  [[nodiscard]] const std::vector<int>& channels() const { return channels_; }
  [[nodiscard]] int channel_count() const { return channel_count_; }
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(channels_.size()); }

 private:
  [[nodiscard]] optimize::ColouredBlock with_columns(std::size_t b) const;

  const ColouredBlocks& blocks_;
  const std::vector<Eigen::VectorXd>& predicted_;
  int channel_count_;
  std::vector<int> channels_;
  Eigen::VectorXd shift_;
};

}  // namespace alembert::identify
