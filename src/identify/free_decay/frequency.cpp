#include "identify/free_decay/frequency.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "alembert/signal/detrend.hpp"
#include "alembert/signal/fft.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kFewestCyclesForSpectrum = 3.0;  // cycles; below, a trend and a cycle look alike

// Means of blocks of samples, so that a search over frequencies costs the same for any record.
VectorXd block_means(const Eigen::Ref<const VectorXd>& values, Index most) {
  const Index block = (values.size() + most - 1) / most;
  VectorXd means(values.size() / block);
  for (Index i = 0; i < means.size(); ++i) means(i) = values.segment(i * block, block).mean();
  return means;
}

// Cycles of the largest line of a record with a Hann window, the parabola of the trend taken off.
double cycles_by_spectrum(const Eigen::Ref<const VectorXd>& values) {
  const Index n = values.size();
  Index padded = 8;
  while (padded < 4 * n) padded *= 2;
  VectorXd windowed = VectorXd::Zero(padded);
  windowed.head(n) = signal::detrended(values, 2);
  for (Index k = 0; k < n; ++k) {
    const double angle =
        2.0 * std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(n);
    windowed(k) *= 0.5 - 0.5 * std::cos(angle);
  }
  const Eigen::VectorXcd lines = signal::rfft(windowed);
  Index largest = 1;
  for (Index k = 2; k < lines.size(); ++k) {
    if (std::norm(lines(k)) > std::norm(lines(largest))) largest = k;
  }
  return static_cast<double>(largest) * static_cast<double>(n) / static_cast<double>(padded);
}

// The number of cycles whose sine leaves least.
double cycles_by_search(const Eigen::Ref<const VectorXd>& values) {
  const VectorXd means = block_means(values, 400);
  double best = 0.0;
  double least = std::numeric_limits<double>::infinity();
  const double most = std::min(6.0, 0.4 * static_cast<double>(means.size()));
  for (double cycles = 0.2; cycles <= most; cycles += 0.02) {
    double left = 0.0;
    (void)fitted_sine(means, cycles, left);
    if (left >= least) continue;
    least = left;
    best = cycles;
  }
  return best;
}

}  // namespace

CoarseOscillation fitted_sine(const Eigen::Ref<const VectorXd>& values, double cycles,
                              double& left) {
  const Index n = values.size();
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(3, 3);
  VectorXd right = VectorXd::Zero(3);
  const double mean = values.mean();
  const double rate = 2.0 * std::numbers::pi * cycles / static_cast<double>(n);
  double total = 0.0;
  for (Index k = 0; k < n; ++k) {
    const double angle = rate * static_cast<double>(k);
    const double row[3] = {1.0, std::cos(angle), std::sin(angle)};
    const double y = values(k) - mean;
    total += y * y;
    for (Index i = 0; i < 3; ++i) {
      right(i) += row[i] * y;
      for (Index j = 0; j < 3; ++j) normal(i, j) += row[i] * row[j];
    }
  }
  const VectorXd fit = dense::least_squares(normal, right);
  left = total > 0.0 ? 1.0 - fit.dot(right) / total : 0.0;
  return {cycles, std::hypot(fit(1), fit(2)), mean + fit(0)};
}

CoarseOscillation coarse_oscillation(const Eigen::Ref<const VectorXd>& values) {
  double cycles = cycles_by_spectrum(values);
  if (cycles < kFewestCyclesForSpectrum) cycles = cycles_by_search(values);
  double left = 0.0;
  return fitted_sine(values, cycles, left);
}

}  // namespace alembert::identify
