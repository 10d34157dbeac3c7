#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "identify/acceleration/noise_influence.hpp"
#include "identify/acceleration/sensed_model.hpp"
#include "identify/acceleration/window_fitter.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr const char* kIdentify = "regress_acceleration";
// An offset counts if it is so many standard deviations from zero.
constexpr double kSignificant = 4.0;
constexpr double kSamplesForJumps = 500.0;  // per cycle
// A residual so many times the noise is not noise.
constexpr double kMuchMore = 3.0;
// Below this length in cycles an unknown offset takes too much from the damping.
constexpr double kOffsetCycles = 1.5;
// The scatter of windows counts from so many that do not overlap on, if chance leads to it in one
// of a thousand records only.
constexpr double kFewestWindows = 3.0;
constexpr double kByChance = 1e-3;

// Standard deviation of A over a stretch.
double strength_of(const IntegratedSignals& signals, const Stretch& stretch) {
  double sum = 0.0, squares = 0.0;
  for (Index k = stretch.first; k < stretch.first + stretch.samples; ++k) {
    const double A = signals.A[static_cast<std::size_t>(k)];
    sum += A;
    squares += A * A;
  }
  const auto n = static_cast<double>(stretch.samples);
  return std::sqrt(std::max(0.0, squares / n - sum * sum / (n * n)));
}

// Windows in which the motion has died out know little, and their share in the mean is as large.
void leave_out_weak(const IntegratedSignals& signals, double least,
                    std::vector<Stretch>& stretches) {
  std::vector<double> strengths;
  for (const Stretch& stretch : stretches) strengths.push_back(strength_of(signals, stretch));
  if (strengths.empty()) return;
  const double limit = least * *std::max_element(strengths.begin(), strengths.end());
  std::vector<Stretch> strong;
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    if (strengths[k] >= limit) strong.push_back(stretches[k]);
  }
  stretches = std::move(strong);
}

std::vector<Stretch> stretches_of(const IntegratedSignals& signals,
                                  const RegressionWindows& options, Index least) {
  const Index rows = signals.samples();
  if (options.length == 0.0) return {{0, rows}};
  const double cycle = signals.cycle / signals.step;
  const Index length =
      std::min(rows, std::max(least, static_cast<Index>(std::lround(options.length * cycle))));
  std::vector<Stretch> result;
  for (Index k = 0;; ++k) {
    const auto first =
        static_cast<Index>(std::lround(static_cast<double>(k) * options.shift * cycle));
    if (first + length > rows) break;
    if (result.empty() || result.back().first != first) result.push_back({first, length});
  }
  leave_out_weak(signals, options.least_amplitude, result);
  return result;
}

// Straight line of y over x.
AmplitudeTrend trend_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0.0, my = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    mx += x[k] / n;
    my += y[k] / n;
  }
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mx) * (x[k] - mx);
    xy += (x[k] - mx) * (y[k] - my);
    yy += (y[k] - my) * (y[k] - my);
  }
  AmplitudeTrend trend{my, 0.0, kNaN};
  if (!(xx > 0.0)) return trend;
  trend.slope = xy / xx;
  trend.at_zero = my - trend.slope * mx;
  if (n > 2.0) {
    trend.deviation = std::sqrt(std::max(0.0, yy - trend.slope * xy) / (n - 2.0) / xx);
  }
  return trend;
}

// Fits all windows, and what their mean is worth.
class WindowedFit {
 public:
  WindowedFit(const EquationOfMotion& equation, const IntegratedSignals& signals,
              const RegressionOptions& options, bool with_offset)
      : regression_(equation, signals, options.fit, with_offset),
        influence_(regression_),
        options_(options) {}

