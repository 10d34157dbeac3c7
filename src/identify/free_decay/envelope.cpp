#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/identify/free_decay.hpp"
#include "alembert/signal/hilbert.hpp"
#include "alembert/signal/spline.hpp"
#include "identify/free_decay/running_mean.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Decay rate α of the amplitudes, 0 where they are too few.
double mean_rate(const Cycles& cycles) {
  const LogDecrement decrement = logarithmic_decrement(cycles);
  return decrement.ok() ? decrement.decrement / cycles.period : 0.0;
}

VectorXd grid(Index count, double begin, double end) {
  VectorXd times(count);
  for (Index k = 0; k < count; ++k) {
    times(k) = begin + (end - begin) * static_cast<double>(k) / static_cast<double>(count - 1);
  }
  return times;
}

// One period of the odd continuation about both ends, which are zeros.
VectorXd odd_period(const VectorXd& inner) {
  const Index m = inner.size() - 1;
  VectorXd period(2 * m);
  for (Index k = 0; k < 2 * m; ++k) period(k) = k <= m ? inner(k) : -inner(2 * m - k);
  period(0) = 0.0;
  period(m) = 0.0;
  return period;
}

VectorXd unwrapped_phase(const Eigen::VectorXcd& z) {
  VectorXd phase(z.size());
  double turns = 0.0;
  for (Index k = 0; k < z.size(); ++k) {
    const double wrapped = std::arg(z(k));
    if (k > 0) {
      const double jump = wrapped + turns - phase(k - 1);
      turns -= 2.0 * std::numbers::pi * std::round(jump / (2.0 * std::numbers::pi));
    }
    phase(k) = wrapped + turns;
  }
  return phase;
}

// Values between samples at a constant step.
double between(const VectorXd& values, double place) {
  const auto k = std::min(static_cast<Index>(place), values.size() - 2);
  const double s = place - static_cast<double>(k);
  return values(k) + s * (values(k + 1) - values(k));
}

// Differences over one cycle of the phase and of the logarithm of the envelope.
void differences(DecayEnvelope& result, const VectorXd& phase, double period) {
  const double step = result.times(1) - result.times(0);
  const double width = period / step;
  const VectorXd logs = result.envelope.array().log().matrix();
  const RunningMean means = running_mean(logs, width);
  const Index n = means.values.size();
  result.inner_times = result.times.segment(means.first, n);
  result.amplitude = means.values.array().exp().matrix();
  result.frequency_hz.resize(n);
  result.decay_rate.resize(n);
  for (Index k = 0; k < n; ++k) {
    const double a = static_cast<double>(means.first + k) - 0.5 * width;
    const double b = a + width;
    const double turn = between(phase, b) - between(phase, a);
    result.frequency_hz(k) = turn / (2.0 * std::numbers::pi * period);
    result.decay_rate(k) = (between(logs, a) - between(logs, b)) / period;
  }
}

}  // namespace

DecayEnvelope decay_envelope(const Eigen::Ref<const VectorXd>& values, double step,
                             const Cycles& cycles) {
  DecayEnvelope result;
  if (cycles.crossings.size() < 4) {
    result.status = Status::NotIdentifiable;
    result.message = "the envelope needs at least 4 crossings (1.5 cycles)";
    return result;
  }
  const double alpha = mean_rate(cycles);
  const VectorXd baseline = smooth_baseline(values, cycles.period / step, cycles.offset);
  VectorXd flat(values.size());
  for (Index k = 0; k < flat.size(); ++k) {
    flat(k) = (values(k) - baseline(k)) * std::exp(alpha * step * static_cast<double>(k));
  }
  const double begin = cycles.crossings.front();
  const double end = cycles.crossings.back();
  const auto count = static_cast<Index>(std::lround((end - begin) / step)) + 1;
  const VectorXd all = grid(flat.size(), 0.0, step * static_cast<double>(flat.size() - 1));
  result.times = grid(count, begin, end);
  const VectorXd inner = signal::cubic_spline(all, flat)(result.times);
  const Eigen::VectorXcd z = signal::analytic_signal(odd_period(inner)).head(count);
  result.envelope.resize(count);
  for (Index k = 0; k < count; ++k) {
    result.envelope(k) = std::abs(z(k)) * std::exp(-alpha * result.times(k));
  }
  differences(result, unwrapped_phase(z), cycles.period);
  return result;
}

}  // namespace alembert::identify
