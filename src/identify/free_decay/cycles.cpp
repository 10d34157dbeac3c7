#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/identify/free_decay.hpp"
#include "alembert/signal/snr.hpp"
#include "identify/free_decay/extrema.hpp"
#include "identify/free_decay/frequency.hpp"
#include "identify/free_decay/running_mean.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kSmoothedShare = 0.1;  // of a cycle, to steady the crossings of a noisy record

// Places, in samples, where a record passes zero. One counts only if the record has been beyond
// `threshold` on both sides, so that noise about zero makes no crossings of its own.
std::vector<double> crossings_of(const VectorXd& values, double threshold) {
  std::vector<double> places;
  int side = 0;
  double last_change = 0.0;
  for (Index k = 0; k < values.size(); ++k) {
    if (k > 0 && (values(k) > 0.0) != (values(k - 1) > 0.0)) {
      last_change = static_cast<double>(k - 1) + values(k - 1) / (values(k - 1) - values(k));
    }
    const int now = values(k) > threshold ? 1 : (values(k) < -threshold ? -1 : 0);
    if (now == 0 || now == side) continue;
    if (side != 0) places.push_back(last_change);
    side = now;
  }
  return places;
}

// The line through the crossings: its slope is half a cycle.
void measure_period(Cycles& cycles) {
  const auto n = static_cast<Index>(cycles.crossings.size());
  if (n < 3) return;
  const double middle = 0.5 * static_cast<double>(n - 1);
  double mean = 0.0;
  for (const double time : cycles.crossings) mean += time / static_cast<double>(n);
  double product = 0.0;
  double square = 0.0;
  for (Index k = 0; k < n; ++k) {
    const double x = static_cast<double>(k) - middle;
    product += x * (cycles.crossings[static_cast<std::size_t>(k)] - mean);
    square += x * x;
  }
  const double slope = product / square;
  double misfit = 0.0;
  for (Index k = 0; k < n; ++k) {
    const double x = static_cast<double>(k) - middle;
    const double e = cycles.crossings[static_cast<std::size_t>(k)] - mean - slope * x;
    misfit += e * e;
  }
  cycles.period = 2.0 * slope;
  cycles.period_deviation = 2.0 * std::sqrt(misfit / static_cast<double>(n - 2) / square);
}

void measure_amplitude(Cycles& cycles, double fitted) {
  cycles.amplitude = fitted;
  for (const Extremum& one : cycles.extrema) {
    cycles.amplitude = std::max(cycles.amplitude, std::abs(one.value - cycles.offset));
  }
}

double mean_over_cycles(const Eigen::Ref<const VectorXd>& values, double step, double period,
                        double otherwise) {
  const Baseline baseline = cycle_baseline(values, step, period);
  return baseline.values.size() > 0 ? baseline.values.mean() : otherwise;
}

}  // namespace

Baseline cycle_baseline(const Eigen::Ref<const VectorXd>& values, double step, double period) {
  const double width = period / step;
  Baseline baseline;
  const RunningMean once = running_mean(values, width);
  if (once.values.size() < 2) return baseline;
  const RunningMean twice = running_mean(once.values, width);
  baseline.values = twice.values;
  baseline.times.resize(twice.values.size());
  for (Index k = 0; k < baseline.times.size(); ++k) {
    baseline.times(k) = step * static_cast<double>(once.first + twice.first + k);
  }
  return baseline;
}

Cycles find_cycles(const Eigen::Ref<const VectorXd>& values, double step) {
  check::at_least("find_cycles", "size of values", values.size(), 8);
  check::all_finite("find_cycles", "values", values);
  check::positive("find_cycles", "step", step);
  Cycles cycles;
  const double duration = step * static_cast<double>(values.size() - 1);
  if (values.maxCoeff() == values.minCoeff()) {
    cycles.status = Status::NotIdentifiable;
    cycles.message = fmt::format("all samples are {:.6g}", values(0));
    return cycles;
  }
  const CoarseOscillation coarse = coarse_oscillation(values);
  cycles.noise = signal::noise_by_differences(values).sigma;
  double samples = static_cast<double>(values.size()) / coarse.cycles;
  for (int pass = 0; pass < 2; ++pass) {  // once more with the length that was found
    const VectorXd rest = values - smooth_baseline(values, samples, coarse.offset);
    const double width = std::max(1.0, kSmoothedShare * samples);
    const VectorXd smooth = width > 1.5 ? extended_mean(rest, width) : rest;
    const double threshold =
        std::max(4.0 * cycles.noise / std::sqrt(width), 1e-3 * smooth.cwiseAbs().maxCoeff());
    cycles.crossings = crossings_of(smooth, threshold);
    for (double& place : cycles.crossings) place *= step;
    cycles.period = step * samples;
    measure_period(cycles);
    samples = cycles.period / step;
  }
  cycles.count = duration / cycles.period;
  cycles.offset = mean_over_cycles(values, step, cycles.period, coarse.offset);
  cycles.extrema = extrema_between(values, step, cycles);
  measure_amplitude(cycles, coarse.amplitude);
  // A sine fitted to n samples of noise has an amplitude of about 2σ√(ln n/n).
  const auto n = static_cast<double>(values.size());
  if (coarse.amplitude < 4.0 * cycles.noise * std::sqrt(std::log(n) / n)) {
    cycles.status = Status::NotIdentifiable;
    cycles.message = fmt::format(
        "no oscillation: the strongest sine has an amplitude of {:.3g}, the noise a standard "
        "deviation of {:.3g}",
        coarse.amplitude, cycles.noise);
  }
  return cycles;
}

}  // namespace alembert::identify
