#include "study/tasks/acceleration/console.hpp"

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

// Two digits; "-" where it is not known.
std::string motion_cell(const ResultTree& row, const std::string& path) {
  return document::cell_of(row, {.path = path, .digits = 2}, document::plain_number);
}

void print_motion_heading(const AccelerationStudy& study, Console& console) {
  const identify::AccelerationRecord& first = study.records.front();
  const auto records = static_cast<long long>(study.records.size());
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {} samples at {:.6g} Hz{}\n", "study",
                counted(static_cast<long long>(study.parameters().size()), "parameter"),
                first.samples(), 1.0 / first.step,
                records == 1 ? "" : ", first of " + counted(records, "record"));
}

void print_motion_parameters(const ResultTree& record, Console& console) {
  const bool refined = !record.at("refinement").is_null();
  console.print("  {:<10} {:<8} {:>12} {:>9} {:>9} {:>13} {:>9}\n", "parameters", "", "regression",
                "+-", "spread", refined ? "output error" : "", refined ? "+-" : "");
  for (const ResultTree& row : record.at("parameters").entries()) {
    console.print("  {:<10} {:<8} {:>12.6g} {:>9} {:>9} {:>13} {:>9}\n", "", row.text("name"),
                  row.number("regression/value"), motion_cell(row, "regression/deviation"),
                  motion_cell(row, "regression/spread"),
                  refined ? document::plain_number(row.number("refined/value"), 6) : "",
                  refined ? motion_cell(row, "refined/deviation") : "");
  }
}

void print_record(const ResultTree& record, bool alone, Console& console) {
  const ResultTree& diagnosis = record.at("diagnosis");
  console.step("record",
               fmt::format("{}{:.2f} cycles of {:.5g} s, amplitude {:.3g} m/s2, noise {:.2g} m/s2",
                           alone ? "" : record.text("source") + ": ", diagnosis.number("cycles"),
                           diagnosis.number("cycle"), diagnosis.number("amplitude"),
                           diagnosis.number("noise")));
  if (record.find("windows") == nullptr) return;
  const auto windows = static_cast<long long>(record.at("regression/windows").count());
  const std::int64_t failed = record.at("regression/failed").integer();
  console.step("regression", counted(windows, "window") +
                                 (failed == 0 ? "" : fmt::format(", {} failed", failed)));
  print_motion_parameters(record, console);
  const ResultTree& decrement = record.at("logarithmic_decrement");
  if (decrement.is_null()) return;
  console.step("decrement",
               fmt::format("damping ratio {:.4g} +- {:.2g}, 2 zeta omega = {:.4g} 1/s",
                           decrement.number("damping_ratio"),
                           decrement.number("damping_ratio_deviation"), decrement.number("rate")));
}

void print_motion_comparison(const ResultTree& scores, Console& console) {
  if (scores.is_null()) return;
  console.print("  {:<10} {:<14} {:>10} {:>11} {:>11} {:>14}\n", "compare", "equation", "residual",
                "delta AIC", "delta BIC", "prediction %");
  for (const ResultTree& row : scores.entries()) {
    console.print("  {:<10} {:<14} {:>10.4g} {:>11.4g} {:>11.4g} {:>14.4g}\n", "", row.text("name"),
                  row.number("residual"), row.number("aic_difference"),
                  row.number("bic_difference"), 100.0 * row.number("relative_prediction_error"));
  }
}

void print_repeated(const ResultTree& parameters, Console& console) {
  for (const ResultTree& row : parameters.entries()) {
    console.step("repeated",
                 fmt::format("{} = {:.6g}, spread {:.2g} ({:.2g} %), reported {:.2g}",
                             row.text("name"), row.number("mean"), row.number("spread"),
                             100.0 * row.number("relative_spread"), row.number("reported")));
  }
}

void print_motion(const AccelerationOutcome& result, Console& console) {
  const ResultTree tree = describe(result);
  const std::vector<ResultTree>& records = tree.at("records").entries();
  for (const ResultTree& record : records) print_record(record, records.size() == 1, console);
  print_motion_comparison(tree.at("comparison"), console);
  print_repeated(tree.at(result.repeated_refinement.empty() ? "repeatability/regression"
                                                            : "repeatability/refined"),
                 console);
  const ResultTree& curve = tree.at("static");
  if (!curve.is_null()) {
    console.step(
        "static",
        fmt::format("k = {:.5g} N/m, k3 = {:.5g} N/m3; {}", curve.number("cubic/coefficients/1"),
                    curve.number("cubic/coefficients/2"),
                    curve.at("cubic_better").boolean() ? "cubic" : "a line suffices"));
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
