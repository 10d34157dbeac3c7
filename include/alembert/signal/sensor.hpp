#pragma once

#include <Eigen/Core>
#include <optional>

#include "alembert/core/random.hpp"

namespace alembert::signal {

/// What a real sensor and its acquisition do to a true signal, in this order:
/// delay, sampling at the sensor's own rate, bias, noise, quantisation.
struct SensorOptions {
  double delay = 0.0;                  ///< s, >= 0; y(t) = x(t - delay)
  std::optional<double> rate_hz = {};  ///< own sampling rate; none: every sample
  double bias = 0.0;                   ///< added, in the unit of the signal
  std::optional<double> sigma = {};    ///< standard deviation of the white noise
  std::optional<double> snr_db = {};   ///< instead of sigma: σ² = mean(x²) 10^(-snr/10)
  std::optional<int> bits = {};        ///< converter resolution, 1..32, with range; clips
  double range_lower = -1.0;
  double range_upper = 1.0;
  std::optional<double> counts_per_turn = {};  ///< encoder: floor(x counts/2π) 2π/counts
};

/// A simulated sensor record and what was done to it.
struct SensorRecord {
  Eigen::VectorXd values;  ///< on the true signal's axis; NaN where the sensor took no sample
  double sigma = 0.0;      ///< standard deviation of the noise used
  Eigen::Index clipped = 0;  ///< samples outside the converter's range
};

/// Simulates a sensor on a true signal sampled at t(k) = k step.
///
/// Own rate: the sensor samples at the instants of the axis nearest to j / rate_hz; rate_hz must
/// not exceed 1/step. Delay: the true signal is evaluated between samples by cubic spline; before
/// the record begins it holds its first value.
/// @throws InvalidInput for sigma and snr_db together, an empty range, a NaN in the signal, ...
[[nodiscard]] SensorRecord simulate_sensor(const Eigen::Ref<const Eigen::VectorXd>& truth,
                                           double step, const SensorOptions& options,
                                           RandomStream& random);

}  // namespace alembert::signal
