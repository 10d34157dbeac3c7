#include "alembert/study/data_info.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/signal/spectrum.hpp"
#include "alembert/signal/spikes.hpp"

namespace alembert::study {
namespace {

constexpr Eigen::Index kFewestSamples = 16;
constexpr Eigen::Index kLongestSegment = 16384;
constexpr std::size_t kMostPeaks = 3;
// A peak stands 12 dB above the median line.
constexpr double kPeakOverMedian = 4.0;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The vertex of the parabola through the logarithms of three neighbouring lines.
SpectralPeak refined(const Eigen::VectorXd& frequencies, const Eigen::VectorXd& amplitude,
                     Eigen::Index k) {
  SpectralPeak peak{frequencies(k), amplitude(k)};
  if (amplitude(k - 1) <= 0.0 || amplitude(k + 1) <= 0.0) {
    return peak;
  }
  const double left = std::log(amplitude(k - 1));
  const double middle = std::log(amplitude(k));
  const double right = std::log(amplitude(k + 1));
  const double curvature = left - 2.0 * middle + right;
  if (curvature < 0.0) {
    const double shift = 0.5 * (left - right) / curvature;
    peak.frequency_hz += shift * (frequencies(1) - frequencies(0));
    peak.amplitude = std::exp(middle - 0.25 * (left - right) * shift);
  }
  return peak;
}

std::vector<SpectralPeak> find_peaks(const Eigen::VectorXd& frequencies,
                                     const Eigen::VectorXd& amplitude) {
  const double floor =
      kPeakOverMedian * median(std::vector<double>(amplitude.begin(), amplitude.end()));
  std::vector<SpectralPeak> peaks;
  // Line 1 belongs to the trend, which the window smears over it.
  for (Eigen::Index k = 2; k + 1 < amplitude.size(); ++k) {
    const bool is_top = amplitude(k) > amplitude(k - 1) && amplitude(k) >= amplitude(k + 1);
    if (is_top && amplitude(k) > floor) {
      peaks.push_back(refined(frequencies, amplitude, k));
    }
  }
  std::stable_sort(peaks.begin(), peaks.end(), [](const SpectralPeak& a, const SpectralPeak& b) {
    return a.amplitude > b.amplitude;
  });
  if (peaks.size() > kMostPeaks) {
    peaks.resize(kMostPeaks);
  }
  return peaks;
}

std::vector<double> band_levels(const Eigen::VectorXd& amplitude, int bands) {
  const Eigen::Index lines = amplitude.size() - 1;  // Without line 0, the mean.
  const auto count = std::min<Eigen::Index>(bands, lines);
  std::vector<double> levels;
  for (Eigen::Index b = 0; b < count; ++b) {
    const Eigen::Index begin = 1 + b * lines / count;
    const Eigen::Index end = 1 + (b + 1) * lines / count;
    levels.push_back(amplitude.segment(begin, end - begin).squaredNorm() /
                     static_cast<double>(end - begin));
  }
  const double highest = *std::max_element(levels.begin(), levels.end());
  if (!(highest > 0.0)) {
    return {};
  }
  for (double& level : levels) {
    level = 10.0 * std::log10(level / highest);
  }
  return levels;
}

void add_spectra(const signal::Record& record, double step, int bands, RecordInfo& info) {
  signal::WelchOptions options;
  // A quarter of the record keeps fine lines and still averages several segments.
  options.segment_samples = std::min(kLongestSegment, std::max(kFewestSamples, record.size() / 4));
  for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
    ChannelInfo& channel = info.channels[static_cast<std::size_t>(c)];
    const bool flat = !(channel.figures.largest > channel.figures.smallest);
    if (flat || !std::isfinite(channel.figures.rms)) {
      continue;
    }
    const signal::Spectrum spectrum =
        signal::amplitude_spectrum(record.samples().col(c), step, options);
    const Eigen::VectorXd amplitude = spectrum.values.col(0);
    if (!amplitude.allFinite()) {
      continue;
    }
    channel.peaks = find_peaks(spectrum.frequencies_hz, amplitude);
    channel.bands_db = band_levels(amplitude, bands);
  }
}

}  // namespace

RecordInfo describe(const signal::Record& record, int bands) {
  RecordInfo info;
  info.title = record.title();
  info.samples = record.size();
  info.step = record.time().common_step();
  info.median_step = record.time().median_step();
  info.gaps = record.gaps();
  if (record.size() > 0) {
    info.begin = record.time()[0];
    info.end = record.time()[record.size() - 1];
  }
  const auto figures = signal::column_statistics(record.samples());
  info.channels.reserve(figures.size());
  for (std::size_t c = 0; c < figures.size(); ++c) {
    const auto values = record.samples().col(static_cast<Eigen::Index>(c));
    info.channels.push_back(
        {record.channels()[c],
         figures[c],
         {},
         {},
         signal::spike_words(record.time(), values, signal::find_spikes(values))});
  }
  if (info.step && record.size() >= kFewestSamples) {
    add_spectra(record, *info.step, bands, info);
  }
  return info;
}

}  // namespace alembert::study
