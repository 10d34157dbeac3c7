#include "alembert/signal/excitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/fft.hpp"
#include "alembert/signal/spline.hpp"
#include "signal/units/constants.hpp"

namespace alembert::signal {
namespace {

// A time, or a number of steps, that is this near to a sample counts as that sample.
constexpr double kSampleTolerance = 1e-9;

void check_period(std::string_view function, Eigen::Index period) {
  check::in_range(function, "period_samples", static_cast<double>(period), 1.0,
                  static_cast<double>(kLongestTransform));
}

void check_lines(const std::vector<int>& lines, Eigen::Index period) {
  check::at_least("multisine", "number of lines", static_cast<long long>(lines.size()), 1);
  const Eigen::Index highest = (period - 1) / 2;
  std::vector<int> sorted = lines;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() < 1 || sorted.back() > highest) {
    throw InvalidInput(
        {.function = "multisine",
         .argument = "lines",
         .rule = fmt::format("must be in [1, {}] for a period of {} samples", highest, period),
         .value = fmt::format("{}", sorted.front() < 1 ? sorted.front() : sorted.back())});
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw InvalidInput({.function = "multisine",
                        .argument = "lines",
                        .rule = "must differ",
                        .value = fmt::format("{} twice", *twice)});
  }
}

// Phase of line number `index` (from 0) of `count`.
double line_phase(MultisineOptions::Phase phase, double index, double count, RandomStream& random) {
  if (phase == MultisineOptions::Phase::Random) {
    return random.uniform(0.0, 2.0 * kPi);
  }
  // φ = -π n (n-1) / N [Schroeder1970]
  return -kPi * std::fmod(index * (index + 1.0) / count, 2.0);
}

// Instantaneous phase in turns at time t = s T.
double chirp_turns(double s, double duration, const ChirpOptions& options) {
  const double f0 = options.begin_hz;
  const double f1 = options.end_hz;
  if (!options.logarithmic) {
    return duration * s * (f0 + 0.5 * (f1 - f0) * s);
  }
  // f₀ t (exp(x) - 1)/x with x = (t/T) ln(f₁/f₀)
  const double x = s * std::log(f1 / f0);
  const double growth = x == 0.0 ? 1.0 : std::expm1(x) / x;
  return f0 * duration * s * growth;
}

// First sample at or after a time, 0 .. samples.
Eigen::Index first_sample(double time, double step, Eigen::Index samples) {
  const double index = std::ceil(time / step - kSampleTolerance);
  return static_cast<Eigen::Index>(std::clamp(index, 0.0, static_cast<double>(samples)));
}

void check_axis(std::string_view function, Eigen::Index samples, double step) {
  check::at_least(function, "samples", samples, 1);
  check::positive(function, "step", step);
}

}  // namespace

Eigen::VectorXd multisine(Eigen::Index samples, const MultisineOptions& options,
                          RandomStream& random) {
  check::at_least("multisine", "samples", samples, 1);
  check::non_negative("multisine", "rms", options.rms);
  const Eigen::Index period = options.period_samples == 0 ? samples : options.period_samples;
  check_period("multisine", period);
  check_lines(options.lines, period);

  const auto count = static_cast<double>(options.lines.size());
  const double amplitude = options.rms * std::sqrt(2.0 / count);
  Eigen::VectorXcd spectrum = Eigen::VectorXcd::Zero(period / 2 + 1);
  for (std::size_t i = 0; i < options.lines.size(); ++i) {
    const double phase = line_phase(options.phase, static_cast<double>(i), count, random);
    // a cos(2π l k/P + φ) has the coefficient (a P/2) exp(iφ) on line l.
    spectrum(options.lines[i]) = std::polar(0.5 * amplitude * static_cast<double>(period), phase);
  }
  const Eigen::VectorXd one_period = irfft(spectrum, period);
  Eigen::VectorXd values(samples);
  for (Eigen::Index k = 0; k < samples; k += period) {
    const Eigen::Index length = std::min(period, samples - k);
    values.segment(k, length) = one_period.head(length);
  }
  return values;
}

