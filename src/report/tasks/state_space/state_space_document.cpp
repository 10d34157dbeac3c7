#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/report/state_space_report.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/state_space/state_space_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using study::StateSpaceOutcome;

std::string percent(double value) { return fmt::format("{:.2f} %", value); }

std::vector<std::pair<std::string, std::string>> state_facts(const StateSpaceOutcome& result) {
  const identify::StateSpace& found = result.found;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"states", grouped(found.model.F.rows())},
      {"inputs", grouped(found.model.G.cols())},
      {"outputs", grouped(found.model.H.rows())},
      {"form", found.model.gain.size() > 0 ? "innovation" : "output-error"},
      {"samples", grouped(result.study.data.samples())},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / found.model.step)},
      {"mean fit", percent(found.estimation.mean_fit())}};
  if (found.validation) {
    facts.emplace_back("mean fit, held back", percent(found.validation->mean_fit()));
    facts.emplace_back("worst fit, held back", percent(found.validation->worst_fit()));
  }
  facts.emplace_back("status", std::string(to_string(result.status)));
  return facts;
}

Table fit_table_of(const StateSpaceOutcome& result, const ResultTree& outputs, bool held_back) {
  std::vector<document::ResultColumn> columns = {{.path = "name", .heading = "output"},
                                                 {.path = "fit", .digits = 4},
                                                 {.path = "residual_rms", .digits = 3}};
  if (result.found.model.gain.size() > 0) {
    columns.push_back({.path = "fit_one_ahead", .digits = 4});
    columns.push_back(
        {.path = "fit_ahead",
         .heading = fmt::format("{} samples ahead [%]", result.study.options.steps_ahead),
         .digits = 4});
  }
  return with_rows({.id = held_back ? "validation" : "fit",
                    .title = held_back ? "Held-back record" : "Record of the estimate",
                    .header = {},
                    .caption = "Fit: 100 % less the residual over the output without its mean, of "
                               "the simulation from the inputs alone; ahead: of predictions that "
                               "know the outputs until then"},
                   outputs, columns);
}

Section state_fit_section(const StateSpaceOutcome& result, const ResultTree& tree) {
  Section section{.title = "Fit", .blocks = {}};
  if (result.found.validation) {
    section.blocks.push_back(fit_table_of(result, tree.at("validation/outputs"), true));
  }
  section.blocks.push_back(state_signals_plot(result));
  section.blocks.push_back(state_residual_plot(result));
  section.blocks.push_back(fit_table_of(result, tree.at("outputs"), false));
  return section;
}

Section state_pole_section(const StateSpaceOutcome& result, const ResultTree& tree) {
  Section section{.title = "Poles and responses", .blocks = {}};
  std::string caption = "± is one standard deviation, from the scores of parts of the record";
  if (std::isfinite(result.found.halves)) {
    caption += fmt::format(
        ". Fitted to each half of the record alone, poles differ by {:.2g} deviations in the "
        "median; 0.67 is expected",
        result.found.halves);
  }
  section.blocks.push_back(with_rows(
      {.id = "poles", .title = "Poles", .header = {}, .caption = caption}, tree.at("poles"),
      {{.path = "frequency_hz", .deviation = "frequency_deviation", .unknown = ""},
       {.path = "damping_ratio",
        .heading = "damping ratio [%]",
        .factor = 100.0,
        .deviation = "damping_deviation",
        .unknown = ""}}));
  section.blocks.push_back(state_magnitude_plot(result));
  section.blocks.push_back(state_phase_plot(result));
  section.blocks.push_back(state_step_plot(result));
  return section;
}

Section state_choice_section(const StateSpaceOutcome& result) {
  const identify::StateSpace& found = result.found;
  Section section{.title = "Order", .blocks = {}};
  section.blocks.push_back(
      Paragraph{fmt::format("{}. {} states of the start were left out as "
                            "drift, {} unstable poles were reflected.",
                            found.reason, found.dropped, found.reflected)});
  if (!found.trials.empty()) section.blocks.push_back(state_order_plot(result));
  if (found.singular_values.size() > 0) section.blocks.push_back(state_singular_plot(result));
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

}  // namespace

Document state_space_document(const StateSpaceOutcome& result) {
  const study::StateSpaceStudy& study = result.study;
  Document document{
      .title = study.title,
      .subtitle = fmt::format("State-space model of {} and {}",
                              count_of(static_cast<long long>(study.inputs.size()), "input"),
                              count_of(static_cast<long long>(study.outputs.size()), "output")),
      .facts = state_facts(result),
      .sections = {}};
  const ResultTree tree = describe(result);
  for (Section section :
       {state_fit_section(result, tree), state_pole_section(result, tree),
        state_choice_section(result), asked_section(study.file, study.text, study.overrides),
        files_section({{"model.mat",
                        "the model: A, B, C, D, K, x0, the step Ts and the covariance R "
                        "of the innovations"}})}) {
    document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
