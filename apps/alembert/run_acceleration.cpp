#include "run_acceleration.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/acceleration_report.hpp"
#include "alembert/study/result_folder.hpp"
#include "print.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

using identify::RecordFit;
using study::AccelerationOutcome;

std::string motion_cell(double value) {
  return std::isfinite(value) ? fmt::format("{:.2g}", value) : "-";
}

void print_motion_heading(const study::AccelerationStudy& study) {
  const identify::AccelerationRecord& first = study.records.front();
  const auto records = static_cast<long long>(study.records.size());
  fmt::print("{}\n", study.title);
  fmt::print("  {:<10} {}, {} samples at {:.6g} Hz{}\n", "study",
             counted(static_cast<long long>(study.parameters().size()), "parameter"),
             first.samples(), 1.0 / first.step,
             records == 1 ? "" : ", first of " + counted(records, "record"));
  std::fflush(stdout);  // What follows may take a while.
}

void print_record(const AccelerationOutcome& result, std::size_t index) {
  const RecordFit& record = result.records[index];
  const identify::Cycles& cycles = record.diagnosis.cycles;
  print_step("record",
             fmt::format("{}{:.2f} cycles of {:.5g} s, amplitude {:.3g} m/s2, noise {:.2g} "
                         "m/s2",
                         result.records.size() == 1 ? "" : result.study.sources[index].file + ": ",
                         cycles.count, cycles.period, cycles.amplitude, cycles.noise));
  if (record.regression.windows.empty()) return;
  const auto windows = static_cast<long long>(record.regression.windows.size());
  print_step("regression", counted(windows, "window") +
                               (record.regression.failed == 0
                                    ? ""
                                    : fmt::format(", {} failed", record.regression.failed)));
  fmt::print("  {:<10} {:<8} {:>12} {:>9} {:>9} {:>13} {:>9}\n", "parameters", "", "regression",
             "+-", "spread", record.refined ? "output error" : "", record.refined ? "+-" : "");
  const std::vector<std::string>& names = result.study.parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    fmt::print("  {:<10} {:<8} {:>12.6g} {:>9} {:>9} {:>13} {:>9}\n", "", names[i],
               record.regression.parameters(k), motion_cell(record.regression.deviations(k)),
               motion_cell(record.regression.spread(k)),
               record.refined ? fmt::format("{:.6g}", record.refined->parameters(k)) : "",
               record.refined ? motion_cell(record.refined->deviations(k)) : "");
  }
  if (record.decrement.ok()) {
    print_step("decrement", fmt::format("damping ratio {:.4g} +- {:.2g}, 2 zeta omega = {:.4g} 1/s",
                                        record.decrement.ratio, record.decrement.ratio_deviation,
                                        record.decrement.rate));
  }
}

void print_motion_comparison(const AccelerationOutcome& result) {
  if (!result.comparison) return;
  fmt::print("  {:<10} {:<14} {:>10} {:>11} {:>11} {:>14}\n", "compare", "equation", "residual",
             "delta AIC", "delta BIC", "prediction %");
  for (const identify::EquationScore& score : result.comparison->scores) {
    fmt::print("  {:<10} {:<14} {:>10.4g} {:>11.4g} {:>11.4g} {:>14.4g}\n", "", score.name,
               score.refined.residual, score.aic_difference, score.bic_difference,
               100.0 * score.relative_prediction_error);
  }
}

void print_motion(const AccelerationOutcome& result) {
  for (std::size_t e = 0; e < result.records.size(); ++e) print_record(result, e);
  print_motion_comparison(result);
  const auto& repeated =
      result.repeated_refinement.empty() ? result.repeated_regression : result.repeated_refinement;
  for (const identify::RepeatedParameter& one : repeated) {
    print_step("repeated",
               fmt::format("{} = {:.6g}, spread {:.2g} ({:.2g} %), reported {:.2g}", one.name,
                           one.mean, one.spread, 100.0 * one.relative_spread, one.reported));
  }
  if (result.static_curve) {
    const identify::StaticCurve& curve = *result.static_curve;
    print_step("static", fmt::format("k = {:.5g} N/m, k3 = {:.5g} N/m3; {}",
                                     curve.cubic.coefficients(1), curve.cubic.coefficients(2),
                                     curve.cubic_better ? "cubic" : "a line suffices"));
  }
  for (const std::string& note : result.study.notes) print_step("note", note);
  for (const std::string& warning : result.warnings) print_step("warning", warning);
}

}  // namespace

int run_acceleration_study(const study::AccelerationStudy& study, const RunArguments& arguments,
                           const StopFlag& stop, Session& session) {
  if (!session.machines.is_first()) return kDone;  // One machine does it all.
  // Made before the work, so that a folder that cannot be written is known at once.
  io::AtomicFolder folder(out_folder(arguments), study::reason_to_keep);
  if (session.speaks()) print_motion_heading(study);
  const AccelerationOutcome result =
      study::run_acceleration(study, {.threads = arguments.threads, .stop = &stop});
  if (session.speaks()) print_motion(result);
  if (!result.ok()) {
    fmt::print(stderr, "{}: {}: {}\n", arguments.study.string(), to_string(result.status),
               result.message);
  }
  study::write_acceleration_result(result, folder.path());
  write_report(report::acceleration_document(result), folder.path() / "report.html");
  folder.commit();
  if (session.speaks()) {
    fmt::print("report       {}\n", (folder.target() / "report.html").string());
  }
  return result.ok() ? kDone : kNotSuccessful;
}

}  // namespace alembert::app
