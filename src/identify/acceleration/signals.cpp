#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/acceleration_regression.hpp"
#include "alembert/signal/smoothing.hpp"
#include "alembert/signal/snr.hpp"
#include "alembert/signal/spline.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kReconstruct = "integrate_record";

// A signal with its first and second integral, 0 at the first sample.
struct Integrals {
  VectorXd values, once, twice;
};

VectorXd times_of(Index samples, double step) {
  VectorXd times(samples);
  for (Index k = 0; k < samples; ++k) times(k) = static_cast<double>(k) * step;
  return times;
}

// With u, u' at both ends of an interval h (Hermite's cubic):
//   ∫ u dt  = h/2 (u + u₊) + h²/12 (u' - u'₊)
//   ∫∫ u dt² = h² (7u + 3u₊)/20 + h³ (u'/20 - u'₊/30)
Integrals integrate_cubic(const VectorXd& u, double h) {
  const MatrixXd slopes = signal::cubic_slopes(h, u);
  Integrals result{u, VectorXd::Zero(u.size()), VectorXd::Zero(u.size())};
  for (Index k = 0; k + 1 < u.size(); ++k) {
    const double s = h * slopes(k, 0);
    const double e = h * slopes(k + 1, 0);
    result.once(k + 1) = result.once(k) + h * (0.5 * (u(k) + u(k + 1)) + (s - e) / 12.0);
    result.twice(k + 1) = result.twice(k) + h * result.once(k) +
                          h * h * (0.35 * u(k) + 0.15 * u(k + 1) + s / 20.0 - e / 30.0);
  }
  return result;
}

Integrals integrate_spline(VectorXd values, const signal::PiecewisePolynomial& spline,
                           const VectorXd& times) {
  const signal::PiecewisePolynomial once = spline.antiderivative();
  Integrals result{std::move(values), once(times), once.antiderivative()(times)};
  // A smoothing spline has a knot before the first sample.
  const double v = result.once(0);
  const double x = result.twice(0);
  for (Index k = 0; k < times.size(); ++k) {
    result.once(k) -= v;
    result.twice(k) -= x + v * (times(k) - times(0));
  }
  return result;
}

Integrals integrate(const VectorXd& u, double h, AccelerationSpline spline) {
  if (spline == AccelerationSpline::Cubic) return integrate_cubic(u, h);
  const VectorXd times = times_of(u.size(), h);
  return integrate_spline(u, signal::quintic_spline(times, u), times);
}

void check_record(const AccelerationRecord& record, const ReconstructionOptions& options) {
  check::positive(kReconstruct, "step", record.step);
  check::finite(kReconstruct, "start_time", record.start_time);
  check::at_least(kReconstruct, "samples", record.samples(), 8);
  check::all_finite(kReconstruct, "acceleration", record.acceleration);
  for (const auto& [name, signal] :
       {std::pair{"velocity", &record.velocity}, std::pair{"displacement", &record.displacement}}) {
    if (signal->size() == 0) continue;
    check::size(kReconstruct, name, signal->size(), record.samples());
    check::all_finite(kReconstruct, name, *signal);
  }
  if (record.forcing.size() > 0) {
    check::shape(kReconstruct, "forcing", record.forcing, record.samples(), record.forcing.cols());
    check::all_finite(kReconstruct, "forcing", record.forcing);
  }
  check::at_least(kReconstruct, "every", options.every, 1);
  check::non_negative(kReconstruct, "cycle", options.cycle);
  check::finite(kReconstruct, "snr_limit_db", options.snr_limit_db);
}

void copy_rows(const VectorXd& source, Index every, std::vector<double>& target) {
  target.clear();
  for (Index k = 0; k < source.size(); k += every) target.push_back(source(k));
}

bool wants_smoothing(const IntegratedSignals& signals, const ReconstructionOptions& options) {
  if (options.smoothing != Choice::Automatic) return options.smoothing == Choice::Always;
  return signals.snr_db <= options.snr_limit_db && options.every > 1;
}

std::string note_of(const IntegratedSignals& signals, const ReconstructionOptions& options) {
  const std::string rate = signals.cycle > 0.0 ? fmt::format("{:.0f} samples per cycle",
                                                             signals.cycle / signals.record_step)
                                               : std::string("less than one cycle");
  if (signals.smoothed) {
    return fmt::format("smoothing spline, lambda {:.3g} s^3 {}; SNR about {:.0f} dB, {}",
                       signals.lambda, options.lambda ? "as given" : "by cross-validation",
                       signals.snr_db, rate);
  }
  return fmt::format("{} interpolating spline, no smoothing; SNR about {:.0f} dB, {}",
                     name_of(options.spline), signals.snr_db, rate);
}

