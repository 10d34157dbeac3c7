#include <fmt/format.h>

#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/report/mechanism_fit_report.hpp"
#include "core/mapped.hpp"
#include "report/parts/study_sections.hpp"
#include "report/parts/whiteness_words.hpp"
#include "report/tasks/mechanism_fit/mechanism_fit_plots.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using study::MechanismFitOutcome;
using study::MechanismFitStudy;

std::vector<std::pair<std::string, std::string>> mechanism_fit_facts(
    const MechanismFitOutcome& result) {
  const MechanismFitStudy& study = result.study;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"bodies", grouped(static_cast<long long>(study.mechanism->bodies().size()))},
      {"coordinates", grouped(study.mechanism->coordinates())},
      {"unknowns", grouped(static_cast<long long>(study.parameters.size()))},
      {"samples", grouped(study.record.samples())},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / study.record.step)},
      {"evaluations", grouped(result.estimate.evaluations)},
      {"status", std::string(to_string(result.status))}};
  if (!study.held_back.empty()) {
    facts.insert(facts.begin() + 4, {"held back", grouped(study.held_back.front().samples())});
  }
  return facts;
}

Section fit_verdict(const MechanismFitOutcome& result) {
  Section section{.title = "Verdict", .blocks = {}};
  section.blocks.push_back(
      result.ok() ? Paragraph{"The search converged."}
                  : Paragraph{fmt::format("{}: {}", to_string(result.status), result.message),
                              Paragraph::Kind::Bad});
  if (result.has_prediction()) {
    section.blocks.push_back(Paragraph{
        whiteness_words(result.estimate.outputs,
                        "the standard deviations allow for that, as far as the mechanism itself "
                        "is described rightly")});
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

Section number_section(const MechanismFitOutcome& result, const ResultTree& tree) {
  Section section{.title = "Parameters", .blocks = {}};
  section.blocks.push_back(with_rows(
      {.id = "parameters",
       .title = "Numbers of the mechanism, and the state at the first sample",
       .header = {},
       .caption = "Value with its standard deviation, which allows for coloured residuals; white: "
                  "what it would be if they were white. The interval is by Student's t"},
      tree.at("parameters"),
      {{.path = "name"},
       {.path = "unit"},
       {.path = "value", .deviation = "deviation", .unknown = ""},
       {.path = "margin", .digits = 2, .number_text = known_or_blank, .unknown = ""},
       {.path = "white_deviation", .digits = 2, .number_text = known_or_blank, .unknown = ""},
       {.path = "guess", .number_text = known_or_blank, .unknown = ""},
       {.path = "role"}}));
  const optimize::EstimateStatistics& statistics = result.estimate.trusted();
  if (statistics.names.size() > 1) {
    section.blocks.push_back(MatrixView{.id = "correlation",
                                        .title = "Correlation of the estimates",
                                        .values = statistics.correlation,
                                        .row_names = statistics.names,
                                        .column_names = statistics.names});
    section.blocks.push_back(Paragraph{
        fmt::format("Condition of the scaled sensitivities: {}. Poorly known direction: {}.",
                    significant(statistics.condition, 3), statistics.weakest.words)});
  }
  return section;
}

Section base_section(const MechanismFitOutcome& result, const ResultTree& tree) {
  Section section{.title = "Base parameters", .blocks = {}};
  if (result.base_estimates.empty()) return section;
  section.blocks.push_back(Paragraph{
      "Forces and motion tell only some combinations of masses, centres, inertias and friction. "
      "These are the combinations that act; what is not in one of them has no effect."});
  section.blocks.push_back(
      with_rows({.id = "base-parameters",
                 .title = "Combinations that act on the motion",
                 .header = {},
                 .caption = "A value without a deviation is made of given numbers alone"},
                tree.at("base_parameters"),
                {{.path = "name"},
                 {.path = "unit"},
                 {.path = "value", .deviation = "deviation", .unknown = ""}}));
  const std::vector<std::string> idle = mapped(result.base.without_effect, [&](int term) {
    return result.base.terms[static_cast<std::size_t>(term)].words;
  });
  if (!idle.empty()) {
    section.blocks.push_back(Paragraph{"Without any effect: " + join(idle, ", ") + "."});
  }
  return section;
}

// Each rival beside the fit, parameter by parameter.
Section rival_section(const MechanismFitOutcome& result, const ResultTree& tree) {
  Section section{.title = "Inverse dynamics", .blocks = {}};
  if (result.rivals.empty()) return section;
  section.blocks.push_back(Paragraph{
      "The measured forces regressed on the measured motion, whose derivatives are those of "
      "smoothing splines. Instruments: the slopes along a simulated motion take the place of the "
      "measured ones, so that their noise does no harm. Deviations take the residuals for white."});
  for (const ResultTree& rival : tree.at("inverse_dynamics").entries()) {
    if (rival.text("status") != "success") {
      section.blocks.push_back(
          Paragraph{fmt::format("{}: {}.", rival.text("rule"), rival.text("message"))});
      continue;
    }
    section.blocks.push_back(
        with_rows({.id = "inverse-" + rival.text("rule"),
                   .title = fmt::format("By {}", rival.text("rule")),
                   .header = {},
                   .caption = fmt::format("Residual rms of the forces on the coordinates: {}",
                                          significant(rival.number("residual_rms"), 3))},
                  rival.at("parameters"),
                  {{.path = "name"}, {.path = "value", .deviation = "deviation", .unknown = ""}}));
  }
  return section;
}

Table sensor_table(const std::string& id, const std::string& title, const ResultTree& outputs) {
  return with_rows({.id = id,
                    .title = title,
                    .header = {},
                    .caption = "Fit: 100 (1 - |y - \u0177| / |y - mean y|). Whiteness: Ljung-Box "
                               "statistic over its 95 % bound"},
                   outputs,
                   {{.path = "name"},
                    {.path = "unit"},
                    {.path = "sigma"},
                    {.path = "residual_rms", .unknown = ""},
                    {.path = "fit", .digits = 2, .number_text = fixed, .unknown = ""},
                    {.path = "whiteness", .digits = 2, .number_text = fixed}});
}

Section motion_section(const MechanismFitOutcome& result, const ResultTree& tree) {
  Section section{.title = "Measured and simulated", .blocks = {}};
  if (!result.has_prediction()) return section;
  section.blocks.push_back(sensor_table("outputs", "Motion sensors", tree.at("outputs")));
  if (result.study.record.input.cols() > 0) section.blocks.push_back(measured_forces(result.study));
  add_motion_plots(result, result.study.record, result.estimate.prediction, "history", section);
  return section;
}

Section held_back_section(const MechanismFitOutcome& result, const ResultTree& tree) {
  Section section{.title = "Held-back data", .blocks = {}};
  if (!result.validation || !result.validation->prediction.ok()) return section;
  section.blocks.push_back(Paragraph{
      "The last part of the record, simulated with the parameters found. Only the state at its "
      "first sample is fitted to it."});
  section.blocks.push_back(sensor_table("validation", "Motion sensors on held-back data",
                                        tree.at("validation/outputs")));
  add_motion_plots(result, result.study.held_back.front(), result.validation->prediction,
                   "validation", section);
  return section;
}

Section search_section(const MechanismFitOutcome& result) {
  Section section{.title = "Estimation details", .blocks = {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "{} simulations of the record by Levenberg-Marquardt, begun at the {}. {} Runge-Kutta steps "
      "a sample; finer steps change the simulation by {} of the residual.",
      grouped(result.estimate.evaluations), result.begun, result.study.settings.fit.substeps,
      significant(result.estimate.step_error, 2))});
  return section;
}

Section file_section(const MechanismFitOutcome& result) {
  std::vector<std::pair<std::string, std::string>> files;
  if (result.has_prediction()) {
    files.emplace_back("prediction.csv", "measured, simulated and residual motion");
  }
  if (result.validation && result.validation->prediction.ok()) {
    files.emplace_back("validation.csv", "the same for the held-back data");
  }
  return files_section(files);
}

}  // namespace

Document mechanism_fit_document(const MechanismFitOutcome& result) {
  const MechanismFitStudy& study = result.study;
  Document document{
      .title = study.title,
      .subtitle = fmt::format("{} of a mechanism from {}",
                              count_of(static_cast<long long>(study.parameters.size()), "number"),
                              study.source),
      .facts = mechanism_fit_facts(result),
      .sections = {}};
  const ResultTree tree = describe(result);
  for (Section section :
       {fit_verdict(result), number_section(result, tree), base_section(result, tree),
        rival_section(result, tree), motion_section(result, tree), held_back_section(result, tree),
        search_section(result), asked_section(study.file, study.text, study.overrides),
        file_section(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
