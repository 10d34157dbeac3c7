#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/resample.hpp"
#include "signal/spectrum/bessel.hpp"
#include "signal/units/constants.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstMatrix = Eigen::Ref<const MatrixXd>;

// Output instants may be off by this part of an input sample: 1e-9 of a wave's amplitude.
constexpr double kPositionTolerance = 1e-10;
constexpr double kReserve = 6.0;  // dB
// Limits of the table of filter phases.
constexpr long long kMostPhases = 4096;
constexpr double kMostTableEntries = 4e6;
// An output instant this close behind the last sample still counts, in input samples.
constexpr double kEndTolerance = 1e-6;
// More would be a misprint in the step; 8 GB for each column.
constexpr double kMostSamples = 1e9;
// A filter may be so many times longer than the record, or so many samples where that is more.
constexpr double kMostLengths = 4.0;
constexpr double kAlwaysAllowed = 1e6;

// h(u) = c sinc(c u) w(u / half_width), u in input samples, w the Kaiser window.
struct Kernel {
  double cutoff;      // c, as part of the input's Nyquist frequency
  double half_width;  // input samples
  double beta;
  double scale;  // c / I0(beta)

  [[nodiscard]] double operator()(double u) const {
    const double z = u / half_width;
    if (std::abs(z) >= 1.0) {
      return 0.0;
    }
    const double angle = kPi * cutoff * u;
    const double sinc = angle == 0.0 ? 1.0 : std::sin(angle) / angle;
    return scale * sinc * bessel_i0(beta * std::sqrt(1.0 - z * z));
  }
};

// Kaiser's design formulas: the window's shape from the attenuation A in dB, and its length from
// the width of the transition, (A - 7.95) / (2.285 Δω) samples. They hold for one filter; between
// grids the leaks of several images add up, for which 6 dB are kept in reserve.
Kernel designed_kernel(double ratio, const BandLimitedOptions& options) {
  const double a = options.attenuation_db + kReserve;
  const double nyquist = std::min(1.0, 1.0 / ratio);
  const double transition = kPi * nyquist * (1.0 - options.pass);
  const double beta =
      a > 50.0 ? 0.1102 * (a - 8.7) : 0.5842 * std::pow(a - 21.0, 0.4) + 0.07886 * (a - 21.0);
  const double cutoff = 0.5 * nyquist * (1.0 + options.pass);
  return {.cutoff = cutoff,
          .half_width = 0.5 * (a - 7.95) / (2.285 * transition),
          .beta = beta,
          .scale = cutoff / bessel_i0(beta)};
}

// The filter widens with the new step: beyond any record it is a misprint, and fills the memory.
void check_width(const Kernel& kernel, Index rows, double step, double new_step) {
  const double most = std::max(kMostLengths * static_cast<double>(rows), kAlwaysAllowed);
  if (!(kernel.half_width <= most)) {
    throw InvalidInput(
        {.function = "resample_band_limited",
         .argument = "new_step",
         .rule = fmt::format(
             "must not be so long that the filter reaches over {} samples of {} s to either side",
             most, step),
         .value = fmt::format("{} s", new_step)});
  }
}

// ratio = numerator / denominator.
struct Fraction {
  long long numerator = 0;
  long long denominator = 0;  // 0: none with a small denominator

  [[nodiscard]] double value_or(double ratio) const {
    return denominator > 0 ? static_cast<double>(numerator) / static_cast<double>(denominator)
                           : ratio;
  }
};

// By how much another ratio may differ: it moves the last instant by the position tolerance, or it
// is the same within the rounding of two steps and their quotient.
double ratio_tolerance(double ratio, Index samples) {
  return std::max(kPositionTolerance / static_cast<double>(std::max<Index>(samples, 1)),
                  4.0 * std::numeric_limits<double>::epsilon() * ratio);
}

// The simplest fraction within the tolerance, by continued fractions.
Fraction simple_fraction(double ratio, double tolerance) {
  long long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  double rest = ratio;
  while (rest < 1e15) {
    const auto whole = static_cast<long long>(std::floor(rest));
    const long long p2 = whole * p1 + p0;
    const long long q2 = whole * q1 + q0;
    if (q2 > kMostPhases) {
      break;
    }
    if (std::abs(ratio - static_cast<double>(p2) / static_cast<double>(q2)) <= tolerance) {
      return {.numerator = p2, .denominator = q2};
    }
    p0 = p1;
    q0 = q1;
    p1 = p2;
    q1 = q2;
    rest = 1.0 / (rest - static_cast<double>(whole));
  }
  return {};
}