  void run(AccelerationRegression& result) {
    result.windows.clear();
    result.failed = 0;
    const auto least = static_cast<Index>(regression_.columns()) + 2;
    std::optional<WindowState> last;
    Stretch before;
    for (const Stretch& stretch : stretches_of(result.signals, options_.windows, least)) {
      std::optional<WindowState> start;
      if (last && options_.windows.warm_start) {
        start = paper_start() ? *last : regression_.carried(*last, before.first, stretch.first);
      }
      WindowState state;
      result.windows.push_back(fit_once_more(stretch, start, state));
      const bool good = result.windows.back().ok();
      last.reset();
      if (good && influence_.add(regression_, stretch, state)) {
        last = state;
        before = stretch;
      } else if (good) {
        result.windows.back().status = Status::NotIdentifiable;
        result.windows.back().message = "the terms of the equation are linearly dependent";
      }
      if (!result.windows.back().ok()) ++result.failed;
    }
    average(result);
  }

 private:
  // A warm start may lead into another minimum than that of the windows before: a residual well
  // above theirs is tried from a cold one.
  WindowFit fit_once_more(const Stretch& stretch, const std::optional<WindowState>& start,
                          WindowState& state) {
    WindowFit fit = fit_stretch(regression_, stretch, start, state);
    if (start && !paper_start() && fit.ok() && fit.residual > 2.0 * smallest_) {
      WindowState other;
      WindowFit cold = fit_stretch(regression_, stretch, {}, other);
      cold.evaluations += fit.evaluations;
      if (cold.ok() && cold.residual < fit.residual) {
        fit = std::move(cold);
        state = std::move(other);
      }
    }
    if (fit.ok()) smallest_ = std::min(smallest_, fit.residual);
    return fit;
  }

  // The paper takes the start values of the last window as they are.
  [[nodiscard]] bool paper_start() const {
    return options_.fit.method == RegressionMethod::FixedPoint;
  }

  // Differences of neighbours overestimate the noise at low rates, residuals where the equation is
  // wrong.
  void find_noise(AccelerationRegression& result) const {
    double sum = 0.0, count = 0.0;
    for (const WindowFit& window : result.windows) {
      if (!window.ok()) continue;
      sum += window.residual * window.residual * static_cast<double>(window.samples);
      count += static_cast<double>(window.samples) - static_cast<double>(regression_.columns());
    }
    result.residual = std::sqrt(sum / count);
    result.noise = result.signals.smoothed ? result.signals.noise
                                           : std::min(result.signals.noise, result.residual);
  }

  void average(AccelerationRegression& result) const {
    const auto count = static_cast<Index>(result.names.size());
    result.parameters = VectorXd::Zero(count);
    result.spread = VectorXd::Zero(count);
    result.deviations = VectorXd::Zero(count);
    result.offset = 0.0;
    const auto good =
        static_cast<double>(static_cast<Index>(result.windows.size()) - result.failed);
    if (good == 0.0) {
      result.parameters.setConstant(kNaN);
      result.spread.setConstant(kNaN);
      result.deviations.setConstant(kNaN);
      return;
    }
    for (const WindowFit& window : result.windows) {
      if (!window.ok()) continue;
      result.parameters += window.parameters / good;
      result.offset += window.offset / good;
    }
    for (const WindowFit& window : result.windows) {
      if (!window.ok()) continue;
      for (Index j = 0; j < count; ++j) {
        const double part = window.parameters(j) - result.parameters(j);
        result.spread(j) += part * part / std::max(1.0, good - 1.0);
      }
    }
    for (double& value : result.spread) value = std::sqrt(value);
    find_noise(result);
    const std::vector<double> deviations = influence_.deviations(result.noise);
    for (std::size_t c = 0; c < regression_.free_parameters(); ++c) {
      result.deviations(static_cast<Index>(regression_.free()[c])) = deviations[c];
    }
    raise_by_scatter(good, result);
    result.offset_fitted = regression_.offset_column() >= 0;
    result.offset_deviation = result.offset_fitted ? deviations.back() : 0.0;
  }

