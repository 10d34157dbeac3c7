#include "study/tasks/acceleration/console.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

std::string motion_cell(double value) {
  return std::isfinite(value) ? fmt::format("{:.2g}", value) : "-";
}

void print_motion_heading(const AccelerationStudy& study, Console& console) {
  const identify::MotionRecord& first = study.records.front();
  const auto records = static_cast<long long>(study.records.size());
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {} samples at {:.6g} Hz{}\n", "study",
                counted(static_cast<long long>(study.parameters().size()), "parameter"),
                first.samples(), 1.0 / first.step,
                records == 1 ? "" : ", first of " + counted(records, "record"));
}

void print_record(const AccelerationOutcome& result, std::size_t index, Console& console) {
  const RecordOutcome& record = result.records[index];
  const identify::Cycles& cycles = record.diagnosis.cycles;
  console.step(
      "record",
      fmt::format("{}{:.2f} cycles of {:.5g} s, amplitude {:.3g} m/s2, noise {:.2g} "
                  "m/s2",
                  result.records.size() == 1 ? "" : result.study.sources[index].file + ": ",
                  cycles.count, cycles.period, cycles.amplitude, cycles.noise));
  if (record.regression.windows.empty()) return;
  const auto windows = static_cast<long long>(record.regression.windows.size());
  console.step("regression", counted(windows, "window") +
                                 (record.regression.failed == 0
                                      ? ""
                                      : fmt::format(", {} failed", record.regression.failed)));
  console.print("  {:<10} {:<8} {:>12} {:>9} {:>9} {:>13} {:>9}\n", "parameters", "", "regression",
                "+-", "spread", record.refined ? "output error" : "", record.refined ? "+-" : "");
  const std::vector<std::string>& names = result.study.parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    console.print("  {:<10} {:<8} {:>12.6g} {:>9} {:>9} {:>13} {:>9}\n", "", names[i],
                  record.regression.parameters(k), motion_cell(record.regression.deviations(k)),
                  motion_cell(record.regression.spread(k)),
                  record.refined ? fmt::format("{:.6g}", record.refined->parameters(k)) : "",
                  record.refined ? motion_cell(record.refined->deviations(k)) : "");
  }
  if (record.decrement.ok()) {
    console.step("decrement",
                 fmt::format("damping ratio {:.4g} +- {:.2g}, 2 zeta omega = {:.4g} 1/s",
                             record.decrement.ratio, record.decrement.ratio_deviation,
                             record.decrement.rate));
  }
}

void print_motion_comparison(const AccelerationOutcome& result, Console& console) {
  if (!result.comparison) return;
  console.print("  {:<10} {:<14} {:>10} {:>11} {:>11} {:>14}\n", "compare", "equation", "residual",
                "delta AIC", "delta BIC", "prediction %");
  for (const identify::MotionScore& score : result.comparison->scores) {
    console.print("  {:<10} {:<14} {:>10.4g} {:>11.4g} {:>11.4g} {:>14.4g}\n", "", score.name,
                  score.refined.residual, score.aic_difference, score.bic_difference,
                  100.0 * score.relative_prediction_error);
  }
}

void print_motion(const AccelerationOutcome& result, Console& console) {
  for (std::size_t e = 0; e < result.records.size(); ++e) print_record(result, e, console);
  print_motion_comparison(result, console);
  const auto& repeated =
      result.repeated_refinement.empty() ? result.repeated_regression : result.repeated_refinement;
  for (const identify::RepeatedParameter& one : repeated) {
    console.step("repeated",
                 fmt::format("{} = {:.6g}, spread {:.2g} ({:.2g} %), reported {:.2g}", one.name,
                             one.mean, one.spread, 100.0 * one.relative_spread, one.reported));
  }
  if (result.static_curve) {
    const identify::StaticCurve& curve = *result.static_curve;
    console.step("static", fmt::format("k = {:.5g} N/m, k3 = {:.5g} N/m3; {}",
                                       curve.cubic.coefficients(1), curve.cubic.coefficients(2),
                                       curve.cubic_better ? "cubic" : "a line suffices"));
  }
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
}

}  // namespace

std::string acceleration_heading(const AccelerationStudy& study) {
  Console console;
  print_motion_heading(study, console);
  return console.text();
}

std::string acceleration_console(const AccelerationOutcome& result) {
  Console console;
  print_motion(result, console);
  return console.text();
}

}  // namespace alembert::study
