#include "study/tasks/mechanism_fit/console.hpp"

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

std::string cell(const ResultTree& row, const std::string& path, double factor = 1.0) {
  return document::cell_of(row, {.path = path, .digits = 2, .factor = factor},
                           document::plain_number);
}

void print_numbers(const ResultTree& parameters, Console& console) {
  console.print("  {:<10} {:<24} {:>12} {:>9} {:>9}\n", "parameters", "", "value", "+-", "95 % +-");
  for (const ResultTree& row : parameters.entries()) {
    const std::string& role = row.text("role");
    console.print("  {:<10} {:<24} {:>12.5g} {:>9} {:>9}{}\n", "", row.text("name"),
                  row.number("value"), cell(row, "deviation"), cell(row, "margin"),
                  role == "free" ? "" : "  " + role);
  }
}

void print_base(const ResultTree& base, Console& console) {
  for (const ResultTree& row : base.entries()) {
    if (!(row.number("deviation") > 0.0)) continue;
    console.print("  {:<10} {:.5g} +- {} {}: {}\n", "base", row.number("value"),
                  cell(row, "deviation"), row.text("unit"), row.text("name"));
  }
}

std::string fit_line(const ResultTree& outputs) {
  std::vector<std::string> parts;
  for (const ResultTree& output : outputs.entries()) {
    parts.push_back(fmt::format("{} rms {:.4g} {} (fit {} %)", output.text("name"),
                                output.number("residual_rms"), output.text("unit"),
                                identify::fit_words(output.number("fit"))));
  }
  return join(parts, ", ");
}

}  // namespace

std::string mechanism_fit_heading(const MechanismFitStudy& study) {
  Console console;
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}, {} samples at {:.6g} Hz\n", "study",
                mechanism_words(*study.mechanism),
                counted(static_cast<long long>(study.parameters.size()), "unknown"),
                study.record.samples(), 1.0 / study.record.step);
  return console.text();
}

std::string mechanism_fit_console(const MechanismFitOutcome& result) {
  Console console;
  const ResultTree tree = describe(result);
  for (const identify::InverseDynamicsFit& one : result.rivals) {
    console.step("inverse",
                 one.ok() ? fmt::format("{}, residual {:.4g}", name_of(one.rule), one.residual)
                          : fmt::format("{}: {}", name_of(one.rule), one.message));
  }
  console.step("model", result.engine);
  console.step(
      "search",
      fmt::format("from {}, {}", result.begun, counted(result.estimate.evaluations, "evaluation")),
      seconds_text(result.search_seconds));
  if (result.has_prediction()) {
    print_numbers(tree.at("parameters"), console);
    print_base(tree.at("base_parameters"), console);
    console.step("data", fmt::format("{}, residuals {}", fit_line(tree.at("outputs")),
                                     to_string(identify::whiteness_of(result.estimate.outputs))));
  }
  if (result.validation && result.validation->prediction.ok()) {
    console.step("validation", fit_line(tree.at("validation/outputs")));
  }
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
  return console.text();
}

}  // namespace alembert::study
