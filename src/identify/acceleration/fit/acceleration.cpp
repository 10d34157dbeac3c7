#include "alembert/identify/acceleration.hpp"

#include <fmt/format.h>

#include "alembert/core/check.hpp"
#include "core/step_clock.hpp"
#include "identify/acceleration/fit/acceleration_evidence.hpp"
#include "identify/acceleration/fit/acceleration_summary.hpp"
#include "identify/acceleration/fit/acceleration_warnings.hpp"
#include "identify/acceleration/fit/compare_alternatives.hpp"
#include "identify/acceleration/fit/examine_record.hpp"
#include "identify/acceleration/fit/repeated_parameters.hpp"
#include "identify/acceleration/fit/unit_dependence.hpp"

namespace alembert::identify {
namespace {

// The first record that failed decides.
void judge_records(const AccelerationOptions& options, std::size_t records, AccelerationFit& fit) {
  for (std::size_t e = 0; e < fit.records.size(); ++e) {
    const RecordFit& record = fit.records[e];
    const std::string prefix = record_prefix(options, records, e);
    if (const RecordFinding* fatal = record.diagnosis.fatal()) {
      fit.status = Status::NotIdentifiable;
      fit.message = prefix + fatal->text;
      return;
    }
    for (const Outcome* step :
         {static_cast<const Outcome*>(&record.regression),
          record.refined ? static_cast<const Outcome*>(&*record.refined) : nullptr}) {
      if (step == nullptr || step->ok()) continue;
      fit.status = step->status;
      fit.message = prefix + step->message;
      return;
    }
  }
}

// What the equation found says about the static test.
void find_equation_force(const EquationOfMotion& equation, const AccelerationOptions& options,
                         AccelerationFit& fit) {
  const std::optional<StaticTest>& test = options.static_test;
  if (!test || !test->mass || !fit.has_fit()) return;
  const Eigen::VectorXd& parameters = fit.records.front().parameters();
  if (!parameters.allFinite()) return;
  const Eigen::VectorXd& places = test->displacement;
  const auto inputs = static_cast<Eigen::Index>(equation.setup.inputs.size());
  Eigen::VectorXd force(places.size());
  for (Eigen::Index k = 0; k < places.size(); ++k) {
    const SimulatedMotion rest = simulate_motion(equation, parameters, places(k), 0.0, 1e-3, 1,
                                                 Eigen::MatrixXd::Zero(1, inputs));
    if (!rest.ok() || rest.acceleration.size() == 0) return;
    force(k) = -*test->mass * rest.acceleration(0);
  }
  fit.equation_force = force;
}

// Records that were finished before a request to stop are kept.
void examine_all(const EquationOfMotion& equation, const std::vector<AccelerationRecord>& records,
                 const AccelerationOptions& options, AccelerationFit& fit) {
  const auto stopped = [&] { return options.stop != nullptr && options.stop->requested(); };
  for (std::size_t e = 0; e < records.size() && !stopped(); ++e) {
    RecordFit record = examine_record(equation, records[e], options);
    if (!stopped()) fit.records.push_back(std::move(record));
    if (options.on_progress) options.on_progress(e + 1, records.size());
  }
  if (!stopped()) return;
  fit.status = Status::Stopped;
  fit.message =
      fmt::format("stopped on request after {} of {} records", fit.records.size(), records.size());
}

}  // namespace

std::optional<double> AccelerationOptions::truth_of(const std::string& parameter) const {
  for (const auto& [name, value] : truth) {
    if (name == parameter) return value;
  }
  return std::nullopt;
}

const Eigen::VectorXd& RecordFit::parameters() const {
  return refined && refined->ok() ? refined->parameters : regression.parameters;
}

const Eigen::VectorXd& RecordFit::deviations() const {
  return refined && refined->ok() ? refined->deviations : regression.deviations;
}

bool AccelerationFit::is_trusted() const {
  if (!ok()) return false;
  for (const RecordFit& record : records) {
    for (const RecordFault fault :
         {RecordFault::Clipped, RecordFault::TwoModes, RecordFault::Unit, RecordFault::LateStart}) {
      if (record.diagnosis.has(fault)) return false;
    }
    if (record.left_over.frequency_hz > 0.0) return false;
  }
  return true;
}

std::string AccelerationFit::summary() const { return acceleration_summary(*this); }

AccelerationFit identify_acceleration(const EquationOfMotion& equation,
                                      const std::vector<AccelerationRecord>& records,
                                      const AccelerationOptions& given) {
  AccelerationOptions options = given;
  if (options.refinement.stop == nullptr) options.refinement.stop = options.stop;
  check::at_least("identify_acceleration", "records", static_cast<long long>(records.size()), 1);
  const StepClock clock;
  AccelerationFit fit;
  fit.names = equation.parameters();
  fit.truth = options.truth;
  examine_all(equation, records, options, fit);
  if (options.static_test) {
    fit.static_curve =
        fit_static_curve(options.static_test->displacement, options.static_test->force);
  }
  find_equation_force(equation, options, fit);
  if (fit.ok()) compare_alternatives(equation, records.front(), options, fit);
  judge_repeatability(fit);
  if (fit.ok()) judge_records(options, records.size(), fit);
  if (fit.has_fit()) fit.unit_dependence = unit_dependence(equation, fit.records.front());
  warn_about_acceleration(options, records.size(), fit);
  judge_trust(records, options, fit);
  fit.seconds = clock.seconds();
  return fit;
}

}  // namespace alembert::identify
