#include "alembert/identify/delay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/optimize/student.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/experiment/added_columns.hpp"
#include "identify/experiment/common_delay.hpp"
#include "identify/experiment/delay_columns.hpp"
#include "identify/experiment/noise_options.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUntold = std::numeric_limits<double>::infinity();
constexpr int kMostPasses = 5;
constexpr double kDelaySettled = 0.02;   // samples
constexpr double kWorthAPass = 0.5;      // below half a sample z is right to a few per cent
constexpr double kDelayByChance = 1e-3;  // of delays that are fitted again

// Delays of some channels, the others taken for right in time.
struct DelayTrial {
  std::vector<int> channels;
  VectorXd samples;                         // τ of each
  optimize::ColouredCovariance found = {};  // its last columns are those of the delays

  [[nodiscard]] Index size() const { return static_cast<Index>(channels.size()); }
  [[nodiscard]] DelayEstimate at(Index i) const {
    const Index column = found.deviations.size() - size() + i;
    return {.samples = samples(i),
            .deviation = found.deviations(column),
            .freedom = found.freedom(column)};
  }
};

// The coefficients of the delays after slow noise was filtered out, and the covariance of all.
DelayTrial delay_trial(const DelayColumns& columns) {
  ColouredBlocks rest = columns.blocks();
  VectorXd coefficients = take_off_least_squares(rest);
  const VectorXd rho = lag_correlations(rest, columns.channel_count());
  if ((rho.array() != 0.0).any()) {
    prewhiten(rest, rho);
    coefficients += take_off_least_squares(rest);
  }
  const Index m = columns.size();
  DelayTrial trial{.channels = columns.channels(), .samples = coefficients.tail(m)};
  // The noise is what a fit with the delays leaves.
  trial.found = optimize::coloured_covariance(rest, noise_options());
  return trial;
}

// z is right for small delays. Larger ones: again around ŷ and J that are as late, as long as the
// steps become smaller.
void settle_delays(DelayColumns& columns, DelayTrial& trial) {
  VectorXd total = VectorXd::Zero(trial.size());
  for (Index i = 0; i < trial.size(); ++i) {
    const DelayEstimate one = trial.at(i);
    if (std::abs(one.samples) > kWorthAPass && one.beyond_chance(kDelayByChance)) {
      total(i) = one.samples;
    }
  }
  double last = total.cwiseAbs().maxCoeff();
  for (int pass = 0; pass < kMostPasses && last > kDelaySettled; ++pass) {
    columns.shift(total);
    const DelayTrial next = delay_trial(columns);
    if (next.found.deviations.size() == 0 || !next.samples.allFinite()) return;
    const VectorXd change = (total.array() != 0.0).select(next.samples, 0.0);
    const double step = change.cwiseAbs().maxCoeff();
    if (!(step < last)) return;
    last = step;
    trial = next;
    trial.samples += total;
    total += change;
  }
}

DelayTrial try_delays(DelayColumns columns) {
  DelayTrial trial = delay_trial(columns);
  if (trial.found.deviations.size() > 0) settle_delays(columns, trial);
  return trial;
}

// Of τ ~ N(common, V): (1ᵀV⁻¹τ)/(1ᵀV⁻¹1) with variance 1/(1ᵀV⁻¹1).
DelayEstimate common_delay(const std::vector<DelayEstimate>& outputs, const MatrixXd& V) {
  const auto m = static_cast<Index>(outputs.size());
  VectorXd tau(m);
  double freedom = outputs.front().freedom;
  for (Index i = 0; i < m; ++i) {
    tau(i) = outputs[static_cast<std::size_t>(i)].samples;
    freedom = std::min(freedom, outputs[static_cast<std::size_t>(i)].freedom);
  }
  const Eigen::LDLT<MatrixXd> factor(V);
  const VectorXd weights = factor.solve(VectorXd::Ones(m));
  const double information = weights.sum();
  if (factor.info() != Eigen::Success || !(information > 0.0)) return {};
  return {.samples = weights.dot(tau) / information,
          .deviation = 1.0 / std::sqrt(information),
          .freedom = freedom};
}

// Whether a delay differs from that of the first output beyond chance: τ_i - τ_0 with the variance
// V_ii + V_00 - 2 V_0i.
bool delays_differ(const std::vector<DelayEstimate>& outputs, const MatrixXd& V) {
  const DelayEstimate& first = outputs.front();
  for (std::size_t i = 1; i < outputs.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double variance = V(k, k) + V(0, 0) - 2.0 * V(0, k);
    const DelayEstimate difference{.samples = outputs[i].samples - first.samples,
                                   .deviation = std::sqrt(std::max(variance, 0.0)),
                                   .freedom = std::min(outputs[i].freedom, first.freedom)};
    if (difference.beyond_chance(kDelayByChance)) return true;
  }
  return false;
}

bool none_beyond_chance(const std::vector<DelayEstimate>& outputs) {
  return std::none_of(outputs.begin(), outputs.end(),
                      [](const DelayEstimate& one) { return one.beyond_chance(kDelayByChance); });
}

// Outputs whose common delay the parameters take up still have delays against the first one.
Delays relative_delays(const DelayColumns& columns) {
  const int count = columns.channel_count();
  const DelayEstimate untold{.samples = 0.0, .deviation = kUntold, .freedom = 0.0};
  Delays delays;
  delays.outputs.assign(static_cast<std::size_t>(count), untold);
  if (count < 2) return delays;
  std::vector<int> others;
  for (int i = 1; i < count; ++i) others.push_back(i);
  const DelayTrial trial = try_delays(columns.of(others));
  if (trial.found.deviations.size() == 0) return delays;
  delays.reference = 0;
  delays.relative = others;
  for (const int i : others) delays.outputs[static_cast<std::size_t>(i)] = trial.at(i - 1);
  return delays;
}

}  // namespace

bool DelayEstimate::beyond_chance(double rate) const {
  if (!(deviation > 0.0) || !std::isfinite(deviation) || !(freedom > 0.0)) return false;
  return std::abs(samples) > optimize::student_quantile(1.0 - 0.5 * rate, freedom) * deviation;
}

Delays estimate_delays(const std::vector<optimize::ColouredBlock>& blocks,
                       const std::vector<VectorXd>& predicted, int channels) {
  check::size("estimate_delays", "predicted", static_cast<long long>(predicted.size()),
              static_cast<long long>(blocks.size()));
  if (!columns_can_be_added(blocks, channels)) return {};
  std::vector<int> all(static_cast<std::size_t>(channels));
  for (int i = 0; i < channels; ++i) all[static_cast<std::size_t>(i)] = i;
  const DelayColumns columns(blocks, predicted, channels, all);
  const CommonDelay common(blocks, predicted);
  if (common.taken_up(all)) return relative_delays(columns);
  const DelayTrial trial = try_delays(columns);
  if (trial.found.deviations.size() == 0) return {};
  Delays delays;
  for (int i = 0; i < channels; ++i) {
    delays.outputs.push_back(trial.at(i));
    if (common.taken_up({i})) delays.outputs.back().deviation = kUntold;
  }
  if (!trial.found.ok()) return delays;
  const MatrixXd V = trial.found.covariance.bottomRightCorner(channels, channels);
  if (!delays_differ(delays.outputs, V)) {
    delays.common = common_delay(delays.outputs, V);
  } else if (none_beyond_chance(delays.outputs)) {
    return relative_delays(columns);
  }
  return delays;
}

}  // namespace alembert::identify
