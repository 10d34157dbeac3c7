#include "alembert/signal/sensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/signal/spline.hpp"

namespace alembert::signal {
namespace {

using Values = Eigen::Ref<const Eigen::VectorXd>;

constexpr std::string_view kFunction = "simulate_sensor";
// Rates and delays given in decimals meet the axis within this share of a step.
constexpr double kInstantTolerance = 1e-9;

void check_exclusive(bool both, std::string_view one, std::string_view other) {
  if (!both) {
    return;
  }
  throw InvalidInput({.function = std::string(kFunction),
                      .argument = fmt::format("{}", one),
                      .rule = fmt::format("must not be given together with {}", other),
                      .value = "both"});
}

void check_options(const SensorOptions& options, double step) {
  check::non_negative(kFunction, "delay", options.delay);
  check::finite(kFunction, "bias", options.bias);
  check_exclusive(options.sigma && options.snr_db, "sigma", "snr_db");
  check_exclusive(options.bits && options.counts_per_turn, "bits", "counts_per_turn");
  check_exclusive(options.bits && options.whole_counts, "bits", "whole_counts");
  check_exclusive(options.counts_per_turn && options.whole_counts, "counts_per_turn",
                  "whole_counts");
  if (options.sigma) {
    check::non_negative(kFunction, "sigma", *options.sigma);
  }
  if (options.snr_db) {
    check::finite(kFunction, "snr_db", *options.snr_db);
  }
  if (options.counts_per_turn) {
    check::positive(kFunction, "counts_per_turn", *options.counts_per_turn);
  }
  if (options.turn) {
    check::positive(kFunction, "turn", *options.turn);
  }
  if (options.rate_hz) {
    check::positive(kFunction, "rate_hz", *options.rate_hz);
    if (*options.rate_hz * step > 1.0 + kInstantTolerance) {
      throw InvalidInput({.function = std::string(kFunction),
                          .argument = "rate_hz",
                          .rule = fmt::format("must not exceed 1/step = {} Hz", 1.0 / step),
                          .value = fmt::format("{}", *options.rate_hz)});
    }
  }
  if (!options.bits) {
    return;
  }
  check::in_range(kFunction, "bits", *options.bits, 1, 32);
  check::finite(kFunction, "range_lower", options.range_lower);
  check::finite(kFunction, "range_upper", options.range_upper);
  if (options.range_upper <= options.range_lower) {
    throw InvalidInput({.function = std::string(kFunction),
                        .argument = "range_upper",
                        .rule = fmt::format("must exceed range_lower = {}", options.range_lower),
                        .value = fmt::format("{}", options.range_upper)});
  }
}

// x(t - delay), delay in steps; `before` stands where t < delay.
Eigen::VectorXd delayed(const Values& x, double delay, double before) {
  const Eigen::Index n = x.size();
  Eigen::VectorXd y = Eigen::VectorXd::Constant(n, before);
  const double whole = std::floor(delay + kInstantTolerance);
  if (whole >= static_cast<double>(n)) {
    return y;
  }
  const auto shift = static_cast<Eigen::Index>(whole);
  const double part = std::max(delay - whole, 0.0);
  if (part <= kInstantTolerance) {
    y.tail(n - shift) = x.head(n - shift);
    return y;
  }
  if (shift + 1 == n) {
    return y;
  }
  // The place k - delay lies at s = 1 - part in the interval that begins at i = k - shift - 1.
  const Eigen::VectorXd slopes = cubic_slopes(1.0, x);
  const double s = 1.0 - part;
  for (Eigen::Index k = shift + 1; k < n; ++k) {
    const Eigen::Index i = k - shift - 1;
    const double rise = x(i + 1) - x(i);
    // u(s) = u + u' s + (3Δ - 2u' - u'₊) s² + (u' + u'₊ - 2Δ) s³
    y(k) = x(i) + s * (slopes(i) + s * (3.0 * rise - 2.0 * slopes(i) - slopes(i + 1) +
                                        s * (slopes(i) + slopes(i + 1) - 2.0 * rise)));
  }
  return y;
}

// Marks the samples of the axis that are not the nearest to any j / rate as missing.
void keep_own_samples(double steps_per_sample, Eigen::VectorXd& values) {
  const Eigen::VectorXd all = values;
  values.setConstant(kNaN);
  values(0) = all(0);
  for (double j = 1.0;; j += 1.0) {
    const double place = std::round(j * steps_per_sample);
    // Steps per sample may be infinite.
    if (!(place < static_cast<double>(values.size()))) {
      return;
    }
    const auto k = static_cast<Eigen::Index>(place);
    values(k) = all(k);
  }
}

double noise_level(const Values& truth, const SensorOptions& options) {
  if (options.sigma) {
    return *options.sigma;
  }
  if (!options.snr_db) {
    return 0.0;
  }
  // σ² = mean(x²) 10^(-snr/10)
  const double mean_square = truth.squaredNorm() / static_cast<double>(truth.size());
  return std::sqrt(mean_square) * std::pow(10.0, -*options.snr_db / 20.0);
}

double converter_step(const SensorOptions& options) {
  return (options.range_upper - options.range_lower) / std::ldexp(1.0, *options.bits);
}

// Whether the level above the highest one is the lowest one, a turn later.
bool levels_go_round(const SensorOptions& options) {
  if (!options.bits || !options.turn) {
    return false;
  }
  const double range = options.range_upper - options.range_lower;
  return std::abs(range - *options.turn) <= converter_step(options);
}

// x - turn floor((x - first)/turn); a tiny negative x - first would be rounded to the turn itself.
void start_again(double turn, double first, Eigen::VectorXd& values) {
  for (double& value : values) {
    value -= turn * std::floor((value - first) / turn);
    if (value >= first + turn || value < first) {
      value = first;
    }
  }
}

// Converts to the nearest level of a converter; returns how many values were clipped.
Eigen::Index convert(const SensorOptions& options, Eigen::VectorXd& values) {
  const double count = std::ldexp(1.0, *options.bits);
  const double q = converter_step(options);
  const bool round = levels_go_round(options);
  Eigen::Index clipped = 0;
  for (double& value : values) {
    if (std::isnan(value)) {
      continue;
    }
    double level = std::round((value - options.range_lower) / q);
    if (round && level >= count) {
      level = 0.0;
    }
    const double kept = std::clamp(level, 0.0, count - 1.0);
    if (kept != level) {
      ++clipped;
    }
    value = options.range_lower + q * kept;
  }
  return clipped;
}

// Counts of an encoder, then turns, then the levels of a converter. Returns how many were clipped.
Eigen::Index digitise(const SensorOptions& options, Eigen::VectorXd& values) {
  if (options.counts_per_turn) {
    const double count = 2.0 * std::numbers::pi / *options.counts_per_turn;
    values = (values / count).array().floor() * count;
  }
  if (options.whole_counts) {
    values = values.array().floor();
  }
  if (options.turn) {
    start_again(*options.turn, levels_go_round(options) ? options.range_lower : 0.0, values);
  }
  return options.bits ? convert(options, values) : 0;
}

}  // namespace

SensorRecord simulate_sensor(const Values& truth, double step, const SensorOptions& options,
                             RandomStream& random) {
  check::at_least(kFunction, "size of truth", truth.size(), 1);
  check::positive(kFunction, "step", step);
  check::all_finite(kFunction, "truth", truth);
  check_options(options, step);

  SensorRecord record;
  const double before = options.empty_before ? kNaN : truth(0);
  record.values = delayed(truth, options.delay / step, before);
  if (options.rate_hz) {
    keep_own_samples(1.0 / (*options.rate_hz * step), record.values);
  }
  record.sigma = noise_level(truth, options);
  const Eigen::VectorXd noise = random.normal_vector(truth.size());
  record.values.array() += options.bias + record.sigma * noise.array();
  record.clipped = digitise(options, record.values);
  return record;
}

}  // namespace alembert::signal
