#pragma once

#include <Eigen/Core>
#include <optional>

#include "alembert/signal/spectrum.hpp"

/// Signal-to-noise ratio SNR = 10 log10(mean(x²) / σ²) in dB of a record y = x + e: mean square of
/// the signal x, its mean included, over the variance σ² of the noise e. NaN samples are missing.
namespace alembert::signal {

/// SNR against the known truth: σ² = mean((y - x)²), both means over the samples of y that are
/// there. +infinity without any difference, -infinity for a truth of zeros.
/// @param turn of a reading that starts again: y - x is taken to the nearest turn.
/// @throws InvalidInput if sizes differ, the truth is not finite, no sample is there, or turn <= 0.
[[nodiscard]] double snr_db(const Eigen::Ref<const Eigen::VectorXd>& measured,
                            const Eigen::Ref<const Eigen::VectorXd>& truth,
                            const std::optional<double>& turn = {});

/// Noise found in a record without knowing the truth.
struct NoiseEstimate {
  double sigma = 0.0;       ///< standard deviation of the noise
  double signal_rms = 0.0;  ///< √(mean(y²) - σ²); 0 where the noise explains everything
  double snr_db = 0.0;      ///< 20 log10(signal_rms / sigma)
};

/// Noise from differences of neighbouring samples, for records sampled much faster than the
/// signal moves.
///
///   σ² = min over d of  mean((Δᵈy)²) / C(2d, d),   d = 1 .. max_order
///
/// Assumes white noise and an even step. For white noise Δᵈe has the variance C(2d, d) σ²; a
/// signal of frequency f adds (2 sin πf step)^(2d)/C(2d, d) ≈ √(πd) (sin πf step)^(2d) of its
/// power, which falls with d. Every order overestimates, hence the smallest. Coloured noise
/// (anti-alias filters, resampling) is underestimated, and so is noise below a quantisation step.
/// An order is used if 10 d differences without NaN exist, the first always.
/// @throws InvalidInput unless 1 <= max_order <= 20, no value is infinite and two neighbours are
///   there.
[[nodiscard]] NoiseEstimate noise_by_differences(const Eigen::Ref<const Eigen::VectorXd>& values,
                                                 int max_order = 8);

/// Noise from the mean spectral density S above a frequency: σ² = mean(S) / (2 step).
///
/// Assumes that the signal has no power above from_hz and that the noise is white. Prefer this
/// where the band of the signal is known.
/// @param from_hz below 1/(2 step), so that at least one line lies above it.
/// @throws InvalidInput as power_spectral_density(), and if no line is left.
[[nodiscard]] NoiseEstimate noise_above_frequency(const Eigen::Ref<const Eigen::VectorXd>& values,
                                                  double step, double from_hz,
                                                  const WelchOptions& options = {});

/// Noise of a periodic record from the scatter of its periods about their mean.
///
///   σ² = Σ (y(k) - ȳ(k mod P))² / Σ_phases (count - 1),   mean(x²) = mean(ȳ² - σ²/count)
///
/// Assumes that the response has settled and that the period is a whole number of samples. The
/// noise may have any colour; what repeats with the period (hum at its multiples, distortion)
/// counts as signal.
/// @param period_samples P >= 1; some phase must have two samples.
/// @throws InvalidInput otherwise, or if a value is infinite.
[[nodiscard]] NoiseEstimate noise_by_periods(const Eigen::Ref<const Eigen::VectorXd>& values,
                                             Eigen::Index period_samples);

}  // namespace alembert::signal
