#include "identify/experiment/common_delay.hpp"

#include <algorithm>
#include <limits>

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// z(k) = -(ŷ(k-2) - 8 ŷ(k-1) + 8 ŷ(k+1) - ŷ(k+2))/12 inside.
VectorXd fine_column(const VectorXd& y) {
  VectorXd column = central_column(y);
  for (Index k = 2; k + 2 < y.size(); ++k) {
    column(k) = (8.0 * (y(k - 1) - y(k + 1)) - y(k - 2) + y(k + 2)) / 12.0;
  }
  return column;
}

// At the ends both slopes are one-sided: these samples count as missing.
LeftByParameters left_inside(ColouredBlocks blocks) {
  for (optimize::ColouredBlock& block : blocks) {
    block.residual.head(2).setConstant(std::numeric_limits<double>::quiet_NaN());
    block.residual.tail(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return LeftByParameters(blocks);
}

// Σ d² over the samples that count.
double power_inside(const VectorXd& d, const VectorXd& residual) {
  double power = 0.0;
  for (Index k = 2; k + 2 < d.size(); ++k) {
    if (residual(k) == residual(k)) power += d(k) * d(k);
  }
  return power;
}

}  // namespace

VectorXd central_column(const VectorXd& predicted) {
  const Index n = predicted.size();
  VectorXd column(n);
  for (Index k = 0; k < n; ++k) {
    const Index next = std::min(k + 1, n - 1), before = std::max<Index>(k - 1, 0);
    column(k) = (predicted(before) - predicted(next)) / static_cast<double>(next - before);
  }
  return column;
}

CommonDelay::CommonDelay(const ColouredBlocks& blocks, const std::vector<VectorXd>& predicted)
    : blocks_(blocks), predicted_(predicted), left_by_parameters_(left_inside(blocks)) {}

bool CommonDelay::taken_up(const std::vector<int>& channels) const {
  Index rows = 0, first = 0;
  for (const VectorXd& y : predicted_) rows += y.size();
  VectorXd slopes = VectorXd::Zero(rows);
  double error = 0.0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const VectorXd& y = predicted_[b];
    if (std::find(channels.begin(), channels.end(), blocks_[b].channel) != channels.end()) {
      slopes.segment(first, y.size()) = fine_column(y);
      error +=
          power_inside(slopes.segment(first, y.size()) - central_column(y), blocks_[b].residual);
    }
    first += y.size();
  }
  return left_by_parameters_(slopes).squaredNorm() <= 0.25 * error;
}

}  // namespace alembert::identify
