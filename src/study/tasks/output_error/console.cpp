#include "study/tasks/output_error/console.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

void print_equation_heading(const OutputErrorStudy& study, Console& console) {
  const auto count = [](const auto& list) { return static_cast<long long>(list.size()); };
  const long long experiments = count(study.data.experiments);
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}, {}, {}, {} samples at {:.6g} Hz{}\n", "study",
                counted(count(study.model.states()), "state"),
                counted(count(study.parameters), "parameter"),
                counted(count(study.inputs), "input"), counted(count(study.outputs), "output"),
                study.data.samples(), 1.0 / study.step(),
                experiments == 1 ? "" : " in " + counted(experiments, "experiment"));
}

std::string parameter_cell(double value) {
  return std::isfinite(value) ? fmt::format("{:.2g}", value) : "-";
}

void print_parameters(const OutputErrorOutcome& result, Console& console) {
  console.print("  {:<10} {:<12} {:>12} {:>9} {:>9} {:>9}\n", "parameters", "", "value", "+-",
                "robust +-", "+- %");
  for (std::size_t i = 0; i < result.study.parameters.size(); ++i) {
    const identify::ParameterVerdict verdict = parameter_verdict(result, i);
    const bool is_free = verdict.role == identify::ParameterVerdict::Role::Free;
    console.print("  {:<10} {:<12} {:>12.5g} {:>9} {:>9} {:>9}{}\n", "",
                  result.study.parameters[i].name, verdict.value, parameter_cell(verdict.deviation),
                  parameter_cell(verdict.robust),
                  parameter_cell(100.0 * verdict.deviation / std::abs(verdict.value)),
                  is_free ? "" : fmt::format("  {}", name_of(verdict.role)));
  }
}

void print_profiles(const OutputErrorOutcome& result, Console& console) {
  if (result.profiles.empty()) return;
  console.print("  {:<10} {:<12} {:>12} {:>12} {:>27}\n", "profiles", "95 %", "lower", "upper",
                seconds_text(result.profile_seconds));
  const auto end = [](double value, bool open) {
    return open ? std::string("-") : fmt::format("{:.5g}", value);
  };
  for (const identify::ParameterProfile& profile : result.profiles) {
    console.print("  {:<10} {:<12} {:>12} {:>12}\n", "", profile.name,
                  end(profile.interval.lower, profile.interval.lower_open),
                  end(profile.interval.upper, profile.interval.upper_open));
  }
}

// "rms 0.278 V (fit 86.7 %)" of each output.
std::string rms_words(const OutputErrorStudy& study,
                      const std::vector<identify::ResidualVerdict>& outputs) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ColumnUse& column = study.outputs[i];
    const std::string& unit = column.unit.empty() ? column.column_unit : column.unit;
    parts.push_back(fmt::format("{} rms {:.4g}{} (fit {} %)", column.name, outputs[i].rms,
                                unit.empty() ? "" : " " + unit,
                                identify::fit_words(outputs[i].fit)));
  }
  return join(parts, ", ");
}

void print_estimation(const OutputErrorOutcome& result, Console& console) {
  const OutputErrorStudy& study = result.study;
  console.step("model", result.engine, seconds_text(result.compile_seconds));
  console.step("search",
               fmt::format("{}, {}", to_string(study.options.output_error.search.solver),
                           counted(result.estimate.evaluations, "evaluation")),
               seconds_text(result.search_seconds));
  if (result.has_prediction()) {
    print_parameters(result, console);
    print_profiles(result, console);
    console.step("data", fmt::format("{}, residuals {}", rms_words(study, result.estimate.outputs),
                                     to_string(identify::whiteness_of(result.estimate.outputs))));
    if (result.validation && result.validation->prediction.ok()) {
      console.step("validation",
                   rms_words(study, result.validation->outputs) +
                       fmt::format(" on {} held-back samples", study.validation.samples()));
    }
  }
  console.steps("note", study.notes);
  console.steps("warning", result.warnings);
}

}  // namespace

std::string output_error_heading(const OutputErrorStudy& study) {
  Console console;
  print_equation_heading(study, console);
  return console.text();
}

std::string output_error_console(const OutputErrorOutcome& result) {
  Console console;
  print_estimation(result, console);
  return console.text();
}

}  // namespace alembert::study
