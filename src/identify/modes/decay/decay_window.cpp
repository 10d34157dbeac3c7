#include "identify/modes/decay/decay_window.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/signal/spectrum.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLowestPeak = 0.01;  // of the power of the highest one
constexpr double kPeriods = 2.0;      // that the tap itself may take
constexpr double kLeftAmplitude = 0.1;
constexpr Index kFirstLine = 4;  // below, the window spreads what the mean leaves

// Rows until the rms over `window` rows has fallen to a tenth of that of the first ones.
Index rows_until_faded(const MatrixXd& tail, Index window) {
  const VectorXd power = tail.rowwise().squaredNorm();
  const double first = power.head(std::min(window, power.size())).mean();
  for (Index k = 0; k + window <= power.size(); k += window) {
    if (power.segment(k, window).mean() < kLeftAmplitude * kLeftAmplitude * first) return k;
  }
  return power.size();
}

}  // namespace

double lowest_frequency(const MatrixXd& samples, double step, double from_hz) {
  const signal::Spectrum spectrum =
      signal::power_spectral_density(samples, step, {.segment_samples = samples.rows()});
  const VectorXd power = spectrum.values.rowwise().sum();
  const Index lines = power.size();
  if (lines < kFirstLine + 3) return 0.0;
  const double bar = kLowestPeak * power.tail(lines - kFirstLine).maxCoeff();
  for (Index k = kFirstLine; k + 1 < lines; ++k) {
    if (spectrum.frequencies_hz(k) < from_hz || power(k) < bar) continue;
    if (power(k) >= power(k - 1) && power(k) >= power(k + 1)) return spectrum.frequencies_hz(k);
  }
  return 0.0;
}

DecayRows find_decay(const MatrixXd& record, double step, const DecayOptions& options) {
  DecayRows rows;
  record.rowwise().squaredNorm().maxCoeff(&rows.peak);
  const Index left = record.rows() - rows.peak;
  const double lowest =
      lowest_frequency(record.bottomRows(left), step, options.from_hz.value_or(0.0));
  const double pause = options.start.value_or(lowest > 0.0 ? kPeriods / lowest : 0.0);
  rows.first = std::min(record.rows() - 1, rows.peak + static_cast<Index>(std::ceil(pause / step)));
  const Index most = record.rows() - rows.first;
  if (options.length) {
    rows.count = std::min(most, static_cast<Index>(std::floor(*options.length / step)));
    return rows;
  }
  const Index window =
      lowest > 0.0 ? std::max<Index>(8, static_cast<Index>(kPeriods / lowest / step)) : most;
  rows.count = rows_until_faded(record.bottomRows(most), window);
  return rows;
}

}  // namespace alembert::identify::modes
