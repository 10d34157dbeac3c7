#include "alembert/signal/snr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::signal {
namespace {

using Values = Eigen::Ref<const Eigen::VectorXd>;

void check_values(std::string_view function, const Values& values) {
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!std::isinf(values(k))) {
      continue;
    }
    throw InvalidInput({.function = std::string(function),
                        .argument = "values",
                        .rule = "must be finite or NaN",
                        .value = fmt::format("{} at sample {}", values(k), k + 1)});
  }
}

struct Mean {
  double value = 0.0;
  Eigen::Index count = 0;
};

// Mean of the squares that are there.
Mean mean_square(const Values& values) {
  Mean mean;
  for (const double y : values) {
    if (std::isnan(y)) {
      continue;
    }
    mean.value += y * y;
    ++mean.count;
  }
  mean.value /= static_cast<double>(mean.count);
  return mean;
}

NoiseEstimate estimate(double noise_power, double signal_power) {
  NoiseEstimate result;
  result.sigma = std::sqrt(noise_power);
  result.signal_rms = std::sqrt(std::max(signal_power, 0.0));
  result.snr_db = 20.0 * std::log10(result.signal_rms / result.sigma);
  return result;
}

}  // namespace

double snr_db(const Values& measured, const Values& truth, const std::optional<double>& turn) {
  check::size("snr_db", "truth", truth.size(), measured.size());
  check::all_finite("snr_db", "truth", truth);
  check_values("snr_db", measured);
  if (turn) check::positive("snr_db", "turn", *turn);
  double signal = 0.0;
  double noise = 0.0;
  Eigen::Index count = 0;
  for (Eigen::Index k = 0; k < measured.size(); ++k) {
    if (std::isnan(measured(k))) {
      continue;
    }
    signal += truth(k) * truth(k);
    const double apart = measured(k) - truth(k);
    const double error = turn ? std::remainder(apart, *turn) : apart;
    noise += error * error;
    ++count;
  }
  check::at_least("snr_db", "number of samples that are there", count, 1);
  return noise == 0.0 ? std::numeric_limits<double>::infinity() : 10.0 * std::log10(signal / noise);
}

NoiseEstimate noise_by_differences(const Values& values, int max_order) {
  check::in_range("noise_by_differences", "max_order", max_order, 1, 20);
  check_values("noise_by_differences", values);
  Eigen::VectorXd difference = values;
  double noise_power = std::numeric_limits<double>::infinity();
  double choices = 1.0;  // C(2d, d)
  for (int d = 1; d <= max_order && difference.size() > 1; ++d) {
    const Eigen::Index size = difference.size() - 1;
    // A missing sample makes all differences that reach over it NaN.
    difference = (difference.tail(size) - difference.head(size)).eval();
    choices *= (4.0 * d - 2.0) / d;
    const Mean mean = mean_square(difference);
    if (mean.count < (d == 1 ? 1 : 10 * d)) {
      break;
    }
    noise_power = std::min(noise_power, mean.value / choices);
  }
  if (std::isinf(noise_power)) {
    throw InvalidInput({.function = "noise_by_differences",
                        .argument = "values",
                        .rule = "must have two neighbours that are there"});
  }
  return estimate(noise_power, mean_square(values).value - noise_power);
}

NoiseEstimate noise_above_frequency(const Values& values, double step, double from_hz,
                                    const WelchOptions& options) {
  check::non_negative("noise_above_frequency", "from_hz", from_hz);
  const Spectrum spectrum = power_spectral_density(values, step, options);
  const Eigen::VectorXd& frequencies = spectrum.frequencies_hz;
  // The first and last lines have other statistics and, the first, the trend taken off.
  double sum = 0.0;
  Eigen::Index count = 0;
  for (Eigen::Index k = 1; k + 1 < frequencies.size(); ++k) {
    if (frequencies(k) < from_hz) {
      continue;
    }
    sum += spectrum.values(k, 0);
    ++count;
  }
  if (count == 0) {
    throw InvalidInput(
        {.function = "noise_above_frequency",
         .argument = "from_hz",
         .rule = fmt::format("must leave a line below {} Hz", frequencies(frequencies.size() - 1)),
         .value = fmt::format("{}", from_hz)});
  }
  check::at_least("noise_above_frequency", "number of whole segments",
                  spectrum.averaging.front().segments, 1);
  // One-sided density of white noise: S = 2 σ² step
  const double noise_power = sum / (2.0 * step * static_cast<double>(count));
  return estimate(noise_power, mean_square(values).value - noise_power);
}

NoiseEstimate noise_by_periods(const Values& values, Eigen::Index period_samples) {
  check::at_least("noise_by_periods", "period_samples", period_samples, 1);
  check_values("noise_by_periods", values);
  const Eigen::Index phases = std::min(period_samples, values.size());
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(phases);
  Eigen::VectorXd count = Eigen::VectorXd::Zero(phases);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::isnan(values(k))) {
      continue;
    }
    const Eigen::Index phase = k % period_samples;
    count(phase) += 1.0;
    mean(phase) += (values(k) - mean(phase)) / count(phase);
  }
  const double freedom = (count.array() - 1.0).max(0.0).sum();
  if (freedom < 1.0) {
    throw InvalidInput(
        {.function = "noise_by_periods",
         .argument = "values",
         .rule = fmt::format("must cover a phase of period_samples = {} twice", period_samples),
         .value = fmt::format("{} values", values.size())});
  }
  double squares = 0.0;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double residual = values(k) - mean(k % period_samples);
    if (!std::isnan(residual)) {
      squares += residual * residual;
    }
  }
  // σ² = Σ (y - ȳ)² / Σ (count - 1),  mean(x²) = mean(ȳ² - σ²/count)
  const double noise_power = squares / freedom;
  double signal_power = 0.0;
  for (Eigen::Index phase = 0; phase < phases; ++phase) {
    if (count(phase) > 0.0) {
      signal_power += mean(phase) * mean(phase) - noise_power / count(phase);
    }
  }
  const auto known = static_cast<double>((count.array() > 0.0).count());
  return estimate(noise_power, signal_power / known);
}

}  // namespace alembert::signal
