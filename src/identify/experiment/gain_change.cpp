#include "alembert/identify/slips/gain_change.hpp"

#include <cmath>

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

ColouredBlocks with_gain_column(const ColouredBlocks& blocks,
                                const std::vector<VectorXd>& predicted, int channel) {
  ColouredBlocks wider = blocks;
  for (std::size_t b = 0; b < wider.size(); ++b) {
    Eigen::MatrixXd& J = wider[b].jacobian;
    const Index p = J.cols(), second = J.rows() - J.rows() / 2;
    J.conservativeResize(Eigen::NoChange, p + 1);
    J.col(p).setZero();
    if (wider[b].channel == channel) J.col(p).tail(second) = predicted[b].tail(second);
  }
  return wider;
}

GainChange gain_change(const ColouredBlocks& blocks, const std::vector<VectorXd>& predicted,
                       int channel) {
  const ColouredBlocks wider = with_gain_column(blocks, predicted, channel);
  const VectorXd found = least_squares_of(wider);
  const ColouredBlocks left = left_by(wider, found);
  const Index last = found.size() - 1;
  GainChange change{.part = found(last),
                    .gain = residual_power(blocks, channel) / residual_power(left, channel)};
  if (!std::isfinite(change.part) || !(change.gain >= kWorthAsking)) return change;
  const auto noise = optimize::coloured_covariance(left, noise_options());
  if (noise.deviations.size() == 0) return change;
  change.deviation = noise.deviations(last);
  change.freedom = noise.freedom(last);
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
  std::vector<GainChange> changes;
  for (int i = 0; i < channels; ++i) changes.push_back(gain_change(blocks, predicted, i));
  return changes;
}

}  // namespace alembert::identify