  // A filter empties the band from which the noise is read, and the noise of an oversampled record
  // is not white. Windows that scatter beyond chance for such noise tell the deviation themselves.
  void raise_by_scatter(double good, AccelerationRegression& result) const {
    const RegressionWindows& windows = options_.windows;
    if (!(windows.length > 0.0)) return;
    const double independent = 1.0 + (good - 1.0) * std::min(1.0, windows.shift / windows.length);
    if (independent < kFewestWindows) return;
    const double freedom = independent - 1.0;
    const double limit = chi_square_quantile(1.0 - kByChance, freedom) / freedom;
    for (const std::size_t c : regression_.free()) {
      double& deviation = result.deviations(static_cast<Index>(c));
      const double scatter = result.spread(static_cast<Index>(c)) / std::sqrt(independent);
      if (scatter * scatter > limit * deviation * deviation) deviation = scatter;
    }
  }

  WindowRegression regression_;
  NoiseInfluence influence_;
  const RegressionOptions& options_;
  double smallest_ = std::numeric_limits<double>::infinity();  // residual so far
};

void find_trends(AccelerationRegression& result) {
  std::vector<double> amplitude, damping, stiffness;
  for (const WindowFit& window : result.windows) {
    if (!window.ok()) continue;
    amplitude.push_back(window.amplitude);
    damping.push_back(window.equivalent_damping);
    stiffness.push_back(window.equivalent_stiffness);
  }
  if (amplitude.empty()) return;
  result.damping_trend = trend_of(amplitude, damping);
  result.stiffness_trend = trend_of(amplitude, stiffness);
  for (Index j = 0; j < result.parameters.size(); ++j) {
    std::vector<double> values;
    for (const WindowFit& window : result.windows) {
      if (window.ok()) values.push_back(window.parameters(j));
    }
    result.trends.push_back(trend_of(amplitude, values));
  }
}

void add_remarks(const EquationOfMotion& equation, AccelerationRegression& result) {
  const IntegratedSignals& signals = result.signals;
  result.remarks.push_back(signals.note);
  if (signals.cycle > 0.0 && signals.cycle / signals.record_step < 20.0) {
    result.remarks.push_back(
        fmt::format("{:.1f} samples per cycle: below 20 the cubic spline biases, below 10 the "
                    "quintic one",
                    signals.cycle / signals.record_step));
  }
  if (signals.cycle < kSamplesForJumps * signals.record_step && has_jumps(equation)) {
    result.remarks.push_back(fmt::format(
        "the spline smears the jumps of the equation over a sample; with less than {:.0f} samples "
        "per cycle trust the output error instead",
        kSamplesForJumps));
  }
  if (signals.smoothed) {
    result.remarks.push_back(
        "the smoothing spline lowers the amplitude and biases the parameters; the reported "
        "deviations "
        "are those of the noise alone");
  }
  if (result.residual > kMuchMore * signals.noise && signals.cycle > 20.0 * signals.record_step) {
    result.remarks.push_back(
        fmt::format("the equation leaves a residual of {:.3g} m/s2, {:.1f} times the noise: it "
                    "lacks a term, or "
                    "the record holds more than this motion",
                    result.residual, result.residual / signals.noise));
  }
  if (result.offset_fitted && result.offset_deviation > 0.0 &&
      std::abs(result.offset) > kSignificant * result.offset_deviation) {
    result.remarks.push_back(fmt::format(
        "the acceleration has an offset of {:.4g} m/s2 (standard deviation {:.2g}); it was removed",
        result.offset, result.offset_deviation));
  }
  if (result.failed > 0) {
    result.remarks.push_back(fmt::format(
        "{} of {} windows failed and are not in the averages: {}", result.failed,
        result.windows.size(),
        std::find_if(result.windows.begin(), result.windows.end(), [](const WindowFit& w) {
          return !w.ok();
        })->message));
  }
}

// The signals without a known offset o of the acceleration.
IntegratedSignals without_offset(IntegratedSignals signals, double o) {
  for (std::size_t k = 0; k < signals.A.size(); ++k) {
    const double t = static_cast<double>(k) * signals.step;
    signals.A[k] -= o;
    if (!signals.velocity_measured) signals.V[k] -= o * t;
    if (!signals.velocity_measured && !signals.displacement_measured) {
      signals.X[k] -= 0.5 * o * t * t;
    }
  }
  return signals;
}

