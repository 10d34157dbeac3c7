#include "identify/experiment/delay_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// z(k) = -(ŷ(k+1) - ŷ(k-1))/2, one-sided at the ends.
VectorXd central_column(const VectorXd& predicted) {
  const Index n = predicted.size();
  VectorXd column(n);
  for (Index k = 0; k < n; ++k) {
    const Index next = std::min(k + 1, n - 1), before = std::max<Index>(k - 1, 0);
    column(k) = (predicted(before) - predicted(next)) / static_cast<double>(next - before);
  }
  return column;
}

// z(k) = -(ŷ(k-2) - 8 ŷ(k-1) + 8 ŷ(k+1) - ŷ(k+2))/12 inside.
VectorXd fine_column(const VectorXd& y) {
  VectorXd column = central_column(y);
  for (Index k = 2; k + 2 < y.size(); ++k) {
    column(k) = (8.0 * (y(k - 1) - y(k + 1)) - y(k - 2) + y(k + 2)) / 12.0;
  }
  return column;
}

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

bool DelayColumns::taken_up(const std::vector<int>& channels) const {
  ColouredBlocks slopes = blocks_;
  double error = 0.0;
  for (std::size_t b = 0; b < slopes.size(); ++b) {
    VectorXd& slope = slopes[b].residual;
    Eigen::Array<bool, Eigen::Dynamic, 1> missing = slope.array().isNaN();
    // At the ends both slopes are one-sided.
    missing.head(2).setConstant(true);
    missing.tail(2).setConstant(true);
    slope.setZero();
    if (std::find(channels.begin(), channels.end(), slopes[b].channel) != channels.end()) {
      slope = fine_column(predicted_[b]);
      const VectorXd difference = slope - central_column(predicted_[b]);
      error += missing.select(0.0, difference).matrix().squaredNorm();
    }
    slope = missing.select(std::numeric_limits<double>::quiet_NaN(), slope).eval();
  }
  return residual_power(left_by(slopes, least_squares_of(slopes))) <= 0.25 * error;
}

ColouredBlocks DelayColumns::blocks() const {
  ColouredBlocks wider = blocks_;
  for (std::size_t b = 0; b < wider.size(); ++b) {
    optimize::ColouredBlock& block = wider[b];
    const Index p = block.jacobian.cols();
    block.jacobian.conservativeResize(Eigen::NoChange, p + size());
    block.jacobian.rightCols(size()).setZero();
    const auto place = std::find(channels_.begin(), channels_.end(), block.channel);
    if (place == channels_.end()) continue;
    const auto i = static_cast<Index>(place - channels_.begin());
    VectorXd y = predicted_[b];
    if (shift_(i) != 0.0) {
      y = late_rows(predicted_[b], shift_(i));
      // y - ŷ(t - τ)
      block.residual += predicted_[b] - y;
      block.jacobian.leftCols(p) = late_rows(blocks_[b].jacobian, shift_(i));
    }
    block.jacobian.col(p + i) = central_column(y);
  }
  return wider;
}

}  // namespace alembert::identify
