#include "identify/acceleration/fit/acceleration_warnings.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alembert::identify {
namespace {

// A correlation does no harm to parameters that are known: the deviations have it in them. The
// limit is that of a parameter that is hardly known, as elsewhere in the verdict.
bool is_vague(const RefinedEquation& refined, const std::string& name) {
  for (std::size_t i = 0; i < refined.names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (refined.names[i] != name) continue;
    return !(refined.deviations(k) < 0.5 * std::abs(refined.parameters(k)));
  }
  return false;
}

}  // namespace

std::string record_prefix(const AccelerationOptions& options, std::size_t records,
                          std::size_t index) {
  if (records == 1) return "";
  return (index < options.record_names.size() ? options.record_names[index]
                                              : fmt::format("record {}", index + 1)) +
         ": ";
}

std::vector<std::string> fit_warnings(const RecordFit& record) {
  std::vector<std::string> list;
  const bool named = record.diagnosis.has(RecordFault::TwoModes);
  if (record.left_over.frequency_hz > 0.0 && !named) {
    list.push_back(
        fmt::format("the residual has a line at {:.4g} Hz (amplitude {:.3g} m/s2) that is none of "
                    "the motion: another mode is in the record",
                    record.left_over.frequency_hz, record.left_over.amplitude));
  }
  if (!record.refined || !record.refined->ok()) return list;
  for (const optimize::CorrelatedParameters& pair : record.refined->correlated) {
    if (!is_vague(*record.refined, pair.first) && !is_vague(*record.refined, pair.second)) continue;
    list.push_back(fmt::format("{} and {} are strongly correlated, {:.3f}; hold one of them",
                               pair.first, pair.second, pair.correlation));
  }
  // Residuals of the right equation are as large as the noise.
  const double noise = record.diagnosis.cycles.noise;
  if (noise > 0.0 && record.refined->residual > 2.0 * noise) {
    list.push_back(
        fmt::format("the residual is {:.2g} times the noise: the equation does not describe all of "
                    "the motion",
                    record.refined->residual / noise));
  }
  return list;
}

// A wrong unit by a factor s changes the cubic term by 1/s² and leaves the line as it is.
std::string static_unit_question(const AccelerationOptions& options, const AccelerationFit& fit) {
  if (fit.equation_force.size() == 0 || !fit.static_curve->cubic_better) return "";
  const StaticCurve found = fit_static_curve(options.static_test->displacement, fit.equation_force);
  const double ratio = found.cubic.coefficients(2) / fit.static_curve->cubic.coefficients(2);
  constexpr double kSquare = 9.80665 * 9.80665;
  if (!(ratio > kSquare / 3.0 && ratio < 3.0 * kSquare)) return "";
  return fmt::format(
      "is the acceleration in g? The cubic stiffness of the equation is {:.3g} times that of the "
      "static test; with g taken for m/s2 it would be 96 times as large",
      ratio);
}

std::vector<std::string> repetition_warnings(const AccelerationFit& fit) {
  const auto& repeated =
      fit.repeated_refinement.empty() ? fit.repeated_regression : fit.repeated_refinement;
  std::vector<std::string> list;
  for (const RepeatedParameter& one : repeated) {
    if (one.consistent) continue;
    list.push_back(fmt::format(
        "{} scatters over the records by {:.2g}, more than the {:.2g} that the noise explains (p = "
        "{:.1g}): the tests differ, or the equation does not describe them",
        one.name, one.spread, one.reported, one.probability));
  }
  return list;
}

void warn_about_acceleration(const AccelerationOptions& options, std::size_t records,
                             AccelerationFit& fit) {
  for (std::size_t e = 0; e < fit.records.size(); ++e) {
    const std::string prefix = record_prefix(options, records, e);
    for (const RecordFinding& finding : fit.records[e].diagnosis.findings) {
      if (!finding.fatal) fit.warnings.push_back(prefix + finding.text);
    }
    for (const std::string& text : fit_warnings(fit.records[e])) {
      fit.warnings.push_back(prefix + text);
    }
  }
  const std::string question = static_unit_question(options, fit);
  if (!question.empty()) fit.warnings.push_back(question);
  for (const std::string& text : repetition_warnings(fit)) fit.warnings.push_back(text);
}

}  // namespace alembert::identify