// Windows too short for an offset of their own: one from longer windows, if it is significant.
void fit_short_windows(const EquationOfMotion& equation, const RegressionOptions& options,
                       AccelerationRegression& result) {
  RegressionOptions longer = options;
  longer.windows.length = 2.0;
  longer.windows.shift = 0.5;
  AccelerationRegression trial;
  trial.names = result.names;
  trial.signals = result.signals;
  WindowedFit(equation, trial.signals, longer, true).run(trial);
  const bool counts = std::abs(trial.offset) > kSignificant * trial.offset_deviation;
  const double o = counts && trial.offset_deviation > 0.0 ? trial.offset : 0.0;
  const IntegratedSignals clean = without_offset(result.signals, o);
  WindowedFit(equation, clean, options, false).run(result);
  if (o == 0.0) return;
  result.offset = o;
  result.offset_deviation = trial.offset_deviation;
  result.offset_fitted = true;
  for (WindowFit& window : result.windows) window.offset = o;
}

void fit_windows(const EquationOfMotion& equation, const RegressionOptions& options,
                 AccelerationRegression& result) {
  const WindowFitOptions& fit = options.fit;
  const double cycles = result.signals.cycles;
  const double length = options.windows.length == 0.0 ? cycles : options.windows.length;
  const bool automatic = fit.offset == Choice::Automatic && !fit.drift;
  if (automatic && result.signals.hides_offset()) {
    WindowedFit(equation, result.signals, options, false).run(result);
    return;
  }
  const bool projected = fit.method == RegressionMethod::VariableProjection;
  if (automatic && projected && length < kOffsetCycles && cycles >= 2.0) {
    fit_short_windows(equation, options, result);
    return;
  }
  const bool with_offset = automatic ? projected && std::min(length, cycles) >= kOffsetCycles
                                     : fit.drift || fit.offset == Choice::Always;
  WindowedFit(equation, result.signals, options, with_offset).run(result);
}

void check_options(const RegressionOptions& options) {
  check::positive(kIdentify, "tolerance", options.fit.tolerance);
  check::at_least(kIdentify, "max_iterations", options.fit.max_iterations, 1);
  check::non_negative(kIdentify, "window length", options.windows.length);
  check::positive(kIdentify, "window shift", options.windows.shift);
  check::in_range(kIdentify, "least_amplitude", options.windows.least_amplitude, 0.0, 1.0);
}

}  // namespace

AccelerationRegression regress_acceleration(const EquationOfMotion& equation,
                                            IntegratedSignals signals,
                                            const RegressionOptions& options) {
  check_options(options);
  AccelerationRegression result;
  result.names = equation.parameters();
  result.linear = equation.linear;
  result.signals = std::move(signals);
  const double needed = std::max(1.0, options.windows.length);
  if (result.signals.cycles < 1.0) {
    result.status = Status::NotIdentifiable;
    result.message =
        fmt::format("the record has less than one cycle; record at least {:.0f}", needed);
    return result;
  }
  fit_windows(equation, options, result);
  find_trends(result);
  add_remarks(equation, result);
  const auto windows = static_cast<Index>(result.windows.size());
  if (windows == 0) {
    result.status = Status::NotIdentifiable;
    result.message = fmt::format("the record has {:.2f} cycles, fewer than a window of {}",
                                 result.signals.cycles, options.windows.length);
  } else if (2 * result.failed > windows) {
    const auto bad = std::find_if(result.windows.begin(), result.windows.end(),
                                  [](const WindowFit& window) { return !window.ok(); });
    result.status = bad->status;
    result.message =
        fmt::format("{} of {} windows failed: {}", result.failed, windows, bad->message);
  }
  return result;
}

AccelerationRegression regress_acceleration(const EquationOfMotion& equation,
                                            const AccelerationRecord& record,
                                            const RegressionOptions& options) {
  return regress_acceleration(equation, integrate_record(record, options.reconstruction), options);
}

}  // namespace alembert::identify
