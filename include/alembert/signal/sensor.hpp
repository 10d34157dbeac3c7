#pragma once

#include <Eigen/Core>
#include <optional>

#include "alembert/core/random.hpp"

namespace alembert::signal {

/// What a real sensor and its acquisition do to a true signal, in this order: delay, sampling at
/// the sensor's own rate, bias, noise, counts of an encoder, start again after a turn, conversion.
struct SensorOptions {
  double delay = 0.0;                  ///< s, >= 0; y(t) = x(t - delay)
  bool empty_before = false;           ///< no readings of instants before the record begins
  std::optional<double> rate_hz = {};  ///< own sampling rate, <= 1/step; none: every sample
  double bias = 0.0;                   ///< added, in the unit of the signal
  std::optional<double> sigma = {};    ///< standard deviation of the white noise, >= 0
  /// Instead of sigma: σ² = mean(x²) 10^(-snr/10) over the whole true signal, without bias, so
  /// that it does not change with the other options. A signal of zeros gets no noise.
  std::optional<double> snr_db = {};
  /// Converter resolution, 1..32: levels lower + j q, j = 0 .. 2^bits - 1, q = range / 2^bits. A
  /// value goes to the nearest level (mid-tread, error within ±q/2) or is clipped. Where `turn` is
  /// the range within q the levels go round, as those of an absolute encoder: nothing is clipped,
  /// and what is nearest to the upper end of the range reads as its lower end.
  std::optional<int> bits = {};
  double range_lower = -1.0;  ///< for bits; zero is a level when the range is symmetric
  double range_upper = 1.0;   ///< for bits; the highest level is one q below it
  /// Encoder, instead of bits: floor(x counts/2π) 2π/counts, x in rad; it never reads too much.
  std::optional<double> counts_per_turn = {};
  /// Encoder that gives its number of counts, instead of bits: floor(x), x in counts. The two
  /// encoders read the same place: this number times 2π/counts is what the other gives.
  bool whole_counts = false;
  /// The reading starts again after so much, > 0: x - turn floor((x - x₀)/turn), within
  /// [x₀, x₀ + turn). x₀ = 0, or range_lower where the levels of a converter go round.
  std::optional<double> turn = {};
};

/// A simulated sensor record and what was done to it.
struct SensorRecord {
  Eigen::VectorXd values;    ///< on the true signal's axis; NaN where the sensor took no sample
  double sigma = 0.0;        ///< standard deviation of the noise used
  Eigen::Index clipped = 0;  ///< samples further than q/2 from every level of the converter
};

/// Simulates a sensor on a true signal sampled at t(k) = k step.
///
/// Own rate: the sensor samples at the instants of the axis nearest to j / rate_hz. Delay: the
/// true signal is evaluated between samples by the not-a-knot cubic spline; before the record
/// begins it holds its first value, or nothing is read (empty_before); a delay of whole steps
/// copies samples.
///
/// One normal number is drawn for each sample of the axis, whether it is used or not: the noise
/// at a sample depends on the stream alone, and not on rate, delay, bias or resolution.
///
/// @param truth n >= 1 finite values. @param step in s, > 0.
/// @throws InvalidInput for sigma and snr_db together, two of bits, counts_per_turn and
///   whole_counts together, an empty range, a NaN in the signal, or an option out of its bounds.
[[nodiscard]] SensorRecord simulate_sensor(const Eigen::Ref<const Eigen::VectorXd>& truth,
                                           double step, const SensorOptions& options,
                                           RandomStream& random);

}  // namespace alembert::signal
