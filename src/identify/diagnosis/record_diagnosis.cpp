#include "alembert/identify/record_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "identify/diagnosis/clipping.hpp"
#include "identify/diagnosis/spectral_peaks.hpp"
#include "identify/diagnosis/unit.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kOffsetShare = 1e-3;  // of the amplitude: far less than biases the regression
constexpr double kSignificantBaseline = 5.0;  // standard deviations
constexpr double kSecondMode = 0.02;          // of the first line
constexpr double kBeat = 0.1;                 // fall and growth of the envelope
constexpr double kOffsetShareOfFew = 0.3;
// A decay that begins at any phase comes to its amplitude within half a cycle. The acceleration of
// a softening spring grows afterwards, to twice its first peak where c x0² = -0.76 b.
constexpr double kMoving = 0.3;        // of the largest deflection
constexpr double kLatestStart = 0.75;  // cycles

void add(RecordDiagnosis& diagnosis, RecordFault fault, std::string text, bool fatal = false) {
  diagnosis.findings.push_back({fault, std::move(text), fatal});
}

void look_at_length(RecordDiagnosis& diagnosis, double step) {
  const Cycles& cycles = diagnosis.cycles;
  if (!cycles.ok()) {
    add(diagnosis, RecordFault::NoOscillation, cycles.message, true);
    return;
  }
  if (cycles.count < 0.97) {
    add(diagnosis, RecordFault::TooShort,
        fmt::format("the record has less than one cycle ({:.2f} of about {:.3g} s): stiffness and "
                    "damping cannot both be found; record at least two",
                    cycles.count, cycles.period),
        true);
  } else if (cycles.count < 2.0) {
    add(diagnosis, RecordFault::FewCycles,
        fmt::format(
            "the record has {:.2f} cycles: damping is poorly known, and an offset looks like "
            "stiffness; record at least two",
            cycles.count));
  }
  const double samples = cycles.period / step;
  if (samples < 10.0) {
    add(diagnosis, RecordFault::CoarseSampling,
        fmt::format("a cycle has {:.1f} samples; splines need 20 (cubic) or 10 (quintic)",
                    samples));
  }
}

void look_at_clipping(RecordDiagnosis& diagnosis, const Eigen::Ref<const VectorXd>& values,
                      const Clipping& clipping) {
  if (!clipping.any()) return;
  const std::string places =
      clipping.upper > 0 && clipping.lower > 0
          ? fmt::format("at {:.6g} and {:.6g}", clipping.lowest, clipping.highest)
          : fmt::format("at {:.6g}", clipping.upper > 0 ? clipping.highest : clipping.lowest);
  const Index samples = clipping.upper + clipping.lower;
  add(diagnosis, RecordFault::Clipped,
      fmt::format(
          "the signal is clipped: {} of {} samples stand in runs {}, beside which the signal "
          "falls off steeply; stiffness and damping would come out wrong. Lower the gain, or "
          "use a later part of the record",
          samples, values.size(), places));
}

// Mean of the cycle baseline, and the change of the line through it over the record. Noise of
// standard deviation σ leaves σ/√N in a mean of N samples, and √12 of that in the change.
void measure_baseline(RecordDiagnosis& diagnosis, const Eigen::Ref<const VectorXd>& values,
                      double step) {
  const Cycles& cycles = diagnosis.cycles;
  const auto n = static_cast<double>(values.size());
  diagnosis.offset = cycles.offset;
  diagnosis.offset_deviation = cycles.noise / std::sqrt(n);
  const Baseline baseline = cycle_baseline(values, step, cycles.period);
  if (cycles.count < 3.0 || baseline.values.size() < 2) return;
  const double middle = baseline.times.mean();
  const double mean = baseline.values.mean();
  double product = 0.0;
  double square = 0.0;
  for (Index k = 0; k < baseline.times.size(); ++k) {
    const double t = baseline.times(k) - middle;
    product += t * (baseline.values(k) - mean);
    square += t * t;
  }
  const double duration = step * (n - 1.0);
  const double covered = baseline.times(baseline.times.size() - 1) - baseline.times(0);
  diagnosis.drift = product / square * duration;
  diagnosis.drift_deviation =
      std::sqrt(12.0) * diagnosis.offset_deviation * std::pow(duration / covered, 1.5);
}