// Weights of the input samples first .. first+count-1 around a place with fractional part
// `phase`: sample i - reach + 1 + k for k = 0 .. 2 reach - 1. Their sum is 1.
void fill_weights(const Kernel& kernel, double phase, Eigen::Ref<VectorXd> weights) {
  const Index reach = weights.size() / 2;
  for (Index k = 0; k < weights.size(); ++k) {
    weights[k] = kernel(phase - static_cast<double>(k - reach + 1));
  }
  weights /= weights.sum();
}

// Sample k of a column continued beyond its ends by point reflection.
double continued(const Eigen::Ref<const VectorXd>& x, Index k) {
  const Index last = x.size() - 1;
  if (k < 0) {
    return 2.0 * x[0] - x[std::min(-k, last)];
  }
  return k <= last ? x[k] : 2.0 * x[last] - x[std::max<Index>(2 * last - k, 0)];
}

double filtered(const Eigen::Ref<const VectorXd>& x, Index first,
                const Eigen::Ref<const VectorXd>& weights) {
  if (first >= 0 && first + weights.size() <= x.size()) {
    return weights.dot(x.segment(first, weights.size()));
  }
  double sum = 0.0;
  for (Index k = 0; k < weights.size(); ++k) {
    sum += weights[k] * continued(x, first + k);
  }
  return sum;
}

// The filter at all output instants: from a table of phases where the ratio of the steps is a
// simple fraction, computed for each instant otherwise.
MatrixXd filtered_columns(const ConstMatrix& values, const Kernel& kernel, double ratio,
                          const Fraction& fraction, Index samples) {
  const auto reach = static_cast<Index>(std::ceil(kernel.half_width));
  const bool tabled = fraction.denominator > 0 && static_cast<double>(fraction.denominator) * 2.0 *
                                                          static_cast<double>(reach) <=
                                                      kMostTableEntries;
  MatrixXd table(2 * reach, tabled ? static_cast<Index>(fraction.denominator) : 1);
  for (Index phase = 0; tabled && phase < table.cols(); ++phase) {
    fill_weights(kernel, static_cast<double>(phase) / static_cast<double>(fraction.denominator),
                 table.col(phase));
  }
  MatrixXd result(samples, values.cols());
  for (Index j = 0; j < samples; ++j) {
    Index base = 0;
    Index column = 0;
    if (tabled) {
      const long long place = j * fraction.numerator;
      base = static_cast<Index>(place / fraction.denominator);
      column = static_cast<Index>(place % fraction.denominator);
    } else {
      const double place = static_cast<double>(j) * ratio;
      base = static_cast<Index>(std::floor(place));
      fill_weights(kernel, place - std::floor(place), table.col(0));
    }
    for (Index c = 0; c < values.cols(); ++c) {
      result(j, c) = filtered(values.col(c), base - reach + 1, table.col(column));
    }
  }
  return result;
}

}  // namespace

MatrixXd resample_band_limited(const ConstMatrix& values, double step, double new_step,
                               const BandLimitedOptions& options) {
  check::positive("resample_band_limited", "step", step);
  check::positive("resample_band_limited", "new_step", new_step);
  check::at_least("resample_band_limited", "number of samples", values.rows(), 2);
  check::all_finite("resample_band_limited", "values", values);
  check::in_range("resample_band_limited", "pass", options.pass, 0.6, 0.99);
  check::in_range("resample_band_limited", "attenuation_db", options.attenuation_db, 30.0, 150.0);
  const double ratio = new_step / step;
  if (std::abs(ratio - 1.0) <= ratio_tolerance(1.0, values.rows())) {
    return values;
  }
  const double length = static_cast<double>(values.rows() - 1) + kEndTolerance;
  const double samples = std::floor(length / ratio) + 1.0;
  check::in_range("resample_band_limited", "number of samples of the result", samples, 1.0,
                  kMostSamples);
  const auto count = static_cast<Index>(samples);
  const Fraction fraction = simple_fraction(ratio, ratio_tolerance(ratio, count));
  const Kernel kernel = designed_kernel(fraction.value_or(ratio), options);
  check_width(kernel, values.rows(), step, new_step);
  return filtered_columns(values, kernel, ratio, fraction, count);
}

}  // namespace alembert::signal
