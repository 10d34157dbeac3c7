#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/signal/window.hpp"

/// Spectra of records by averaging over segments [Welch1967].
///
/// A segment x of N samples with window w has the transform X(k) = Σ_j w(j) x(j) exp(-2πi j k/N)
/// at the frequencies f = k / (N step), k = 0 .. N/2. Spectra are one-sided: all lines but 0 and
/// N/2 carry the power of negative frequencies too, c = 2 for them and 1 for those two.
///
/// NaN samples are missing: segments are laid into the stretches between them, so that none
/// contains one.
namespace alembert::signal {

/// How a record is cut into segments.
struct WelchOptions {
  /// N >= 2. 0 takes samples / (1 + 7 (1 - overlap)), which gives eight segments. More samples
  /// resolve finer (1 / (N step) Hz), fewer average more.
  Eigen::Index segment_samples = 0;
  double overlap = 0.5;       ///< share of a segment in the next one, 0 <= overlap <= 0.95
  WindowOptions window = {};  ///< Hann unless said otherwise
  int trend_degree = 0;       ///< polynomial taken off each segment: -1 none, 0 mean, 1 line
};

/// What an average over segments is worth.
struct Averaging {
  Eigen::Index segments = 0;  ///< K
  /// Number of independent segments with the same variance, K² / Σ_ab ρ(a,b) with the overlap
  /// correlation ρ of segments a and b: at most K.
  double effective = 0.0;
  double resolution_hz = 0.0;  ///< equivalent noise bandwidth of a line
};

/// One spectrum for each column of the samples.
struct Spectrum {
  Eigen::VectorXd frequencies_hz;
  Eigen::MatrixXd values;            ///< one row per frequency, one column per channel
  std::vector<Averaging> averaging;  ///< of each channel
};

/// Power spectral density in unit²/Hz: S = c step / Σw² · mean |X|². Its sum times 1/(N step) is
/// the mean square of white or broad-band signals.
///
/// @param samples one column per channel, NaN where missing. A channel without any whole segment
///   gets NaN and 0 segments.
/// @param step in s, > 0.
/// @throws InvalidInput if a sample is infinite, an option is out of range, or the record is
///   shorter than a segment.
[[nodiscard]] Spectrum power_spectral_density(const Eigen::Ref<const Eigen::MatrixXd>& samples,
                                              double step, const WelchOptions& options = {});

/// Amplitude spectrum in the channel's unit: A = c / Σw · √mean |X|². A sine on a line has its
/// amplitude there; use a flat-top window for sines between lines.
/// Arguments and errors as for power_spectral_density().
[[nodiscard]] Spectrum amplitude_spectrum(const Eigen::Ref<const Eigen::MatrixXd>& samples,
                                          double step, const WelchOptions& options = {});

/// Spectral densities between all pairs of channels.
struct CrossSpectra {
  Eigen::VectorXd frequencies_hz;
  /// One Hermitian matrix per frequency: S(i,j) = c step / Σw² · mean X_i conj X_j.
  std::vector<Eigen::MatrixXcd> density;
  Averaging averaging;
};

/// Cross spectral densities of all columns, in unit_i unit_j / Hz, from the segments in which no
/// channel misses a sample.
/// @throws InvalidInput as power_spectral_density(), and if no whole segment is left.
[[nodiscard]] CrossSpectra cross_spectra(const Eigen::Ref<const Eigen::MatrixXd>& samples,
                                         double step, const WelchOptions& options = {});

/// Factors of a confidence interval: the true density lies in [lower S, upper S].
struct ConfidenceFactors {
  double lower = 0.0;
  double upper = 0.0;
};

/// Confidence interval of a density estimated from noise with K effective averages:
///
///   ν/χ²_ν((1+p)/2) <= true / S <= ν/χ²_ν((1-p)/2),   ν = 2K
///
/// At frequencies 0 and 1/(2 step) the transform is real: call it with K/2 there.
/// @param probability p, in (0, 1). @throws InvalidInput if out of range or K <= 0.
[[nodiscard]] ConfidenceFactors density_confidence(double effective_averages,
                                                   double probability = 0.95);

}  // namespace alembert::signal