// What means over a cycle leave of an oscillation, as a part of its amplitude: second order in how
// much the cycle changes along the record and in the decay per cycle.
double baseline_leak(const Cycles& cycles) {
  const std::vector<double>& crossings = cycles.crossings;
  if (crossings.size() < 3 || cycles.extrema.size() < 2) return 0.0;
  double shortest = crossings[2] - crossings[0];
  double longest = shortest;
  for (std::size_t k = 2; k < crossings.size(); ++k) {
    shortest = std::min(shortest, crossings[k] - crossings[k - 2]);
    longest = std::max(longest, crossings[k] - crossings[k - 2]);
  }
  const double change = 0.5 * (longest - shortest) / cycles.period;
  const Extremum& first = cycles.extrema.front();
  const Extremum& last = cycles.extrema.back();
  const double fall =
      std::log(std::abs((first.value - cycles.offset) / (last.value - cycles.offset)));
  const double decay = fall * cycles.period / (2.0 * std::numbers::pi * (last.time - first.time));
  return change * change + (std::isfinite(decay) ? decay * decay : 0.0);
}

void look_at_baseline(RecordDiagnosis& diagnosis) {
  const double size = diagnosis.cycles.amplitude;
  // Below three cycles the offset is that of a fitted sine, which damping and nonlinearity move.
  const bool few = diagnosis.cycles.count < 3.0;
  const double share =
      few ? kOffsetShareOfFew : kOffsetShare + 2.0 * baseline_leak(diagnosis.cycles);
  const auto counts = [&](double value, double deviation, double least) {
    return std::abs(value) > std::max(least * size, kSignificantBaseline * deviation);
  };
  if (counts(diagnosis.offset, diagnosis.offset_deviation, share)) {
    add(diagnosis, RecordFault::Offset,
        fmt::format("the sensor has an offset of {:.4g} ({:.2g} % of the amplitude); unless it is "
                    "estimated with the parameters, it turns into stiffness and nonlinearity",
                    diagnosis.offset, 100.0 * std::abs(diagnosis.offset) / size));
  }
  if (!few && counts(diagnosis.drift, diagnosis.drift_deviation, 3.0 * share)) {
    add(diagnosis, RecordFault::Drift,
        fmt::format("the sensor drifts by {:.4g} over the record ({:.2g} % of the amplitude)",
                    diagnosis.drift, 100.0 * std::abs(diagnosis.drift) / size));
  }
}

// Whether a frequency is a multiple of another one within the width of a line; the frequency of a
// nonlinear spring moves by some per cent during the record.
bool is_multiple(double frequency, double base, double width) {
  const double times = std::round(frequency / base);
  return times >= 1.0 && std::abs(frequency - times * base) < width + 0.03 * times * base;
}

void look_for_second_line(RecordDiagnosis& diagnosis, double duration) {
  const std::vector<SpectralPeak>& peaks = diagnosis.peaks;
  if (peaks.size() < 2) return;
  const SpectralPeak& main = peaks.front();
  const double width = 1.5 / duration;
  for (std::size_t i = 1; i < peaks.size(); ++i) {
    const SpectralPeak& one = peaks[i];
    if (one.amplitude < kSecondMode * main.amplitude) continue;
    if (is_multiple(one.frequency_hz, main.frequency_hz, width)) continue;
    add(diagnosis, RecordFault::TwoModes,
        fmt::format(
            "a second mode is in the record: lines at {:.4g} Hz and {:.4g} Hz ({:.2g} % of the "
            "first), which are no harmonics of each other; one degree of freedom does not "
            "describe it",
            main.frequency_hz, one.frequency_hz, 100.0 * one.amplitude / main.amplitude));
    return;
  }
}

