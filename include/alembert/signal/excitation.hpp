#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/random.hpp"

/// Input signals made by formula. Each returns `samples` values at t(k) = k step.
namespace alembert::signal {

/// Sum of cosines on chosen lines of the record's own frequency grid, so that it is periodic.
///
///   u(k) = Σ_l  a_l cos(2π l k / P + φ_l),   P = period_samples
struct MultisineOptions {
  Eigen::Index period_samples = 0;  ///< P; 0 takes the whole record as one period
  std::vector<int> lines;           ///< l, 1 .. (P-1)/2; frequency l / (P step)
  double rms = 1.0;                 ///< of the sum
  enum class Phase { Random, Schroeder } phase = Phase::Random;
};
[[nodiscard]] Eigen::VectorXd multisine(Eigen::Index samples, const MultisineOptions& options,
                                        RandomStream& random);

/// The lines of a multisine that fall into [lower_hz, upper_hz]; every one, or odd ones only.
[[nodiscard]] std::vector<int> lines_in_band(Eigen::Index period_samples, double step,
                                             double lower_hz, double upper_hz,
                                             bool odd_only = false);

/// Sine sweep with instantaneous frequency from begin_hz to end_hz over the record.
struct ChirpOptions {
  double begin_hz = 0.0;
  double end_hz = 0.0;
  double amplitude = 1.0;
  bool logarithmic = false;  ///< frequency grows exponentially instead of linearly
};
[[nodiscard]] Eigen::VectorXd chirp(Eigen::Index samples, double step, const ChirpOptions& options);

/// Maximum-length pseudo-random binary sequence, ±amplitude, from a linear feedback register.
struct PrbsOptions {
  int order = 10;                 ///< register length, 2..24; the sequence repeats after 2^order - 1
  Eigen::Index clock_samples = 1;  ///< samples each bit is held
  double amplitude = 1.0;
};
[[nodiscard]] Eigen::VectorXd prbs(Eigen::Index samples, const PrbsOptions& options,
                                   RandomStream& random);

/// Not-a-knot cubic spline through independent N(0, sigma²) knots.
struct SplineNoiseOptions {
  double knot_step = 0.0;  ///< s; 0 puts a knot on every sample (white samples)
  double sigma = 1.0;
};
[[nodiscard]] Eigen::VectorXd spline_noise(Eigen::Index samples, double step,
                                           const SplineNoiseOptions& options, RandomStream& random);

/// Piecewise constant: levels[i] from times[i] on; 0 before times[0].
struct StepsOptions {
  std::vector<double> times;   ///< s, increasing
  std::vector<double> levels;  ///< same length
};
[[nodiscard]] Eigen::VectorXd steps(Eigen::Index samples, double step, const StepsOptions& options);

/// Half-sine pulses (a hammer): amplitude sin(π (t - t_i)/width) on [t_i, t_i + width].
struct PulsesOptions {
  std::vector<double> times;  ///< s
  double width = 0.0;         ///< s
  double amplitude = 1.0;
};
[[nodiscard]] Eigen::VectorXd pulses(Eigen::Index samples, double step,
                                     const PulsesOptions& options);

}  // namespace alembert::signal
