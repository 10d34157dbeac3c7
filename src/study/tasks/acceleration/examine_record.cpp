#include <algorithm>
#include <cmath>
#include <limits>

#include "study/tasks/acceleration/acceleration_steps.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using identify::MotionFit;

constexpr double kNoMotion = std::numeric_limits<double>::quiet_NaN();

bool any_window(const identify::AccelerationResult& regression) {
  return std::any_of(regression.windows.begin(), regression.windows.end(),
                     [](const MotionFit& window) { return window.ok(); });
}

// The good window in whose middle a row lies best.
const MotionFit* nearest_window(const std::vector<MotionFit>& windows, Index row) {
  const MotionFit* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const MotionFit& window : windows) {
    if (!window.ok() || row < window.first || row >= window.first + window.samples) continue;
    const double middle =
        static_cast<double>(window.first) + 0.5 * static_cast<double>(window.samples);
    const double distance = std::abs(static_cast<double>(row) - middle);
    if (distance >= least) continue;
    least = distance;
    best = &window;
  }
  return best;
}

// x = x0 + X - X(k) + τ (v0 - V(k)) - o τ²/2 - d τ³/6 from the first row k of the window.
void join_windows(RecordOutcome& outcome) {
  const identify::MotionSignals& signals = outcome.regression.signals;
  const Index rows = signals.samples();
  outcome.joined_displacement = VectorXd::Constant(rows, kNoMotion);
  outcome.joined_velocity = VectorXd::Constant(rows, kNoMotion);
  for (Index row = 0; row < rows; ++row) {
    const MotionFit* window = nearest_window(outcome.regression.windows, row);
    if (window == nullptr) continue;
    const auto i = static_cast<std::size_t>(row);
    const auto k = static_cast<std::size_t>(window->first);
    const double t = static_cast<double>(row - window->first) * signals.step;
    const double away = t * t * (0.5 * window->offset + t * window->drift / 6.0);
    const double slowed = t * (window->offset + 0.5 * t * window->drift);
    outcome.joined_velocity(row) = signals.velocity_measured
                                       ? signals.V[i]
                                       : window->v0 + signals.V[i] - signals.V[k] - slowed;
    const double carried = signals.velocity_measured ? signals.X[i] - signals.X[k]
                                                     : signals.X[i] - signals.X[k] +
                                                           t * (window->v0 - signals.V[k]) - away;
    outcome.joined_displacement(row) =
        signals.displacement_measured ? signals.X[i] : window->x0 + carried;
  }
}

// The classical tests of the displacement, as far as windows cover it.
void look_at_displacement(RecordOutcome& outcome) {
  const VectorXd& x = outcome.joined_displacement;
  Index known = 0;
  while (known < x.size() && std::isfinite(x(known))) ++known;
  const double step = outcome.regression.signals.step;
  if (known < 8) return;
  outcome.displacement_cycles = identify::find_cycles(x.head(known), step);
  if (!outcome.displacement_cycles.ok()) return;
  outcome.displacement_decrement = identify::logarithmic_decrement(outcome.displacement_cycles);
  outcome.displacement_envelope =
      identify::decay_envelope(x.head(known), step, outcome.displacement_cycles);
}

VectorXd record_line(double drift, Index samples) {
  return VectorXd::LinSpaced(samples, -0.5 * drift, 0.5 * drift);
}

// The motion of the whole record by what was found.
void simulate_found(const AccelerationStudy& study, const identify::MotionRecord& record,
                    RecordOutcome& outcome) {
  identify::MotionStart start;
  if (outcome.refined && outcome.refined->parameters.allFinite()) {
    start = {.x0 = outcome.refined->x0,
             .v0 = outcome.refined->v0,
             .offset = outcome.refined->offset,
             .parameters = outcome.refined->parameters};
  } else {
    const MotionFit& first = outcome.regression.windows.front();
    start = {.x0 = first.x0,
             .v0 = first.v0,
             .offset = outcome.regression.offset,
             .parameters = outcome.regression.parameters};
  }
  outcome.motion =
      identify::simulate_motion(*study.equation, start.parameters, start.x0, start.v0, record.step,
                                record.samples(), record.forcing, record.start_time);
  if (!outcome.motion.ok()) return;
  outcome.fitted = outcome.motion.acceleration.array() + start.offset;
  outcome.residual = record.acceleration - outcome.fitted;
  // As the sensor shows it.
  outcome.fitted += record_line(outcome.drift_removed, record.samples());
}

