#include "identify/modes/records/band_rows.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kLinesOfLevel = 81;

// The mean of log(χ² with n degrees of freedom/n) is ψ(n/2) - log(n/2), about -1/n - 1/(3 n²).
double mean_logarithm(double freedom) { return -1.0 / freedom - 1.0 / (3.0 * freedom * freedom); }

}  // namespace

Index smooth_length(Index samples) {
  for (Index n = samples; n > 1; --n) {
    Index rest = n;
    for (const Index prime : {2, 3, 5, 7}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return n;
  }
  return samples;
}

BandRows::BandRows(const std::vector<Index>& samples, double step, double from_hz, double to_hz) {
  for (const Index n : samples) {
    const double line = 1.0 / (static_cast<double>(n) * step);
    const auto first = std::max<Index>(1, static_cast<Index>(std::ceil(from_hz / line)));
    const Index below_nyquist = (n - 1) / 2;
    const auto last =
        static_cast<Index>(std::min(std::floor(to_hz / line), static_cast<double>(below_nyquist)));
    parts_.push_back({.samples = n, .first = first, .lines = std::max<Index>(0, last - first + 1)});
    rows_ += 2 * parts_.back().lines;
  }
}

MatrixXd BandRows::of(const MatrixXd& samples) const {
  MatrixXd all(rows_, samples.cols());
  Index from = 0;
  Index row = 0;
  for (const Part& part : parts_) {
    signal::FftPlan plan(part.samples);
    const double scale = std::sqrt(2.0 / static_cast<double>(part.samples));
    for (Index c = 0; c < samples.cols(); ++c) {
      const Eigen::VectorXcd X = plan.forward_real(samples.col(c).segment(from, part.samples));
      all.col(c).segment(row, part.lines) = scale * X.segment(part.first, part.lines).real();
      all.col(c).segment(row + part.lines, part.lines) =
          scale * X.segment(part.first, part.lines).imag();
    }
    from += part.samples;
    row += 2 * part.lines;
  }
  return all;
}

VectorXd BandRows::smoothed_level(const MatrixXd& residual) const {
  VectorXd level(rows_);
  const double freedom = 2.0 * static_cast<double>(residual.cols());
  Index row = 0;
  for (const Part& part : parts_) {
    const VectorXd power =
        (residual.middleRows(row, part.lines).rowwise().squaredNorm() +
         residual.middleRows(row + part.lines, part.lines).rowwise().squaredNorm()) /
        freedom;
    const VectorXd logarithm = power.array().max(1e-300).log();
    for (Index k = 0; k < part.lines; ++k) {
      const Index first = std::max<Index>(0, k - kLinesOfLevel / 2);
      const Index last = std::min<Index>(part.lines - 1, k + kLinesOfLevel / 2);
      const double mean = logarithm.segment(first, last - first + 1).mean();
      level(row + k) = level(row + part.lines + k) = std::exp(mean - mean_logarithm(freedom));
    }
    row += 2 * part.lines;
  }
  return level;
}

}  // namespace alembert::identify::modes
