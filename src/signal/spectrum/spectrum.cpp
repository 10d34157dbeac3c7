#include "alembert/signal/spectrum.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"
#include "signal/spectrum/segments.hpp"

namespace alembert::signal {
namespace {

using SampleMatrix = Eigen::Ref<const Eigen::MatrixXd>;

Averaging averaging_of(const std::vector<Eigen::Index>& starts, const Segmentation& cut,
                       double step) {
  Averaging averaging;
  averaging.segments = static_cast<Eigen::Index>(starts.size());
  averaging.resolution_hz = resolution_hz(cut, step);
  const auto count = static_cast<double>(starts.size());
  if (count > 0.0) {
    averaging.effective = count * count / correlation_sum(starts, cut);
  }
  return averaging;
}

// mean |X|² of each channel, with frequencies and averaging.
Spectrum mean_squares(const SampleMatrix& samples, const Segmentation& cut, double step) {
  Spectrum result;
  result.frequencies_hz = rfft_frequencies(cut.length, step);
  result.values = Eigen::MatrixXd::Zero(cut.lines(), samples.cols());
  SegmentTransform transform(cut);
  for (Eigen::Index c = 0; c < samples.cols(); ++c) {
    const std::vector<Eigen::Index> starts = segment_starts(samples.col(c), cut);
    for (const Eigen::Index start : starts) {
      result.values.col(c) += transform(samples.col(c), start).cwiseAbs2().transpose();
    }
    // No segment leaves 0/0, NaN: the channel has no spectrum.
    result.values.col(c) /= static_cast<double>(starts.size());
    result.averaging.push_back(averaging_of(starts, cut, step));
  }
  return result;
}

}  // namespace

Spectrum power_spectral_density(const SampleMatrix& samples, double step,
                                const WelchOptions& options) {
  check_samples("power_spectral_density", samples, step);
  const Segmentation cut = segmentation("power_spectral_density", samples.rows(), options);
  Spectrum result = mean_squares(samples, cut, step);
  // S = c step / Σw² · mean |X|²
  result.values.array().colwise() *= density_scale(cut, step).array();
  return result;
}

Spectrum amplitude_spectrum(const SampleMatrix& samples, double step, const WelchOptions& options) {
  check_samples("amplitude_spectrum", samples, step);
  const Segmentation cut = segmentation("amplitude_spectrum", samples.rows(), options);
  Spectrum result = mean_squares(samples, cut, step);
  // A = c / Σw · √mean |X|²
  result.values = result.values.cwiseSqrt() * (2.0 / cut.window.sum());
  result.values.row(0) *= 0.5;
  if (cut.length % 2 == 0) {
    result.values.row(cut.length / 2) *= 0.5;
  }
  return result;
}

CrossSpectra cross_spectra(const SampleMatrix& samples, double step, const WelchOptions& options) {
  check_samples("cross_spectra", samples, step);
  const Segmentation cut = segmentation("cross_spectra", samples.rows(), options);
  const std::vector<Eigen::Index> starts = segment_starts(samples, cut);
  if (starts.empty()) {
    throw InvalidInput(
        {.function = "cross_spectra",
         .argument = "samples",
         .rule = fmt::format("must have {} in a row without NaN in any channel", cut.length),
         .value = "none"});
  }
  CrossSpectra result;
  result.frequencies_hz = rfft_frequencies(cut.length, step);
  result.averaging = averaging_of(starts, cut, step);
  result.density.assign(static_cast<std::size_t>(cut.lines()),
                        Eigen::MatrixXcd::Zero(samples.cols(), samples.cols()));
  SegmentTransform transform(cut);
  const Eigen::VectorXd scale = density_scale(cut, step) / static_cast<double>(starts.size());
  for (const Eigen::Index start : starts) {
    const Eigen::MatrixXcd& X = transform(samples, start);
    for (Eigen::Index k = 0; k < cut.lines(); ++k) {
      // S(i,j) = c step / Σw² · mean X_i conj X_j
      result.density[static_cast<std::size_t>(k)].noalias() +=
          scale(k) * X.col(k) * X.col(k).adjoint();
    }
  }
  return result;
}

ConfidenceFactors density_confidence(double effective_averages, double probability) {
  check::positive("density_confidence", "effective_averages", effective_averages);
  if (!(probability > 0.0 && probability < 1.0)) {
    throw InvalidInput({.function = "density_confidence",
                        .argument = "probability",
                        .rule = "must be in (0, 1)",
                        .value = fmt::format("{}", probability)});
  }
  const double freedom = 2.0 * effective_averages;
  return {freedom / chi_square_quantile(0.5 * (1.0 + probability), freedom),
          freedom / chi_square_quantile(0.5 * (1.0 - probability), freedom)};
}

}  // namespace alembert::signal
