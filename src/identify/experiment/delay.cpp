#include "alembert/identify/delay.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/optimize/student.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/experiment/noise_options.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kMostDelayColumns = 40;
constexpr Index kFewestForDelay = 8;  // of a prediction that has a slope

// z(k) = -(ŷ(k+1) - ŷ(k-1))/2, one-sided at the ends.
VectorXd delay_column(const VectorXd& predicted) {
  const Index n = predicted.size();
  VectorXd column(n);
  for (Index k = 0; k < n; ++k) {
    const Index next = std::min(k + 1, n - 1), before = std::max<Index>(k - 1, 0);
    column(k) = (predicted(before) - predicted(next)) / static_cast<double>(next - before);
  }
  return column;
}

std::vector<optimize::ColouredBlock> with_delay_columns(
    const std::vector<optimize::ColouredBlock>& blocks, const std::vector<VectorXd>& predicted,
    int channels) {
  std::vector<optimize::ColouredBlock> wider = blocks;
  for (std::size_t i = 0; i < wider.size(); ++i) {
    MatrixXd& J = wider[i].jacobian;
    const Index p = J.cols();
    J.conservativeResize(Eigen::NoChange, p + channels);
    J.rightCols(channels).setZero();
    J.col(p + wider[i].channel) = delay_column(predicted[i]);
  }
  return wider;
}

// The least-squares coefficients of all columns, by QR of columns with norm 1.
VectorXd delay_coefficients(const std::vector<optimize::ColouredBlock>& blocks) {
  Index rows = 0;
  for (const optimize::ColouredBlock& block : blocks) rows += block.residual.size();
  const Index p = blocks.front().jacobian.cols();
  MatrixXd J = MatrixXd::Zero(rows, p);
  VectorXd r = VectorXd::Zero(rows);
  Index first = 0;
  for (const optimize::ColouredBlock& block : blocks) {
    for (Index k = 0; k < block.residual.size(); ++k) {
      if (std::isnan(block.residual(k))) continue;
      J.row(first + k) = block.jacobian.row(k);
      r(first + k) = block.residual(k);
    }
    first += block.residual.size();
  }
  VectorXd size = J.colwise().norm();
  size = (size.array() > 0.0).select(size, 1.0);
  J.array().rowwise() /= size.transpose().array();
  return Eigen::ColPivHouseholderQR<MatrixXd>(J).solve(r).cwiseQuotient(size);
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

}  // namespace

bool DelayEstimate::beyond_chance(double rate) const {
  if (!(deviation > 0.0) || !std::isfinite(deviation) || !(freedom > 0.0)) return false;
  return std::abs(samples) > optimize::student_quantile(1.0 - 0.5 * rate, freedom) * deviation;
}

Delays estimate_delays(const std::vector<optimize::ColouredBlock>& blocks,
                       const std::vector<VectorXd>& predicted, int channels) {
  check::size("estimate_delays", "predicted", static_cast<long long>(predicted.size()),
              static_cast<long long>(blocks.size()));
  if (blocks.empty() || blocks.front().jacobian.cols() > kMostDelayColumns) return {};
  const Index columns = blocks.front().jacobian.cols() + channels;
  Index samples = 0;
  for (const optimize::ColouredBlock& block : blocks) {
    if (block.residual.size() < kFewestForDelay) return {};
    samples += block.residual.size() - block.residual.array().isNaN().count();
  }
  if (samples < 2 * columns) return {};
  auto wider = with_delay_columns(blocks, predicted, channels);
  const VectorXd coefficients = delay_coefficients(wider);
  // The noise is what a fit with the delays leaves.
  for (optimize::ColouredBlock& block : wider) block.residual -= block.jacobian * coefficients;
  const optimize::ColouredCovariance found = optimize::coloured_covariance(wider, noise_options());
  if (found.deviations.size() == 0) return {};
  Delays delays;
  for (Index i = columns - channels; i < columns; ++i) {
    delays.outputs.push_back({.samples = coefficients(i),
                              .deviation = found.deviations(i),
                              .freedom = found.freedom(i)});
  }
  if (!found.ok()) return delays;
  delays.common =
      common_delay(delays.outputs, found.covariance.bottomRightCorner(channels, channels));
  return delays;
}

}  // namespace alembert::identify
