#include "identify/diagnosis/spectral_peaks.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/signal/detrend.hpp"
#include "alembert/signal/fft.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Half the width of the main lobe of a Blackman-Harris window, in lines of the record.
constexpr double kMainLobe = 4.0;
constexpr Index kPadding = 4;

struct Amplitudes {
  VectorXd lines;               // of a sine with that line
  double line_of_record = 1.0;  // lines of the padded transform per line of the record
};

Amplitudes windowed_amplitudes(const Eigen::Ref<const VectorXd>& values) {
  const Index n = values.size();
  Index padded = 8;
  while (padded < kPadding * n) padded *= 2;
  VectorXd windowed = VectorXd::Zero(padded);
  windowed.head(n) = signal::detrended(values, 2);
  double sum = 0.0;
  for (Index k = 0; k < n; ++k) {
    const double a =
        2.0 * std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(n);
    // Four-term Blackman-Harris window: side lobes below -92 dB.
    const double w =
        0.35875 - 0.48829 * std::cos(a) + 0.14128 * std::cos(2.0 * a) - 0.01168 * std::cos(3.0 * a);
    windowed(k) *= w;
    sum += w;
  }
  const Eigen::VectorXcd spectrum = signal::rfft(windowed);
  Amplitudes result;
  result.lines.resize(spectrum.size());
  for (Index k = 0; k < spectrum.size(); ++k) result.lines(k) = 2.0 * std::abs(spectrum(k)) / sum;
  result.line_of_record = static_cast<double>(padded) / static_cast<double>(n);
  return result;
}

double median_of(const VectorXd& values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

// Largest within a main lobe on both sides.
bool is_peak(const VectorXd& lines, Index k, Index reach) {
  const Index from = std::max(k - reach, Index{0});
  const Index to = std::min(k + reach, lines.size() - 1);
  for (Index j = from; j <= to; ++j) {
    if (lines(j) > lines(k)) return false;
  }
  return true;
}

}  // namespace

std::vector<SpectralPeak> spectral_peaks(const Eigen::Ref<const VectorXd>& values, double step,
                                         double share) {
  check::at_least("spectral_peaks", "size of values", values.size(), 8);
  check::all_finite("spectral_peaks", "values", values);
  check::positive("spectral_peaks", "step", step);
  const Amplitudes found = windowed_amplitudes(values);
  const VectorXd& lines = found.lines;
  const auto reach = static_cast<Index>(kMainLobe * found.line_of_record);
  const double least = std::max(share * lines.maxCoeff(), 5.0 * median_of(lines));
  const auto padded = 2.0 * static_cast<double>(lines.size() - 1);
  std::vector<SpectralPeak> peaks;
  // Below 1.5 cycles in the record a line is a trend.
  const auto first = static_cast<Index>(1.5 * found.line_of_record);
  for (Index k = first; k < lines.size(); ++k) {
    if (lines(k) < least || !is_peak(lines, k, reach)) continue;
    peaks.push_back({static_cast<double>(k) / (padded * step), lines(k)});
  }
  std::sort(peaks.begin(), peaks.end(),
            [](const SpectralPeak& a, const SpectralPeak& b) { return a.amplitude > b.amplitude; });
  return peaks;
}

}  // namespace alembert::identify
