#include "study/tasks/output_error/console.hpp"

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

using document::ResultTree;

// Two digits; "-" where it is not known.
std::string deviation_cell(const ResultTree& row, const std::string& path, double factor = 1.0) {
  return document::cell_of(row, {.path = path, .digits = 2, .factor = factor},
                           document::plain_number);
}

void print_parameters(const ResultTree& parameters, Console& console) {
  console.print("  {:<10} {:<12} {:>12} {:>9} {:>9} {:>9}\n", "parameters", "", "value", "+-",
                "+- %", "95 % +-");
  for (const ResultTree& row : parameters.entries()) {
    const std::string& role = row.text("role");
    console.print("  {:<10} {:<12} {:>12.5g} {:>9} {:>9} {:>9}{}\n", "", row.text("name"),
                  row.number("value"), deviation_cell(row, "deviation"),
                  deviation_cell(row, "relative_deviation", 100.0), deviation_cell(row, "margin"),
                  role == name_of(identify::ParameterVerdict::Role::Free) ? "" : "  " + role);
  }
}

std::string end_cell(const ResultTree& profile, const std::string& end) {
  return profile.at(end + "_open").boolean() ? "-" : document::plain_number(profile.number(end), 5);
}

void print_profiles(const ResultTree& profiles, double seconds, Console& console) {
  if (profiles.entries().empty()) return;
  console.print("  {:<10} {:<12} {:>12} {:>12} {:>27}\n", "profiles", "95 %", "lower", "upper",
                seconds_text(seconds));
  for (const ResultTree& row : profiles.entries()) {
    console.print("  {:<10} {:<12} {:>12} {:>12}\n", "", row.text("name"), end_cell(row, "lower"),
                  end_cell(row, "upper"));
  }
}

// "y rms 0.278 V (fit 86.7 %)" of each output.
std::string rms_words(const ResultTree& outputs) {
  std::vector<std::string> parts;
  for (const ResultTree& output : outputs.entries()) {
    const std::string& unit = output.text("unit");
    parts.push_back(fmt::format("{} rms {:.4g}{} (fit {} %)", output.text("name"),
                                output.number("residual_rms"), unit.empty() ? "" : " " + unit,
                                identify::fit_words(output.number("fit"))));
  }
  return join(parts, ", ");
}

void print_comparison(const std::vector<identify::EquationSetScore>& scores, Console& console) {
  if (scores.empty()) return;
  console.print("  {:<10} {:<14} {:>8} {:>11} {:>11} {:>11} {:>11}\n", "compare", "equations",
                "unknowns", "residual", "delta AIC", "delta BIC", "held back");
  for (const identify::EquationSetScore& score : scores) {
    console.print("  {:<10} {:<14} {:>8} {:>11} {:>11} {:>11} {:>11}\n", "", score.name,
                  score.unknowns, document::plain_number(score.residual, 4),
                  document::plain_number(score.aic_difference, 4),
                  document::plain_number(score.bic_difference, 4),
                  document::plain_number(score.held_back, 4));
  }
}

void print_estimation(const OutputErrorOutcome& result, Console& console) {
  const OutputErrorStudy& study = result.study;
  console.step("model", result.engine, seconds_text(result.compile_seconds));
  console.step("search",
               fmt::format("{}, {}", to_string(study.options.output_error.search.solver),
                           counted(result.estimate.evaluations, "evaluation")),
               seconds_text(result.search_seconds));
  if (result.estimate.start_deviations.size() > 0) {
    console.step(
        "starts",
        fmt::format("{} free at the start of {}",
                    counted(static_cast<long long>(study.model.states().size()), "state"),
                    counted(static_cast<long long>(study.data.experiments.size()), "experiment")));
  }
  if (result.has_prediction()) {
    const ResultTree tree = describe(result);
    print_parameters(tree.at("parameters"), console);
    print_profiles(tree.at("profiles"), result.profile_seconds, console);
    console.step("data", fmt::format("{}, residuals {}", rms_words(tree.at("outputs")),
                                     to_string(identify::whiteness_of(result.estimate.outputs))));
    const std::string outliers = outlier_words(result, study.data.experiments);
    if (!outliers.empty()) console.step("outliers", outliers);
    if (result.validation && result.validation->prediction.ok()) {
      console.step("validation",
                   rms_words(tree.at("validation/outputs")) +
                       fmt::format(" on {} held-back samples", study.validation.samples()));
    }
  }
  print_comparison(result.comparison, console);
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
