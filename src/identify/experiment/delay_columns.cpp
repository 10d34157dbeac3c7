#include "identify/experiment/delay_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "identify/experiment/common_delay.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// x(k - late) by straight lines, the ends held.
MatrixXd late_rows(const MatrixXd& x, double late) {
  const auto last = static_cast<double>(x.rows() - 1);
  MatrixXd moved(x.rows(), x.cols());
  for (Index k = 0; k < x.rows(); ++k) {
    const double at = std::clamp(static_cast<double>(k) - late, 0.0, last);
    const auto before = static_cast<Index>(at);
    const Index next = std::min(before + 1, x.rows() - 1);
    const double part = at - std::floor(at);
    moved.row(k) = (1.0 - part) * x.row(before) + part * x.row(next);
  }
  return moved;
}

}  // namespace

DelayColumns::DelayColumns(const ColouredBlocks& blocks, const std::vector<VectorXd>& predicted,
                           int channel_count, std::vector<int> channels)
    : blocks_(blocks),
      predicted_(predicted),
      channel_count_(channel_count),
      channels_(std::move(channels)),
      shift_(VectorXd::Zero(static_cast<Index>(channels_.size()))) {}

ColouredBlocks DelayColumns::blocks() const {
  ColouredBlocks wider(blocks_.size());
  for (std::size_t b = 0; b < wider.size(); ++b) wider[b] = with_columns(b);
  return wider;
}

optimize::ColouredBlock DelayColumns::with_columns(std::size_t b) const {
  const optimize::ColouredBlock& block = blocks_[b];
  const Index p = block.jacobian.cols();
  optimize::ColouredBlock wider{.jacobian = MatrixXd(block.jacobian.rows(), p + size()),
                                .residual = block.residual,
                                .channel = block.channel,
                                .experiment = block.experiment};
  wider.jacobian.leftCols(p) = block.jacobian;
  wider.jacobian.rightCols(size()).setZero();
  const auto place = std::find(channels_.begin(), channels_.end(), block.channel);
  if (place == channels_.end()) return wider;
  const auto i = static_cast<Index>(place - channels_.begin());
  if (shift_(i) == 0.0) {
    wider.jacobian.col(p + i) = central_column(predicted_[b]);
    return wider;
  }
  const VectorXd y = late_rows(predicted_[b], shift_(i));
  // y - ŷ(t - τ)
  wider.residual += predicted_[b] - y;
  wider.jacobian.leftCols(p) = late_rows(block.jacobian, shift_(i));
  wider.jacobian.col(p + i) = central_column(y);
  return wider;
}

}  // namespace alembert::identify
