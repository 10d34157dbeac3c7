#include "identify/acceleration/fit/examine_record.hpp"

#include <algorithm>
#include <cmath>

#include "identify/acceleration/fit/join_windows.hpp"
#include "identify/acceleration/fit/missing_terms.hpp"
#include "identify/acceleration/fit/predict_half.hpp"
#include "identify/diagnosis/spectral_peaks.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

bool any_window(const AccelerationRegression& regression) {
  return std::any_of(regression.windows.begin(), regression.windows.end(),
                     [](const WindowFit& window) { return window.ok(); });
}

VectorXd record_line(double drift, Index samples) {
  return VectorXd::LinSpaced(samples, -0.5 * drift, 0.5 * drift);
}

// The motion of the whole record by what was found.
void simulate_found(const EquationOfMotion& equation, const AccelerationRecord& record,
                    RecordFit& fit) {
  FitGuess start;
  if (fit.refined && fit.refined->parameters.allFinite()) {
    start = {.x0 = fit.refined->x0,
             .v0 = fit.refined->v0,
             .offset = fit.refined->offset,
             .parameters = fit.refined->parameters};
  } else {
    const WindowFit& first = fit.regression.windows.front();
    start = {.x0 = first.x0,
             .v0 = first.v0,
             .offset = fit.regression.offset,
             .parameters = fit.regression.parameters};
  }
  fit.motion = simulate_motion(equation, start.parameters, start.x0, start.v0, record.step,
                               record.samples(), record.forcing, record.start_time);
  if (!fit.motion.ok()) return;
  fit.fitted = fit.motion.acceleration.array() + start.offset;
  fit.residual = record.acceleration - fit.fitted;
  // As the sensor shows it.
  fit.fitted += record_line(fit.drift_removed, record.samples());
}

// Least squares of x'' = const - b x - a x' over samples first .. first + count - 1.
EquivalentLinear equivalent_of(const SimulatedMotion& motion, Index first, Index count) {
  const auto centred = [&](const VectorXd& signal) -> VectorXd {
    const VectorXd part = signal.segment(first, count);
    return part.array() - part.mean();
  };
  const VectorXd x = centred(motion.displacement);
  const VectorXd v = centred(motion.velocity);
  const VectorXd a = centred(motion.acceleration);
  const double xx = x.dot(x), vv = v.dot(v), xv = x.dot(v), xa = x.dot(a), va = v.dot(a);
  const double determinant = xx * vv - xv * xv;
  return {.amplitude = std::sqrt(2.0 * xx / static_cast<double>(count)),
          .stiffness = -(vv * xa - xv * va) / determinant,
          .damping = -(xx * va - xv * xa) / determinant};
}

void find_equivalents(const AccelerationRecord& record, RecordFit& fit) {
  if (!fit.motion.ok()) return;
  const auto cycle = static_cast<Index>(std::lround(fit.diagnosis.cycles.period / record.step));
  const Index length = 2 * cycle;
  for (Index first = 0; cycle > 4 && first + length <= record.samples(); first += cycle) {
    fit.equivalents.push_back(equivalent_of(fit.motion, first, length));
  }
}

// Whether a line of the residuals is one of the motion: the motion itself or a harmonic.
bool belongs_to(double frequency_hz, double base_hz, double duration) {
  const double times = std::round(frequency_hz / base_hz);
  return times >= 1.0 &&
         std::abs(frequency_hz - times * base_hz) < 2.0 / duration + 0.03 * times * base_hz;
}

// A line that stands out of the residuals and is none of the motion is another mode.
void look_at_residual(const AccelerationRecord& record, RecordFit& fit) {
  if (!fit.motion.ok() || fit.residual.size() < 64) return;
  const double duration = record.step * static_cast<double>(record.samples());
  const double base = 1.0 / fit.diagnosis.cycles.period;
  const double noise = fit.diagnosis.cycles.noise;
  for (const SpectralPeak& peak : spectral_peaks(fit.residual, record.step, 0.2)) {
    if (belongs_to(peak.frequency_hz, base, duration)) continue;
    // White noise has lines of about σ √(4 ln n/n).
    const auto n = static_cast<double>(record.samples());
    if (peak.amplitude < 6.0 * noise * std::sqrt(std::log(n) / n)) continue;
    if (peak.amplitude < 2e-3 * fit.diagnosis.cycles.amplitude) continue;
    fit.left_over = peak;
    return;
  }
}

DiagnosisOptions diagnosis_options(const AccelerationRecord& record,
                                   const AccelerationOptions& options) {
  DiagnosisOptions look;
  look.free_decay = record.forcing.cols() == 0;
  look.unit = options.sensor_unit;
  look.factor = options.sensor_factor;
  look.displacement = options.amplitude;
  if (!look.displacement && record.displacement.size() > 0) {
    const double middle = record.displacement.mean();
    look.displacement = (record.displacement.array() - middle).abs().maxCoeff();
  }
  return look;
}

RegressionOptions regression_options(const EquationOfMotion& equation,
                                     const AccelerationOptions& given, const Cycles& cycles) {
  RegressionOptions options = given.regression;
  options.fit.parameters = entries_for(equation, given.parameters);
  if (options.reconstruction.cycle == 0.0) options.reconstruction.cycle = cycles.period;
  // A record shorter than a window is one window.
  if (options.windows.length > cycles.count) options.windows.length = 0.0;
  return options;
}

// What follows the regression.
void complete(const EquationOfMotion& equation, const AccelerationRecord& record,
              const AccelerationOptions& options, RecordFit& fit) {
  join_windows(fit);
  if (options.refine) {
    EquationRefineOptions refinement = options.refinement;
    refinement.parameters = entries_for(equation, options.parameters);
    fit.refined = refine_equation(equation, record, fit.regression, refinement);
  }
  simulate_found(equation, record, fit);
  find_equivalents(record, fit);
  look_at_residual(record, fit);
  if (fit.refined && fit.refined->ok()) {
    fit.second_half = predict_half(equation, record, options, fit);
    fit.missing_terms = missing_terms(equation, record, fit);
  }
}

}  // namespace

AccelerationRecord without_drift(const AccelerationRecord& record, double drift) {
  AccelerationRecord level = record;
  level.acceleration -= record_line(drift, record.samples());
  return level;
}

std::vector<optimize::Parameter> entries_for(const EquationOfMotion& equation,
                                             const std::vector<optimize::Parameter>& entries) {
  std::vector<optimize::Parameter> own;
  for (const optimize::Parameter& entry : entries) {
    const std::vector<std::string>& names = equation.parameters();
    if (std::find(names.begin(), names.end(), entry.name) != names.end()) own.push_back(entry);
  }
  return own;
}

RecordFit examine_record(const EquationOfMotion& equation, const AccelerationRecord& measured,
                         const AccelerationOptions& options) {
  RecordFit fit;
  fit.diagnosis =
      diagnose_record(measured.acceleration, measured.step, diagnosis_options(measured, options));
  const Cycles& cycles = fit.diagnosis.cycles;
  fit.decrement = logarithmic_decrement(cycles);
  if (fit.diagnosis.fatal() != nullptr) return fit;
  // The output error knows an offset but no slope: what the means over cycles show goes first.
  if (options.regression.fit.drift) fit.drift_removed = fit.diagnosis.drift;
  const AccelerationRecord record = without_drift(measured, fit.drift_removed);
  fit.envelope = decay_envelope(record.acceleration, record.step, cycles);
  fit.regression =
      regress_acceleration(equation, record, regression_options(equation, options, cycles));
  if (any_window(fit.regression)) complete(equation, record, options, fit);
  return fit;
}

}  // namespace alembert::identify