// A free decay is largest at once; what comes before the tap is no part of it.
void look_for_rest(RecordDiagnosis& diagnosis, const Eigen::Ref<const VectorXd>& values,
                   double step) {
  const double offset = diagnosis.cycles.offset;
  const double largest = (values.array() - offset).abs().maxCoeff();
  Index first = 0;
  while (std::abs(values(first) - offset) < kMoving * largest) ++first;
  const double rest = static_cast<double>(first) * step;
  if (rest < kLatestStart * diagnosis.cycles.period) return;
  add(diagnosis, RecordFault::LateStart,
      fmt::format(
          "the motion begins {:.4g} s after the first sample; what is before it, and the tap "
          "itself, is no free decay and spoils the result. Use the record from the end of the "
          "tap on",
          rest));
}

// A free decay with one mode does not fall and then grow. Growth alone is no sign: the acceleration
// of a softening spring is largest at a middle amplitude.
void look_for_beats(RecordDiagnosis& diagnosis, const Eigen::Ref<const VectorXd>& values,
                    double step) {
  if (diagnosis.has(RecordFault::TwoModes) || diagnosis.cycles.count < 4.0) return;
  const DecayEnvelope envelope = decay_envelope(values, step, diagnosis.cycles);
  if (!envelope.ok() || envelope.amplitude.size() == 0) return;
  const double samples = diagnosis.cycles.period / step;
  const double noise = 4.0 * diagnosis.cycles.noise / std::sqrt(samples);
  double highest = 0.0;
  double before = 0.0;  // the highest before the lowest
  double lowest = std::numeric_limits<double>::infinity();
  double from = 0.0;
  double growth = 0.0;
  double to = 0.0;
  for (Index k = 0; k < envelope.amplitude.size(); ++k) {
    const double now = envelope.amplitude(k);
    if (now < lowest) {
      lowest = now;
      before = highest;
      if (growth < kBeat) from = envelope.inner_times(k);
    }
    const bool fell = before - noise > (1.0 + kBeat) * (lowest + noise);
    const double rise = (now - noise) / (lowest + noise) - 1.0;
    if (fell && rise > growth) {
      growth = rise;
      to = envelope.inner_times(k);
    }
    highest = std::max(highest, now);
  }
  if (growth < kBeat) return;
  add(diagnosis, RecordFault::TwoModes,
      fmt::format(
          "the envelope falls and then grows by {:.2g} % from {:.3g} s to {:.3g} s, which a "
          "free decay of one degree of freedom does not: beats of two close modes, or a force",
          100.0 * growth, from, to));
}

}  // namespace

std::string_view to_string(RecordFault fault) { return name_of(fault); }

bool RecordDiagnosis::has(RecordFault fault) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const RecordFinding& one) { return one.fault == fault; });
}

const RecordFinding* RecordDiagnosis::fatal() const {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const RecordFinding& one) { return one.fatal; });
  return found == findings.end() ? nullptr : &*found;
}

RecordDiagnosis diagnose_record(const Eigen::Ref<const VectorXd>& values, double step,
                                const DiagnosisOptions& options) {
  RecordDiagnosis diagnosis;
  diagnosis.cycles = find_cycles(values, step);
  look_at_length(diagnosis, step);
  if (!diagnosis.cycles.ok()) return diagnosis;
  const Clipping clipping = find_clipping(values, diagnosis.cycles.noise);
  look_at_clipping(diagnosis, values, clipping);
  measure_baseline(diagnosis, values, step);
  if (diagnosis.fatal() == nullptr) {
    look_at_baseline(diagnosis);
    diagnosis.peaks = spectral_peaks(values, step);
    look_for_second_line(diagnosis, step * static_cast<double>(values.size()));
    if (options.free_decay) {
      look_for_beats(diagnosis, values, step);
      look_for_rest(diagnosis, values, step);
    }
  }
  if (options.acceleration) {
    const UnitQuestion question = unit_question(diagnosis, clipping, options);
    if (!question.text.empty()) {
      add(diagnosis, RecordFault::Unit, question.text);
      diagnosis.findings.back().contradicted = question.contradicted;
    }
  }
  return diagnosis;
}

}  // namespace alembert::identify
