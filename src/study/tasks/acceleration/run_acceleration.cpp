#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "core/step_clock.hpp"
#include "study/tasks/acceleration/acceleration_steps.hpp"

namespace alembert::study {
namespace {

// "FILE: " before what concerns one of several records.
std::string record_prefix(const AccelerationStudy& study, std::size_t index) {
  return study.records.size() == 1 ? "" : study.sources[index].file + ": ";
}

// The first record that failed decides.
void judge_motion(AccelerationOutcome& result) {
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    const RecordOutcome& record = result.records[e];
    const std::string prefix = record_prefix(result.study, e);
    if (const identify::RecordFinding* fatal = record.diagnosis.fatal()) {
      result.status = Status::NotIdentifiable;
      result.message = prefix + fatal->text;
      return;
    }
    for (const Outcome* step :
         {static_cast<const Outcome*>(&record.regression),
          record.refined ? static_cast<const Outcome*>(&*record.refined) : nullptr}) {
      if (step == nullptr || step->ok()) continue;
      result.status = step->status;
      result.message = prefix + step->message;
      return;
    }
  }
}

// A correlation does no harm to parameters that are known well.
bool is_vague(const identify::RefinedMotion& refined, const std::string& name) {
  for (std::size_t i = 0; i < refined.names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (refined.names[i] != name) continue;
    return !(refined.deviations(k) < 0.05 * std::abs(refined.parameters(k)));
  }
  return false;
}

void warn_about_record(AccelerationOutcome& result, std::size_t index) {
  const RecordOutcome& record = result.records[index];
  const std::string prefix = record_prefix(result.study, index);
  const auto warn = [&](const std::string& text) { result.warnings.push_back(prefix + text); };
  for (const identify::RecordFinding& finding : record.diagnosis.findings) {
    if (!finding.fatal) warn(finding.text);
  }
  const bool named = record.diagnosis.has(identify::RecordFault::TwoModes);
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

// What the equation found says about the static test.
void find_equation_force(AccelerationOutcome& result) {
  const AccelerationStudy& study = result.study;
  if (!study.static_test || !study.static_test->mass || !result.has_fit()) return;
  const RecordOutcome& record = result.records.front();
  const Eigen::VectorXd& parameters = record.refined && record.refined->ok()
                                          ? record.refined->parameters
                                          : record.regression.parameters;
  if (!parameters.allFinite()) return;
  const Eigen::VectorXd& places = study.static_test->displacement;
  const auto inputs = static_cast<Eigen::Index>(study.equation->setup.inputs.size());
  Eigen::VectorXd force(places.size());
  for (Eigen::Index k = 0; k < places.size(); ++k) {
    const identify::SimulatedMotion rest = identify::simulate_motion(
        *study.equation, parameters, places(k), 0.0, 1e-3, 1, Eigen::MatrixXd::Zero(1, inputs));
    if (!rest.ok() || rest.acceleration.size() == 0) return;
    force(k) = -*study.static_test->mass * rest.acceleration(0);
  }
  result.equation_force = force;
}

// A wrong unit by a factor s changes the cubic term by 1/s² and leaves the line as it is.
void warn_about_static_unit(AccelerationOutcome& result) {
  if (result.equation_force.size() == 0 || !result.static_curve->cubic_better) return;
  const identify::StaticCurve found =
      identify::fit_static_curve(result.study.static_test->displacement, result.equation_force);
  const double ratio = found.cubic.coefficients(2) / result.static_curve->cubic.coefficients(2);
  constexpr double kSquare = 9.80665 * 9.80665;
  if (!(ratio > kSquare / 3.0 && ratio < 3.0 * kSquare)) return;
  result.warnings.push_back(fmt::format(
      "is the acceleration in g? The cubic stiffness of the equation is {:.3g} times that of the "
      "static test; with g taken for m/s2 it would be 96 times as large",
      ratio));
}

}  // namespace

void warn_about_motion(AccelerationOutcome& result) {
  for (std::size_t e = 0; e < result.records.size(); ++e) warn_about_record(result, e);
  warn_about_static_unit(result);
  const auto& repeated =
      result.repeated_refinement.empty() ? result.repeated_regression : result.repeated_refinement;
  for (const identify::RepeatedParameter& one : repeated) {
    if (one.consistent) continue;
    result.warnings.push_back(fmt::format(
        "{} scatters over the records by {:.2g}, more than the {:.2g} that the noise explains (p = "
        "{:.1g}): the tests differ, or the equation does not describe them",
        one.name, one.spread, one.reported, one.probability));
  }
}

AccelerationOutcome run_acceleration(const AccelerationStudy& study, const RunOptions& options) {
  AccelerationOutcome result;
  result.study = study;
  const StepClock clock;
  try {
    for (std::size_t e = 0; e < study.records.size(); ++e) {
      if (options.stop != nullptr && options.stop->requested()) {
        result.status = Status::Stopped;
        result.message = fmt::format("stopped after {} of {} records", e, study.records.size());
        break;
      }
      result.records.push_back(examine_record(study, e));
    }
    if (study.static_test) {
      result.static_curve =
          identify::fit_static_curve(study.static_test->displacement, study.static_test->force);
    }
    find_equation_force(result);
    compare_equations(result);
    judge_repeatability(result);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  if (result.ok()) judge_motion(result);
  warn_about_motion(result);
  result.seconds = clock.seconds();
  return result;
}

}  // namespace alembert::study
