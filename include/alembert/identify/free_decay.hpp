#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/status.hpp"

/// The classical look at a free decay: cycles, amplitudes, logarithmic decrement, envelope and
/// instantaneous frequency. Works on acceleration, velocity or displacement alike.
namespace alembert::identify {

/// A turning point of the record, from a quartic fitted to the samples within an eighth of a cycle.
struct Extremum {
  double time = 0.0;       ///< s from the first sample
  double value = 0.0;      ///< with its sign and the offset of the record
  double deviation = 0.0;  ///< standard deviation of value from the residuals of the quartics
};

/// The cycles of a record.
///
/// The frequency first comes from the largest line of the spectrum of the record without its slow
/// trend, or, below three cycles, from the best of many fits of a constant, a sine and a cosine.
/// The times at which the record passes its own cycle mean then give the half cycles. Status
/// NotIdentifiable if nothing oscillates above the noise.
struct Cycles : Outcome {
  double period = 0.0;  ///< mean length of a cycle, s
  double period_deviation =
      0.0;                 ///< standard deviation of that mean, from the scatter of crossings
  double count = 0.0;      ///< duration / period
  double amplitude = 0.0;  ///< largest of |value - offset| of the extrema, or of the sine
  double noise = 0.0;      ///< standard deviation of a sample
  double offset = 0.0;     ///< mean over whole cycles
  std::vector<double> crossings;  ///< s, rising and falling in turn
  std::vector<Extremum> extrema;  ///< highest and lowest in turn
};
/// @param values at least 8 finite samples. @param step in s, > 0.
/// @throws InvalidInput otherwise.
[[nodiscard]] Cycles find_cycles(const Eigen::Ref<const Eigen::VectorXd>& values, double step);

/// The mean of a record over one cycle, taken twice (weights of a triangle two cycles wide): what
/// is left of an oscillation is of second order in its damping. Known from one cycle after the
/// first sample to one before the last.
struct Baseline {
  Eigen::VectorXd times;   ///< s from the first sample; empty for records of two cycles or less
  Eigen::VectorXd values;  ///< offset of the sensor in course of time
};
[[nodiscard]] Baseline cycle_baseline(const Eigen::Ref<const Eigen::VectorXd>& values, double step,
                                      double period);

/// Damping over one cycle.
struct CycleDamping {
  double time = 0.0;       ///< middle of the cycle, s
  double amplitude = 0.0;  ///< geometric mean of its ends
  double decrement = 0.0;  ///< δ = ln(A(k)/A(k+2)), half cycles k
  double decrement_deviation = 0.0;
  double ratio = 0.0;  ///< ζ = δ/√(4π² + δ²)
  double ratio_deviation = 0.0;
};

/// Damping from the fall of the amplitudes. The amplitude of half cycle k,
///
///   A(k) = |x(k) - (x(k-1) + x(k+1))/2| / 2,
///
/// knows nothing of an offset or a linear drift, and falls by exp(-δ/2) per half cycle for viscous
/// damping. δ over the whole record comes from the weighted line through ln A(k), the standard
/// deviations from those of the extrema, neighbours being correlated.
struct LogDecrement : Outcome {
  double decrement = 0.0, decrement_deviation = 0.0;
  double ratio = 0.0, ratio_deviation = 0.0;  ///< ζ
  double rate = 0.0, rate_deviation = 0.0;    ///< 2ζω = 2δ/T in 1/s, the factor of x' in x''
  std::vector<double> times, amplitudes;      ///< A(k)
  std::vector<CycleDamping> course;           ///< one per half cycle, each over a whole one
  /// t statistic of the square term of ln A(k): far from 0 the damping is not viscous. Positive:
  /// the decrement falls as the amplitude does (drag); negative: it grows (dry friction).
  double bend = 0.0;
};
/// Status NotIdentifiable with fewer than 5 extrema.
[[nodiscard]] LogDecrement logarithmic_decrement(const Cycles& cycles);

/// Envelope and instantaneous frequency by the Hilbert transform.
///
/// The record without its baseline is divided by exp(-αt) with the α of the logarithmic decrement,
/// cut at its first and last crossing and continued as an odd function about both: that is periodic
/// and smooth for a decaying sine, so that the ends are as good as the middle. Frequency and decay
/// rate are differences over one cycle, which takes the harmonics out; they are known half a cycle
/// within the crossings.
struct DecayEnvelope : Outcome {
  Eigen::VectorXd times, envelope;  ///< s from the first sample; |z|
  Eigen::VectorXd inner_times;      ///< of the three below
  Eigen::VectorXd amplitude;        ///< geometric mean of the envelope over a cycle
  Eigen::VectorXd frequency_hz;     ///< [φ(t + T/2) - φ(t - T/2)]/(2π T)
  Eigen::VectorXd decay_rate;  ///< σ = -d ln |z|/dt over a cycle, 1/s; ζω for viscous damping
};
/// Status NotIdentifiable with fewer than 4 crossings.
[[nodiscard]] DecayEnvelope decay_envelope(const Eigen::Ref<const Eigen::VectorXd>& values,
                                           double step, const Cycles& cycles);

}  // namespace alembert::identify