// The acceleration with its integrals, smoothed where that is wanted.
Integrals integrals_of(const AccelerationRecord& record, const ReconstructionOptions& options,
                       IntegratedSignals& signals) {
  if (!wants_smoothing(signals, options)) {
    return integrate(record.acceleration, record.step, options.spline);
  }
  const VectorXd times = times_of(record.samples(), record.step);
  const signal::SmoothingResult smoothed =
      signal::smooth(times, record.acceleration, {.lambda = options.lambda});
  signals.smoothed = true;
  signals.lambda = smoothed.lambda;
  return integrate_spline(smoothed.fitted, smoothed.spline, times);
}

// Zero crossings of one direction or both, at the places of lines between samples.
struct Crossings {
  double first = 0.0, last = 0.0;
  int count = 0;

  void add(double place) {
    if (count == 0) first = place;
    last = place;
    ++count;
  }
};

}  // namespace

double cycle_length(const VectorXd& signal, double step) {
  check::positive("cycle_length", "step", step);
  if (signal.size() < 3) return 0.0;
  const double mean = 0.5 * (signal.maxCoeff() + signal.minCoeff());
  const double largest = 0.5 * (signal.maxCoeff() - signal.minCoeff());
  const double noise = signal::noise_by_differences(signal).sigma;
  const double band = std::max(0.05 * largest, std::min(4.0 * noise, 0.5 * largest));
  if (!(band > 0.0)) return 0.0;
  Crossings rising, falling;
  int side = 0;
  double place = 0.0;  // of the last change of sign
  for (Index k = 0; k < signal.size(); ++k) {
    const double y = signal(k) - mean;
    if (k > 0) {
      const double before = signal(k - 1) - mean;
      if ((before < 0.0) != (y < 0.0)) place = static_cast<double>(k) - y / (y - before);
    }
    const int now = y > band ? 1 : y < -band ? -1 : 0;
    if (now == 0 || now == side) continue;
    if (side != 0) (now > 0 ? rising : falling).add(place);
    side = now;
  }
  const Crossings& more = rising.count >= falling.count ? rising : falling;
  if (more.count >= 2) return step * (more.last - more.first) / (more.count - 1);
  // One crossing of each direction: half a cycle.
  if (rising.count == 1 && falling.count == 1) {
    const double cycle = 2.0 * step * std::abs(rising.first - falling.first);
    return cycle <= step * static_cast<double>(signal.size() - 1) ? cycle : 0.0;
  }
  return 0.0;
}

IntegratedSignals integrate_record(const AccelerationRecord& record,
                                   const ReconstructionOptions& options) {
  check_record(record, options);
  IntegratedSignals signals;
  signals.record_step = record.step;
  signals.start_time = record.start_time;
  signals.cycle =
      options.cycle > 0.0 ? options.cycle : cycle_length(record.acceleration, record.step);
  const double duration = static_cast<double>(record.samples() - 1) * record.step;
  signals.cycles = signals.cycle > 0.0 ? duration / signals.cycle : 0.0;
  const signal::NoiseEstimate noise = signal::noise_by_differences(record.acceleration);
  signals.noise = noise.sigma;
  signals.snr_db = noise.snr_db;
  Integrals motion = integrals_of(record, options, signals);
  signals.velocity_measured = record.velocity.size() > 0;
  signals.displacement_measured = record.displacement.size() > 0;
  if (signals.velocity_measured) {
    motion.twice = integrate(record.velocity, record.step, options.spline).once;
    motion.once = record.velocity;
  }
  if (signals.displacement_measured) motion.twice = record.displacement;
  const Index every = options.every;
  signals.step = record.step * static_cast<double>(every);
  copy_rows(motion.values, every, signals.A);
  copy_rows(motion.once, every, signals.V);
  copy_rows(motion.twice, every, signals.X);
  for (Index k = 0; k < record.forcing.rows(); k += every) {
    for (Index i = 0; i < record.forcing.cols(); ++i) {
      signals.inputs.push_back(record.forcing(k, i));
    }
  }
  signals.note = note_of(signals, options);
  return signals;
}

}  // namespace alembert::identify
