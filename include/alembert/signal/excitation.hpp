#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/random.hpp"

/// Input signals made by formula. Each returns `samples` >= 1 values at t(k) = k step and throws
/// InvalidInput for anything that its options do not allow.
namespace alembert::signal {

/// Sum of cosines on chosen lines of the frequency grid of its period, all of one amplitude.
///
///   u(k) = a Σ_l cos(2π l k / P + φ_l),   P = period_samples,   a = rms √(2 / number of lines)
///
/// Over whole periods the rms is exact and no other line is excited.
struct MultisineOptions {
  Eigen::Index period_samples = 0;  ///< P; 0 takes the whole record as one period
  std::vector<int> lines = {};      ///< l, 1 .. (P-1)/2, each once; frequency l / (P step)
  double rms = 1.0;                 ///< of the sum, >= 0
  /// Random: φ uniform in (0, 2π), one draw for each line in their order.
  /// Schroeder: φ = -π n (n-1) / N for line number n of N, for a low crest factor
  /// [Schroeder1970]; nothing is drawn.
  enum class Phase { Random, Schroeder } phase = Phase::Random;
};

constexpr auto enum_names(MultisineOptions::Phase) {
  return std::to_array<EnumName<MultisineOptions::Phase>>(
      {{MultisineOptions::Phase::Random, "random"},
       {MultisineOptions::Phase::Schroeder, "schroeder"}});
}
/// Samples of the multisine; its random phases come from `random`.
[[nodiscard]] Eigen::VectorXd multisine(Eigen::Index samples, const MultisineOptions& options,
                                        RandomStream& random);

/// The lines l of a multisine with lower_hz <= l / (period_samples step) <= upper_hz, every one or
/// odd ones only. Limits that hit a line within 1e-9 of its frequency include it. Empty when no
/// line falls into the band.
[[nodiscard]] std::vector<int> lines_in_band(Eigen::Index period_samples, double step,
                                             double lower_hz, double upper_hz,
                                             bool odd_only = false);

/// Sine sweep u = amplitude sin φ(t) whose instantaneous frequency φ'/2π runs from begin_hz at
/// the first sample to end_hz at the last, T = (samples - 1) step; upwards or downwards.
///
///   linear:       φ = 2π (f₀ t + (f₁ - f₀) t² / (2T))
///   logarithmic:  φ = 2π f₀ T ((f₁/f₀)^(t/T) - 1) / ln(f₁/f₀)
struct ChirpOptions {
  double begin_hz = 0.0;     ///< f₀, 0 .. 1/(2 step); above 0 if logarithmic
  double end_hz = 0.0;       ///< f₁, likewise
  double amplitude = 1.0;    ///< largest value, unit of the signal
  bool logarithmic = false;  ///< frequency grows exponentially instead of linearly
};
[[nodiscard]] Eigen::VectorXd chirp(Eigen::Index samples, double step, const ChirpOptions& options);

/// Maximum-length pseudo-random binary sequence, ±amplitude, from a linear feedback register:
///
///   bit(k) = Σ_t bit(k - t) mod 2,  t in prbs_taps(order)
///
/// It repeats after 2^order - 1 bits, and its autocorrelation over a period is amplitude² at
/// lag 0 and -amplitude²/(2^order - 1) at any other. One draw sets the start of the register.
struct PrbsOptions {
  int order = 10;                  ///< register length, 2..24
  Eigen::Index clock_samples = 1;  ///< samples each bit is held
  double amplitude = 1.0;          ///< the signal is plus or minus this
};
[[nodiscard]] Eigen::VectorXd prbs(Eigen::Index samples, const PrbsOptions& options,
                                   RandomStream& random);

/// The feedback taps of a register of this length, from a published list [Alfke1996]. The
/// polynomial 1 + Σ x^t is primitive over the field of two elements.
/// @throws InvalidInput unless 2 <= order <= 24.
[[nodiscard]] std::vector<int> prbs_taps(int order);

/// Not-a-knot cubic spline through independent N(0, sigma²) knots at 0, knot_step, 2 knot_step,
/// ..., the last at or after the end of the record. One draw for each knot, in order.
struct SplineNoiseOptions {
  double knot_step = 0.0;  ///< s, at least step; 0 puts a knot on every sample (white samples)
  double sigma = 1.0;      ///< of the knots, >= 0; between them the spread is a little smaller
};
[[nodiscard]] Eigen::VectorXd spline_noise(Eigen::Index samples, double step,
                                           const SplineNoiseOptions& options, RandomStream& random);

/// Piecewise constant: levels[i] from times[i] on; 0 before times[0]. A time within 1e-9 steps of
/// a sample counts as that sample.
struct StepsOptions {
  std::vector<double> times = {};   ///< s, increasing
  std::vector<double> levels = {};  ///< same length
};
[[nodiscard]] Eigen::VectorXd steps(Eigen::Index samples, double step, const StepsOptions& options);

/// Half-sine pulses (a hammer): amplitude sin(π (t - t_i)/width) on [t_i, t_i + width]. Pulses
/// that overlap add up.
struct PulsesOptions {
  std::vector<double> times = {};  ///< s, any order
  double width = 0.0;              ///< s, at least two steps: no pulse falls between samples
  double amplitude = 1.0;          ///< height of each pulse
};
[[nodiscard]] Eigen::VectorXd pulses(Eigen::Index samples, double step,
                                     const PulsesOptions& options);

/// Any of these signals.
using Excitation = std::variant<SplineNoiseOptions, MultisineOptions, ChirpOptions, PrbsOptions,
                                StepsOptions, PulsesOptions>;

/// The signal of whichever options are given; kinds without chance leave the stream as it is.
[[nodiscard]] Eigen::VectorXd make_excitation(Eigen::Index samples, double step,
                                              const Excitation& excitation, RandomStream& random);

}  // namespace alembert::signal
