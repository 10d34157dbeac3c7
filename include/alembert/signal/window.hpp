#pragma once

#include <Eigen/Core>

namespace alembert::signal {

/// Shapes of a window of N samples, in the periodic form: w(k) at z = k/N, k = 0 .. N-1, which is
/// the symmetric window of N + 1 samples without its last. This is the form for spectra.
enum class WindowKind {
  Rectangular,     ///< 1
  Hann,            ///< 0.5 - 0.5 cos 2πz
  Hamming,         ///< 0.54 - 0.46 cos 2πz
  BlackmanHarris,  ///< four terms, side lobes below -92 dB [Harris1978]
  FlatTop,         ///< five terms, for amplitudes: scallop loss below 0.01 dB
  Kaiser,          ///< I₀(β √(1 - (2z-1)²)) / I₀(β)
  Tukey,           ///< flat, with half a cosine over the share taper/2 at each end
  HalfSine,        ///< sin πz
  Exponential      ///< end_level^z, for hammer tests whose response outlasts the record
};

/// A window and the parameters of the shapes that have any.
struct WindowOptions {
  WindowKind kind = WindowKind::Hann;
  double beta = 8.0;   ///< Kaiser β, 0 .. 500: 0 is rectangular; more lowers the side lobes
  double taper = 0.5;  ///< Tukey, 0 .. 1: share of the window in both flanks; 1 is Hann
  /// Exponential, in (0, 1]: w at the end of the window. It adds the decay -ln(end_level)/(N step)
  /// in rad/s to every mode; subtract it from identified damping ratio times natural frequency.
  double end_level = 0.05;
};

/// Returns the N values of a window.
/// @throws InvalidInput if length < 1 or a parameter is out of its range.
[[nodiscard]] Eigen::VectorXd window(Eigen::Index length, const WindowOptions& options = {});

/// Coherent gain of a window: Σw / N. A sine on a line keeps this share of its amplitude.
/// @throws InvalidInput if w is empty, also below.
[[nodiscard]] double coherent_gain(const Eigen::Ref<const Eigen::VectorXd>& w);

/// Equivalent noise bandwidth of a window in lines: N Σw² / (Σw)².
/// White noise on a line has the power of its density times this times 1/(N step) Hz.
[[nodiscard]] double noise_bandwidth(const Eigen::Ref<const Eigen::VectorXd>& w);

/// Correlation of the spectra of two segments of white noise that start `shift` samples apart:
///
///   ρ = [Σ_k w(k) w(k + shift)]² / [Σ w²]²        [Welch1967]
///
/// 0 for shift >= N. @throws InvalidInput if w is empty or shift < 0.
[[nodiscard]] double overlap_correlation(const Eigen::Ref<const Eigen::VectorXd>& w,
                                         Eigen::Index shift);

}  // namespace alembert::signal