std::vector<int> lines_in_band(Eigen::Index period_samples, double step, double lower_hz,
                               double upper_hz, bool odd_only) {
  check_period("lines_in_band", period_samples);
  check::positive("lines_in_band", "step", step);
  check::non_negative("lines_in_band", "lower_hz", lower_hz);
  if (!(upper_hz >= lower_hz) || std::isinf(upper_hz)) {
    throw InvalidInput({.function = "lines_in_band",
                        .argument = "upper_hz",
                        .rule = fmt::format("must be finite and at least {}", lower_hz),
                        .value = fmt::format("{}", upper_hz)});
  }
  const double period = static_cast<double>(period_samples) * step;
  const Eigen::Index below_half = (period_samples - 1) / 2;
  const auto highest = static_cast<double>(below_half);
  const double first = std::ceil(lower_hz * period * (1.0 - kSampleTolerance));
  const double last = std::floor(upper_hz * period * (1.0 + kSampleTolerance));
  const int begin = static_cast<int>(std::clamp(first, 1.0, highest + 1.0));
  const int end = static_cast<int>(std::min(last, highest));
  std::vector<int> lines;
  for (int line = begin; line <= end; ++line) {
    if (!odd_only || line % 2 == 1) {
      lines.push_back(line);
    }
  }
  return lines;
}

Eigen::VectorXd chirp(Eigen::Index samples, double step, const ChirpOptions& options) {
  check_axis("chirp", samples, step);
  const double highest = (1.0 + kSampleTolerance) * 0.5 / step;
  check::in_range("chirp", "begin_hz", options.begin_hz, 0.0, highest);
  check::in_range("chirp", "end_hz", options.end_hz, 0.0, highest);
  if (options.logarithmic) {
    check::positive("chirp", "begin_hz", options.begin_hz);
  }
  if (options.logarithmic) {
    check::positive("chirp", "end_hz", options.end_hz);
  }
  check::finite("chirp", "amplitude", options.amplitude);
  const double intervals = std::max(static_cast<double>(samples - 1), 1.0);
  Eigen::VectorXd values(samples);
  for (Eigen::Index k = 0; k < samples; ++k) {
    const double turns = chirp_turns(static_cast<double>(k) / intervals, intervals * step, options);
    // Whole turns go first: the sine then sees a small angle with all its digits.
    values(k) = options.amplitude * std::sin(2.0 * kPi * (turns - std::floor(turns)));
  }
  return values;
}

std::vector<int> prbs_taps(int order) {
  check::in_range("prbs_taps", "order", order, 2, 24);
  static const std::vector<int> kTaps[] = {
      {2, 1},        {3, 2},   {4, 3},          {5, 3},   {6, 5},          {7, 6},
      {8, 6, 5, 4},  {9, 5},   {10, 7},         {11, 9},  {12, 6, 4, 1},   {13, 4, 3, 1},
      {14, 5, 3, 1}, {15, 14}, {16, 15, 13, 4}, {17, 14}, {18, 11},        {19, 6, 2, 1},
      {20, 17},      {21, 19}, {22, 21},        {23, 18}, {24, 23, 22, 17}};
  return kTaps[order - 2];
}

Eigen::VectorXd prbs(Eigen::Index samples, const PrbsOptions& options, RandomStream& random) {
  check::at_least("prbs", "samples", samples, 1);
  check::in_range("prbs", "order", options.order, 2, 24);
  check::at_least("prbs", "clock_samples", options.clock_samples, 1);
  check::finite("prbs", "amplitude", options.amplitude);
  const std::uint32_t all_ones = (std::uint32_t{1} << options.order) - 1;
  std::uint32_t mask = 0;  // bit t-1 of the register holds bit(k - t)
  for (const int tap : prbs_taps(options.order)) {
    mask |= std::uint32_t{1} << (tap - 1);
  }
  std::uint32_t bits = 1 + random.below(all_ones);  // any but zero, which would stay zero
  Eigen::VectorXd values(samples);
  for (Eigen::Index k = 0; k < samples; k += options.clock_samples) {
    const std::uint32_t bit = static_cast<std::uint32_t>(std::popcount(bits & mask)) & 1u;
    bits = ((bits << 1) | bit) & all_ones;
    const Eigen::Index held = std::min(options.clock_samples, samples - k);
    values.segment(k, held).setConstant(bit == 1 ? options.amplitude : -options.amplitude);
  }
  return values;
}

