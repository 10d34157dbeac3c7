#include "identify/acceleration/fit/acceleration_warnings.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alembert::identify {
namespace {

// A correlation does no harm to parameters that are known well.
bool is_vague(const RefinedEquation& refined, const std::string& name) {
  for (std::size_t i = 0; i < refined.names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (refined.names[i] != name) continue;
    return !(refined.deviations(k) < 0.05 * std::abs(refined.parameters(k)));
  }
  return false;
}

void warn_about_record(const AccelerationOptions& options, std::size_t records, std::size_t index,
                       AccelerationFit& fit) {
  const RecordFit& record = fit.records[index];
  const std::string prefix = record_prefix(options, records, index);
  const auto warn = [&](const std::string& text) { fit.warnings.push_back(prefix + text); };
  for (const RecordFinding& finding : record.diagnosis.findings) {
    if (!finding.fatal) warn(finding.text);
  }
  const bool named = record.diagnosis.has(RecordFault::TwoModes);
  if (record.left_over.frequency_hz > 0.0 && !named) {
    warn(
        fmt::format("the residual has a line at {:.4g} Hz (amplitude {:.3g} m/s2) that is none of "
                    "the motion: another mode is in the record",
                    record.left_over.frequency_hz, record.left_over.amplitude));
  }
  if (!record.refined || !record.refined->ok()) return;
  for (const optimize::CorrelatedParameters& pair : record.refined->correlated) {
    if (!is_vague(*record.refined, pair.first) && !is_vague(*record.refined, pair.second)) continue;
    warn(fmt::format("{} and {} can hardly be told apart (correlation {:.3f}); hold one of them",
                     pair.first, pair.second, pair.correlation));
  }
  // Residuals of the right equation are as large as the noise.
  const double noise = record.diagnosis.cycles.noise;
  if (noise > 0.0 && record.refined->residual > 2.0 * noise) {
    warn(
        fmt::format("the residual is {:.2g} times the noise: the equation does not describe all of "
                    "the motion",
                    record.refined->residual / noise));
  }
}

// A wrong unit by a factor s changes the cubic term by 1/s² and leaves the line as it is.
void warn_about_static_unit(const AccelerationOptions& options, AccelerationFit& fit) {
  if (fit.equation_force.size() == 0 || !fit.static_curve->cubic_better) return;
  const StaticCurve found = fit_static_curve(options.static_test->displacement, fit.equation_force);
  const double ratio = found.cubic.coefficients(2) / fit.static_curve->cubic.coefficients(2);
  constexpr double kSquare = 9.80665 * 9.80665;
  if (!(ratio > kSquare / 3.0 && ratio < 3.0 * kSquare)) return;
  fit.warnings.push_back(fmt::format(
      "is the acceleration in g? The cubic stiffness of the equation is {:.3g} times that of the "
      "static test; with g taken for m/s2 it would be 96 times as large",
      ratio));
}

}  // namespace

std::string record_prefix(const AccelerationOptions& options, std::size_t records,
                          std::size_t index) {
  if (records == 1) return "";
  return (index < options.record_names.size() ? options.record_names[index]
                                              : fmt::format("record {}", index + 1)) +
         ": ";
}

void warn_about_acceleration(const AccelerationOptions& options, std::size_t records,
                             AccelerationFit& fit) {
  for (std::size_t e = 0; e < fit.records.size(); ++e) warn_about_record(options, records, e, fit);
  warn_about_static_unit(options, fit);
  const auto& repeated =
      fit.repeated_refinement.empty() ? fit.repeated_regression : fit.repeated_refinement;
  for (const RepeatedParameter& one : repeated) {
    if (one.consistent) continue;
    fit.warnings.push_back(fmt::format(
        "{} scatters over the records by {:.2g}, more than the {:.2g} that the noise explains (p = "
        "{:.1g}): the tests differ, or the equation does not describe them",
        one.name, one.spread, one.reported, one.probability));
  }
}

}  // namespace alembert::identify
