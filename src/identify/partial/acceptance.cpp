#include "identify/partial/acceptance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/signal/fft.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kFewestLines = 20;
constexpr double kAboveBand = 1.5;
constexpr double kLeastFreedom = 0.15;

// Sums of one output over the experiments.
struct LineSums {
  double inside = 0.0, outside = 0.0;
  Index lines_inside = 0, lines_outside = 0;
};

void add_lines(const VectorXd& residual, double step, double highest, LineSums& sums) {
  const VectorXd clean = residual.array().isNaN().select(0.0, residual);
  const Index samples = clean.size();
  const VectorXd power = signal::rfft(clean).cwiseAbs2() / static_cast<double>(samples);
  const double line = 2.0 * std::numbers::pi / (static_cast<double>(samples) * step);
  // Line 0 and, for even N, the last one are real: half the freedom, left out.
  for (Index k = 1; 2 * k < samples; ++k) {
    const double omega = static_cast<double>(k) * line;
    if (omega <= highest) {
      sums.inside += power(k);
      ++sums.lines_inside;
    } else if (omega > kAboveBand * highest) {
      sums.outside += power(k);
      ++sums.lines_outside;
    }
  }
}

}  // namespace

BandTest band_test(const std::vector<Eigen::MatrixXd>& residuals, double step, double highest,
                   Index unknowns) {
  double ratio = 0.0;
  double freedom = 0.0;
  double freedom_outside = 0.0;
  BandTest test;
  test.possible = true;
  for (Index i = 0; i < residuals.front().cols(); ++i) {
    LineSums sums;
    for (const Eigen::MatrixXd& residual : residuals) {
      add_lines(residual.col(i), step, highest, sums);
    }
    test.possible = test.possible && sums.lines_outside >= kFewestLines && sums.outside > 0.0;
    ratio += sums.inside * static_cast<double>(sums.lines_outside) / sums.outside;
    freedom += 2.0 * static_cast<double>(sums.lines_inside);
    freedom_outside += 2.0 * static_cast<double>(sums.lines_outside);
  }
  const double left = std::max(kLeastFreedom * freedom, freedom - static_cast<double>(unknowns));
  test.ratio = 2.0 * ratio / left;
  test.limit = 1.0 + 3.0 * std::sqrt(2.0 / left + 2.0 / freedom_outside);
  return test;
}

}  // namespace alembert::identify