Eigen::VectorXd spline_noise(Eigen::Index samples, double step, const SplineNoiseOptions& options,
                             RandomStream& random) {
  check_axis("spline_noise", samples, step);
  check::non_negative("spline_noise", "sigma", options.sigma);
  check::non_negative("spline_noise", "knot_step", options.knot_step);
  const double spacing = options.knot_step / step;
  if (spacing == 0.0) {
    return options.sigma * random.normal_vector(samples);
  }
  if (spacing < 1.0 - kSampleTolerance) {
    throw InvalidInput({.function = "spline_noise",
                        .argument = "knot_step",
                        .rule = fmt::format("must be 0 or at least step = {}", step),
                        .value = fmt::format("{}", options.knot_step)});
  }
  const auto last = static_cast<double>(samples - 1);
  const auto intervals = static_cast<Eigen::Index>(std::ceil(last / spacing - kSampleTolerance));
  const Eigen::Index knots = std::max<Eigen::Index>(intervals, 1) + 1;
  const Eigen::VectorXd places =
      Eigen::VectorXd::LinSpaced(knots, 0.0, static_cast<double>(knots - 1) * spacing);
  const Eigen::VectorXd values = options.sigma * random.normal_vector(knots);
  return cubic_spline(places, values)(Eigen::VectorXd::LinSpaced(samples, 0.0, last));
}

Eigen::VectorXd steps(Eigen::Index samples, double step, const StepsOptions& options) {
  check_axis("steps", samples, step);
  check::size("steps", "levels", static_cast<long long>(options.levels.size()),
              static_cast<long long>(options.times.size()));
  Eigen::VectorXd values = Eigen::VectorXd::Zero(samples);
  for (std::size_t i = 0; i < options.times.size(); ++i) {
    check::finite("steps", "times", options.times[i]);
    check::finite("steps", "levels", options.levels[i]);
    if (i > 0 && options.times[i] <= options.times[i - 1]) {
      throw InvalidInput(
          {.function = "steps",
           .argument = "times",
           .rule = "must increase",
           .value = fmt::format("{} after {}", options.times[i], options.times[i - 1])});
    }
    const Eigen::Index first = first_sample(options.times[i], step, samples);
    values.tail(samples - first).setConstant(options.levels[i]);
  }
  return values;
}

Eigen::VectorXd pulses(Eigen::Index samples, double step, const PulsesOptions& options) {
  check_axis("pulses", samples, step);
  check::finite("pulses", "amplitude", options.amplitude);
  check::finite("pulses", "width", options.width);
  if (options.width < 2.0 * step * (1.0 - kSampleTolerance)) {
    throw InvalidInput({.function = "pulses",
                        .argument = "width",
                        .rule = fmt::format("must be at least two steps = {}", 2.0 * step),
                        .value = fmt::format("{}", options.width)});
  }
  Eigen::VectorXd values = Eigen::VectorXd::Zero(samples);
  for (const double time : options.times) {
    check::finite("pulses", "times", time);
    const Eigen::Index end = first_sample(time + options.width, step, samples);
    for (Eigen::Index k = first_sample(time, step, samples); k < end; ++k) {
      const double share = (static_cast<double>(k) * step - time) / options.width;
      values(k) += options.amplitude * std::sin(kPi * std::max(share, 0.0));
    }
  }
  return values;
}

namespace {

/// One overload for each kind.
struct ExcitationMaker {
  Eigen::Index samples;
  double step;
  RandomStream& random;

  Eigen::VectorXd operator()(const SplineNoiseOptions& options) const {
    return spline_noise(samples, step, options, random);
  }
  Eigen::VectorXd operator()(const MultisineOptions& options) const {
    return multisine(samples, options, random);
  }
  Eigen::VectorXd operator()(const ChirpOptions& options) const {
    return chirp(samples, step, options);
  }
  Eigen::VectorXd operator()(const PrbsOptions& options) const {
    return prbs(samples, options, random);
  }
  Eigen::VectorXd operator()(const StepsOptions& options) const {
    return steps(samples, step, options);
  }
  Eigen::VectorXd operator()(const PulsesOptions& options) const {
    return pulses(samples, step, options);
  }
};

}  // namespace

Eigen::VectorXd make_excitation(Eigen::Index samples, double step, const Excitation& excitation,
                                RandomStream& random) {
  return std::visit(ExcitationMaker{samples, step, random}, excitation);
}

}  // namespace alembert::signal
