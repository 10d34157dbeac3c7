#include "identify/modes/choice/line_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXd;

constexpr Index kSmoothedLines = 81;
constexpr double kFirstRelative = 0.05;
constexpr double kLeastRelative = 1e-6;
constexpr double kLargestRelative = 0.3;  // above, all of a response would be noise
constexpr double kLeastAdditive = 1e-12;  // of the rms response: rounding
constexpr int kAlternations = 4;

// H of equal noise in all outputs.
MatrixXcd output_scaled(const FrfData& data) {
  MatrixXcd values = data.values;
  for (Index c = 0; data.output_deviation.size() > 0 && c < values.cols(); ++c) {
    values.col(c) /= data.output_deviation(c % data.outputs);
  }
  return values;
}

// The mean over entries of half of |value|²: the variance of a real part.
VectorXd line_power(const MatrixXcd& values) {
  return values.rowwise().squaredNorm() / (2.0 * static_cast<double>(values.cols()));
}

// exp of the running mean of log power, over the lines that are there. The mean of log(χ² with n
// degrees of freedom/n) is ψ(n/2) - log(n/2), about -1/n - 1/(3 n²).
VectorXd smoothed_power(const VectorXd& power, double freedom) {
  const double bias = -1.0 / freedom - 1.0 / (3.0 * freedom * freedom);
  const VectorXd logarithm = power.array().max(1e-300).log();
  const Index half = std::min<Index>(kSmoothedLines, power.size()) / 2;
  VectorXd level(power.size());
  for (Index k = 0; k < power.size(); ++k) {
    const Index first = std::max<Index>(0, k - half);
    const Index last = std::min<Index>(power.size() - 1, k + half);
    level(k) = std::exp(logarithm.segment(first, last - first + 1).mean() - bias);
  }
  return level;
}

// The b² of largest likelihood for given a²: least Σ log σ² + p/σ², over steps of a fifth.
double likely_relative(const VectorXd& power, const VectorXd& additive, const VectorXd& size) {
  double best = 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (double b = kLeastRelative; b < kLargestRelative; b *= 1.2) {
    const VectorXd variance = additive + b * b * size;
    const double cost = (variance.array().log() + power.array() / variance.array()).sum();
    if (cost >= least) continue;
    least = cost;
    best = b;
  }
  return best * best;
}

LineNoise with_relative(const VectorXd& additive, double square, const VectorXd& size) {
  return {.deviation = (additive + square * size).cwiseSqrt(), .relative = std::sqrt(square)};
}

}  // namespace

LineNoise first_line_noise(const FrfData& data) {
  const MatrixXcd values = output_scaled(data);
  const Index n = values.rows();
  const VectorXd size = line_power(values);
  VectorXd power(n);
  // The variance of x(k-1) - 2 x(k) + x(k+1) is 6 σ².
  power.segment(1, n - 2) = line_power(values.topRows(n - 2) - 2.0 * values.middleRows(1, n - 2) +
                                       values.bottomRows(n - 2)) /
                            6.0;
  power(0) = power(1);
  power(n - 1) = power(n - 2);
  const double rounding = kLeastAdditive * kLeastAdditive * size.mean();
  const VectorXd additive =
      smoothed_power(power, 2.0 * static_cast<double>(values.cols())).cwiseMax(rounding);
  return with_relative(additive, kFirstRelative * kFirstRelative, size);
}

LineNoise line_noise(const FrfData& data, const ModalFit& fit) {
  const VectorXd size = line_power(output_scaled(data));
  const double freedom = 2.0 * static_cast<double>(data.values.cols());
  const VectorXd power = line_power(fit.residual).cwiseProduct(data.line_deviation.cwiseAbs2());
  const double rounding = kLeastAdditive * kLeastAdditive * size.mean() + 1e-300;
  VectorXd additive = smoothed_power(power, freedom).cwiseMax(rounding);
  double square = 0.0;
  for (int k = 0; k < kAlternations; ++k) {
    square = likely_relative(power, additive, size);
    // What b h explains of a line is no part of a.
    const VectorXd share = additive.cwiseQuotient(additive + square * size);
    additive = smoothed_power(power.cwiseProduct(share), freedom).cwiseMax(rounding);
  }
  return with_relative(additive, square, size);
}

}  // namespace alembert::identify::modes