// Least squares of x'' = const - b x - a x' over samples first .. first + count - 1.
EquivalentLinear equivalent_of(const identify::SimulatedMotion& motion, Index first, Index count) {
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

void find_equivalents(const identify::MotionRecord& record, RecordOutcome& outcome) {
  if (!outcome.motion.ok()) return;
  const auto cycle = static_cast<Index>(std::lround(outcome.diagnosis.cycles.period / record.step));
  const Index length = 2 * cycle;
  for (Index first = 0; cycle > 4 && first + length <= record.samples(); first += cycle) {
    outcome.equivalents.push_back(equivalent_of(outcome.motion, first, length));
  }
}

// Whether a line of the residuals is one of the motion: the motion itself or a harmonic.
bool belongs_to(double frequency_hz, double base_hz, double duration) {
  const double times = std::round(frequency_hz / base_hz);
  return times >= 1.0 &&
         std::abs(frequency_hz - times * base_hz) < 2.0 / duration + 0.03 * times * base_hz;
}

// A line that stands out of the residuals and is none of the motion is another mode.
void look_at_residual(const identify::MotionRecord& record, RecordOutcome& outcome) {
  if (!outcome.motion.ok() || outcome.residual.size() < 64) return;
  const double duration = record.step * static_cast<double>(record.samples());
  const double base = 1.0 / outcome.diagnosis.cycles.period;
  const double noise = outcome.diagnosis.cycles.noise;
  for (const identify::SpectralPeak& peak :
       identify::spectral_peaks(outcome.residual, record.step, 0.2)) {
    if (belongs_to(peak.frequency_hz, base, duration)) continue;
    // White noise has lines of about σ √(4 ln n/n).
    const auto n = static_cast<double>(record.samples());
    if (peak.amplitude < 6.0 * noise * std::sqrt(std::log(n) / n)) continue;
    if (peak.amplitude < 2e-3 * outcome.diagnosis.cycles.amplitude) continue;
    outcome.left_over = peak;
    return;
  }
}

}  // namespace

identify::MotionRecord without_drift(const identify::MotionRecord& record, double drift) {
  identify::MotionRecord level = record;
  level.acceleration -= record_line(drift, record.samples());
  return level;
}

std::vector<optimize::Parameter> entries_for(const identify::MotionEquation& equation,
                                             const std::vector<optimize::Parameter>& entries) {
  std::vector<optimize::Parameter> own;
  for (const optimize::Parameter& entry : entries) {
    const std::vector<std::string>& names = equation.parameters();
    if (std::find(names.begin(), names.end(), entry.name) != names.end()) own.push_back(entry);
  }
  return own;
}

RecordOutcome examine_record(const AccelerationStudy& study, std::size_t index) {
  const identify::MotionRecord& measured = study.records[index];
  const ColumnUse& column = study.columns.front();
  RecordOutcome outcome;
  identify::DiagnosisOptions look;
  look.free_decay = measured.forcing.cols() == 0;
  look.unit = column.column_unit;
  look.factor = column.factor;
  look.displacement = study.amplitude;
  if (!look.displacement && measured.displacement.size() > 0) {
    const double middle = measured.displacement.mean();
    look.displacement = (measured.displacement.array() - middle).abs().maxCoeff();
  }
  outcome.diagnosis = identify::diagnose_record(measured.acceleration, measured.step, look);
  outcome.decrement = identify::logarithmic_decrement(outcome.diagnosis.cycles);
  if (outcome.diagnosis.fatal() != nullptr) return outcome;
  // The output error knows an offset but no slope: what the means over cycles show goes first.
  if (study.options.fit.drift) outcome.drift_removed = outcome.diagnosis.drift;
  const identify::MotionRecord record = without_drift(measured, outcome.drift_removed);
  outcome.envelope =
      identify::decay_envelope(record.acceleration, record.step, outcome.diagnosis.cycles);
  identify::AccelerationOptions options = study.options;
  options.fit.parameters = entries_for(*study.equation, options.fit.parameters);
  if (options.reconstruction.cycle == 0.0) {
    options.reconstruction.cycle = outcome.diagnosis.cycles.period;
  }
  // A record shorter than a window is one window.
  if (options.windows.length > outcome.diagnosis.cycles.count) options.windows.length = 0.0;
  outcome.regression = identify::identify_acceleration(*study.equation, record, options);
  if (!any_window(outcome.regression)) return outcome;
  join_windows(outcome);
  look_at_displacement(outcome);
  if (study.refine) {
    identify::MotionRefineOptions refinement = study.refinement;
    refinement.parameters = entries_for(*study.equation, refinement.parameters);
    outcome.refined =
        identify::refine_motion(*study.equation, record, outcome.regression, refinement);
  }
  simulate_found(study, record, outcome);
  find_equivalents(record, outcome);
  look_at_residual(record, outcome);
  return outcome;
}

}  // namespace alembert::study
