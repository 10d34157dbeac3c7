#include "alembert/study/acceleration.hpp"
#include "study/result/fit_sizes.hpp"

namespace alembert::study {
namespace {

void complete_refined(identify::RefinedEquation& refined) {
  const auto count = static_cast<Eigen::Index>(refined.names.size());
  fit_size(refined.parameters, count);
  fit_size(refined.deviations, count);
}

void complete_regression(identify::AccelerationRegression& regression) {
  const auto count = static_cast<Eigen::Index>(regression.names.size());
  fit_size(regression.parameters, count);
  fit_size(regression.spread, count);
  fit_size(regression.deviations, count);
  for (identify::WindowFit& window : regression.windows) fit_size(window.parameters, count);
}

void complete_envelope(identify::DecayEnvelope& envelope) {
  const Eigen::Index count = envelope.inner_times.size();
  fit_size(envelope.amplitude, count);
  fit_size(envelope.frequency_hz, count);
  fit_size(envelope.decay_rate, count);
}

// Signals over the whole record are there all together or not at all.
void complete_record(const identify::AccelerationRecord& data, identify::RecordFit& record) {
  const Eigen::Index n = data.samples();
  const bool whole = record.motion.ok() && record.fitted.size() == n &&
                     record.residual.size() == n && record.motion.displacement.size() == n &&
                     record.motion.velocity.size() == n;
  if (!whole) record.fitted.resize(0);
  const Eigen::Index rows = record.regression.signals.samples();
  fit_size(record.joined_displacement, rows);
  fit_size(record.joined_velocity, rows);
  complete_regression(record.regression);
  if (record.refined) complete_refined(*record.refined);
  complete_envelope(record.envelope);
  complete_envelope(record.displacement_envelope);
}

}  // namespace

void complete(AccelerationOutcome& result) {
  if (result.records.size() > result.study.records.size()) {
    result.records.resize(result.study.records.size());
  }
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    complete_record(result.study.records[e], result.records[e]);
  }
  if (result.comparison) {
    for (identify::EquationScore& score : result.comparison->scores) {
      complete_refined(score.refined);
    }
  }
  if (!result.study.options.static_test) result.static_curve.reset();
  if (!result.static_curve) return;
  fit_size(result.static_curve->line.coefficients, 2);
  fit_size(result.static_curve->line.deviations, 2);
  fit_size(result.static_curve->cubic.coefficients, 3);
  fit_size(result.static_curve->cubic.deviations, 3);
}

}  // namespace alembert::study
