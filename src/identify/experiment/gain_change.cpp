#include "alembert/identify/slips/gain_change.hpp"

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/optimize/student.hpp"
#include "identify/experiment/added_columns.hpp"
#include "identify/experiment/noise_options.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// As other readings of the columns: a sixth of the residual power.
constexpr double kWorthAsking = 1.2;
constexpr double kEps = std::numeric_limits<double>::epsilon();

// g of all samples, block after block.
VectorXd gain_column(const ColouredBlocks& blocks, const std::vector<VectorXd>& predicted,
                     int channel) {
  Index rows = 0, first = 0;
  for (const VectorXd& y : predicted) rows += y.size();
  VectorXd g = VectorXd::Zero(rows);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index count = predicted[b].size(), second = count - count / 2;
    if (blocks[b].channel == channel) {
      g.segment(first + count - second, second) = predicted[b].tail(second);
    }
    first += count;
  }
  return g;
}

VectorXd all_residuals(const ColouredBlocks& blocks) {
  Index rows = 0, first = 0;
  for (const optimize::ColouredBlock& block : blocks) rows += block.residual.size();
  VectorXd r(rows);
  for (const optimize::ColouredBlock& block : blocks) {
    r.segment(first, block.residual.size()) = block.residual;
    first += block.residual.size();
  }
  return r;
}

// The blocks with the column g and these residuals; missing samples stay missing.
ColouredBlocks widened(const ColouredBlocks& blocks, const VectorXd& g, const VectorXd& left) {
  ColouredBlocks wider(blocks.size());
  Index first = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index count = blocks[b].residual.size(), p = blocks[b].jacobian.cols();
    wider[b] = {.jacobian = Eigen::MatrixXd(count, p + 1),
                .residual = blocks[b].residual.array().isNaN().select(blocks[b].residual,
                                                                      left.segment(first, count)),
                .channel = blocks[b].channel,
                .experiment = blocks[b].experiment};
    wider[b].jacobian.leftCols(p) = blocks[b].jacobian;
    wider[b].jacobian.col(p) = g.segment(first, count);
    first += count;
  }
  return wider;
}

// Σ r² of a channel.
double channel_power(const ColouredBlocks& blocks, const VectorXd& r, int channel) {
  double power = 0.0;
  Index first = 0;
  for (const optimize::ColouredBlock& block : blocks) {
    const Index count = block.residual.size();
    if (block.channel == channel) power += r.segment(first, count).squaredNorm();
    first += count;
  }
  return power;
}

GainChange gain_change(const ColouredBlocks& blocks, const LeftByParameters& left_by_parameters,
                       const VectorXd& r, const VectorXd& g, int channel) {
  const VectorXd own = left_by_parameters(g);
  // The parameters explain g but for rounding: γ cannot be told.
  if (!(own.norm() > static_cast<double>(g.size()) * kEps * g.norm())) return {};
  // γ = gᵀ(I - QQᵀ) r / |(I - QQᵀ) g|²
  const VectorXd free = left_by_parameters(r);
  const double part = own.dot(free) / own.squaredNorm();
  const VectorXd left = free - part * own;
  GainChange change{.part = part,
                    .gain = residual_power(blocks, channel) / channel_power(blocks, left, channel)};
  if (!std::isfinite(change.part) || !(change.gain >= kWorthAsking)) return change;
  const auto noise = optimize::coloured_covariance(widened(blocks, g, left), noise_options());
  if (noise.deviations.size() == 0) return change;
  change.deviation = noise.deviations(noise.deviations.size() - 1);
  change.freedom = noise.freedom(noise.freedom.size() - 1);
  return change;
}

}  // namespace

bool GainChange::beyond_chance(double rate) const {
  if (!(deviation > 0.0) || !std::isfinite(deviation) || !(freedom > 0.0)) return false;
  return std::abs(part) > optimize::student_quantile(1.0 - 0.5 * rate, freedom) * deviation;
}

std::vector<GainChange> estimate_gain_changes(const std::vector<optimize::ColouredBlock>& blocks,
                                              const std::vector<VectorXd>& predicted,
                                              int channels) {
  check::size("estimate_gain_changes", "predicted", static_cast<long long>(predicted.size()),
              static_cast<long long>(blocks.size()));
  if (!columns_can_be_added(blocks, 1)) return {};
  const LeftByParameters left_by_parameters(blocks);
  const VectorXd r = all_residuals(blocks);
  std::vector<GainChange> changes;
  for (int i = 0; i < channels; ++i) {
    const VectorXd g = gain_column(blocks, predicted, i);
    changes.push_back(gain_change(blocks, left_by_parameters, r, g, i));
  }
  return changes;
}

}  // namespace alembert::identify
