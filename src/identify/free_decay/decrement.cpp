#include <cmath>
#include <numbers>

#include "alembert/identify/free_decay.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A = W |x|: the weights (1, 2, 1)/4 of three extrema in turn, offsets and lines cancel.
MatrixXd amplitude_weights(Index extrema) {
  MatrixXd W = MatrixXd::Zero(extrema - 2, extrema);
  for (Index k = 0; k + 2 < extrema; ++k) {
    const double sign = k % 2 == 0 ? 1.0 : -1.0;
    W(k, k) = -0.25 * sign;
    W(k, k + 1) = 0.5 * sign;
    W(k, k + 2) = -0.25 * sign;
  }
  return W;
}

// Weighted line or parabola through ln A(k), its covariance from that of ln A.
struct LogFit {
  VectorXd coefficients;
  MatrixXd covariance;
};

LogFit fit_logarithms(const VectorXd& logs, const VectorXd& weights, const MatrixXd& covariance,
                      Index terms) {
  MatrixXd basis(logs.size(), terms);
  const double middle = 0.5 * static_cast<double>(logs.size() - 1);
  for (Index k = 0; k < logs.size(); ++k) {
    for (Index i = 0; i < terms; ++i) {
      basis(k, i) = i == 0 ? 1.0 : basis(k, i - 1) * (static_cast<double>(k) - middle);
    }
  }
  const MatrixXd weighted = weights.asDiagonal() * basis;
  const MatrixXd rows = weighted.transpose();
  const MatrixXd gain = dense::solve(dense::times(rows, basis), rows);
  return {gain * logs, gain * covariance * gain.transpose()};
}

CycleDamping one_cycle(const LogDecrement& result, const MatrixXd& covariance, Index k) {
  const auto a = static_cast<std::size_t>(k);
  const std::size_t b = a + 2;
  CycleDamping cycle;
  cycle.time = 0.5 * (result.times[a] + result.times[b]);
  cycle.amplitude = std::sqrt(result.amplitudes[a] * result.amplitudes[b]);
  cycle.decrement = std::log(result.amplitudes[a] / result.amplitudes[b]);
  cycle.decrement_deviation =
      std::sqrt(covariance(k, k) + covariance(k + 2, k + 2) - 2.0 * covariance(k, k + 2));
  return cycle;
}

// ζ = δ/√(4π² + δ²),  dζ/dδ = 4π²/(4π² + δ²)^(3/2)
double ratio_of(double decrement) {
  return decrement / std::hypot(2.0 * std::numbers::pi, decrement);
}
double ratio_slope(double decrement) {
  const double root = std::hypot(2.0 * std::numbers::pi, decrement);
  return 4.0 * std::numbers::pi * std::numbers::pi / (root * root * root);
}

}  // namespace

LogDecrement logarithmic_decrement(const Cycles& cycles) {
  LogDecrement result;
  const auto n = static_cast<Index>(cycles.extrema.size());
  const auto fail = [&](const char* why) {
    result.status = Status::NotIdentifiable;
    result.message = why;
    return result;
  };
  if (n < 5) return fail("the logarithmic decrement needs at least 5 extrema (2.5 cycles)");
  VectorXd values(n), variances(n);
  for (Index k = 0; k < n; ++k) {
    const Extremum& one = cycles.extrema[static_cast<std::size_t>(k)];
    values(k) = one.value;
    variances(k) = one.deviation * one.deviation;
  }
  MatrixXd W = amplitude_weights(n);
  if ((W * values)(0) < 0.0) W = -W;
  const VectorXd amplitudes = W * values;
  if (amplitudes.minCoeff() <= 0.0) return fail("the extrema do not alternate");
  const VectorXd inverse = amplitudes.cwiseInverse();
  // cov(ln A) = diag(1/A) W diag(σ²) Wᵀ diag(1/A)
  const MatrixXd covariance = dense::scaled(dense::sandwich(W, variances, W), inverse);
  const VectorXd logs = amplitudes.array().log().matrix();
  const VectorXd weights = amplitudes.cwiseAbs2();
  for (Index k = 0; k < amplitudes.size(); ++k) {
    result.times.push_back(cycles.extrema[static_cast<std::size_t>(k + 1)].time);
    result.amplitudes.push_back(amplitudes(k));
  }
  for (Index k = 0; k + 2 < amplitudes.size(); ++k) {
    CycleDamping cycle = one_cycle(result, covariance, k);
    cycle.ratio = ratio_of(cycle.decrement);
    cycle.ratio_deviation = ratio_slope(cycle.decrement) * cycle.decrement_deviation;
    result.course.push_back(cycle);
  }
  const LogFit line = fit_logarithms(logs, weights, covariance, 2);
  result.decrement = -2.0 * line.coefficients(1);
  result.decrement_deviation = 2.0 * std::sqrt(line.covariance(1, 1));
  result.ratio = ratio_of(result.decrement);
  result.ratio_deviation = ratio_slope(result.decrement) * result.decrement_deviation;
  result.rate = 2.0 * result.decrement / cycles.period;
  result.rate_deviation = 2.0 * result.decrement_deviation / cycles.period;
  if (logs.size() >= 5) {
    const LogFit bent = fit_logarithms(logs, weights, covariance, 3);
    result.bend = bent.coefficients(2) / std::sqrt(bent.covariance(2, 2));
  }
  return result;
}

}  // namespace alembert::identify
