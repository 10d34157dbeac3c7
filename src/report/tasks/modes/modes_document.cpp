#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/report/modes_report.hpp"
#include "report/parts/signals/measured_section.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/modes/modes_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using study::ModesOutcome;

std::vector<std::pair<std::string, std::string>> modes_facts(const ModesOutcome& result) {
  const study::ModesStudy& study = result.study;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"modes", grouped(static_cast<long long>(result.modes.size()))},
      {"forces",
       study.inputs.empty() ? "not known" : grouped(static_cast<long long>(study.inputs.size()))},
      {"responses", grouped(static_cast<long long>(study.outputs.size()))}};
  if (!study.responses) {
    facts.emplace_back("samples", grouped(study.samples()));
    facts.emplace_back("rate", fmt::format("{:.6g} Hz", 1.0 / study.step));
  }
  if (result.responses() != nullptr) {
    facts.emplace_back("lines", grouped(result.responses()->data.lines()));
  }
  if (result.taps) {
    facts.emplace_back("decays", grouped(static_cast<long long>(result.taps->windows.size())));
  }
  if (result.ambient) facts.emplace_back("block rows", grouped(result.ambient->block_rows));
  facts.emplace_back("status", std::string(to_string(result.status)));
  return facts;
}

std::string origin_words(const ModesOutcome& result) {
  if (result.ambient) {
    return "From the covariances of the responses; ± is one standard deviation from their scatter "
           "over blocks of the record";
  }
  if (result.taps) {
    return "Fitted to the lines of the decays in the band; ± is one standard deviation from what "
           "the "
           "fit leaves of them";
  }
  if (result.frf) {
    return "Fitted to the frequency responses; ± is one standard deviation, from the residual of "
           "the fit";
  }
  if (result.forced->refined) {
    return "Fitted to the lines of the records in the band; ± is one standard deviation from what "
           "the fit leaves of them";
  }
  return "Fitted to the frequency responses; ± is one standard deviation from the scatter of their "
         "averages. Windows raise light damping";
}

Table modes_table_of(const ModesOutcome& result, const ResultTree& tree) {
  const std::string origin = origin_words(result);
  const bool shapes = result.study.outputs.size() > 1;
  std::vector<document::ResultColumn> columns = {
      {.path = "mode"},
      {.path = "frequency_hz", .deviation = "frequency_deviation", .unknown = ""},
      {.path = "damping_ratio",
       .heading = "damping ratio [%]",
       .factor = 100.0,
       .deviation = "damping_deviation",
       .unknown = ""}};
  if (shapes) {
    columns.push_back({.path = "collinearity", .digits = 4});
    columns.push_back({.path = "phase_spread", .digits = 2});
  }
  if (!result.scaled.empty()) {
    columns.push_back({.path = "modal_mass", .digits = 4});
    columns.push_back({.path = "driving_phase", .digits = 2});
    const bool all_trusted =
        std::all_of(result.scaled.begin(), result.scaled.end(),
                    [](const identify::ScaledMode& one) { return one.trusted; });
    if (!all_trusted) {
      columns.push_back({.path = "scale_remark", .heading = "remark on the mass"});
    }
  }
  columns.push_back({.path = "remark"});
  const std::string of_mass =
      result.scaled.empty() ? ""
                            : ". Modal mass: of the shape whose largest entry is 1, from the "
                              "driving point; its phase "
                              "there is 0 if force and response are at one place in one direction";
  const std::string of_shapes =
      shapes ? ". MPC: 1 if all parts of the shape move in phase or against it; MPD: mean angle "
               "from that line"
             : "";
  return with_rows(
      {.id = "modes", .title = "Modes", .header = {}, .caption = origin + of_shapes + of_mass},
      tree.at("modes"), columns);
}

Section found_section(const ModesOutcome& result, const ResultTree& tree) {
  Section section{.title = "Modes", .blocks = {}};
  // With one response every shape is 1.
  const bool shapes = tree.find("mac") != nullptr && result.study.outputs.size() > 1;
  if (result.modes.empty()) {
    section.blocks.push_back(Paragraph{result.message, Paragraph::Kind::Bad});
  } else {
    section.blocks.push_back(modes_table_of(result, tree));
    if (result.study.geometry && study::has_shapes(result)) {
      section.blocks.push_back(moving_shapes(result));
    }
    if (shapes) section.blocks.push_back(mode_shape_plot(result));
    if (shapes && result.modes.size() > 1) section.blocks.push_back(mac_view(result));
  }
  if (result.taps && !result.taps->harmonics.empty()) {
    section.blocks.push_back(with_rows(
        {.id = "harmonics", .title = "Steady vibrations, not modes", .header = {}, .caption = {}},
        tree.at("harmonics"), {{.path = "frequency_hz"}, {.path = "remark"}}));
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

Section choice_section(const ModesOutcome& result) {
  Section section{.title = "How they were found", .blocks = {}};
  if (!result.diagram.empty()) section.blocks.push_back(stabilisation_plot(result));
  if (result.responses() != nullptr && result.responses()->has_model()) {
    section.blocks.push_back(mode_response_plot(result));
    section.blocks.push_back(mode_phase_plot(result));
  }
  if (result.taps && !result.taps->fitted.empty()) {
    section.blocks.push_back(decay_spectrum_plot(result));
    section.blocks.push_back(decay_plot(result));
  }
  if (result.ambient && result.ambient->singular_values.size() > 0) {
    section.blocks.push_back(singular_value_plot(result));
  }
  return section;
}

Section record_section(const ModesOutcome& result, const ResultTree& tree) {
  Section section{.title = "Fit of the records", .blocks = {}};
  const bool refined = result.forced && result.forced->refined;
  if (!refined && !(result.taps && !result.taps->outputs.empty())) return section;
  section.blocks.push_back(with_rows({.id = "fit",
                                      .title = "Measured responses against those of the modes",
                                      .header = {},
                                      .caption = "Fit: 100 % less the residual over the response, "
                                                 "both as rms over the lines of the band"},
                                     tree.at("outputs"),
                                     {{.path = "name", .heading = "response"},
                                      {.path = "fit", .digits = 4},
                                      {.path = "residual_rms", .digits = 3}}));
  return section;
}

// Beside no modes the signals stand alone.
Section signals_section(const ModesOutcome& result) {
  const study::ModesStudy& study = result.study;
  if (!result.modes.empty() || study.experiments.empty() || study.sources.empty()) return {};
  const signal::InputOutput& first = study.experiments.front();
  return measured_section(
      study.sources.front().start_time, study.step,
      measured_signals(study.inputs, study.outputs, first.inputs, first.outputs));
}

std::vector<std::pair<std::string, std::string>> modes_files(const ModesOutcome& result) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"shapes.csv", "shapes, real and imaginary part of each mode in turn"}};
  if (result.study.geometry) {
    files.emplace_back("modes.unv",
                       "nodes, lines and shapes as a universal file (datasets 2411, 82, 2412, 55)");
  }
  if (study::has_modal_model(result)) {
    files.emplace_back("modal-model.toml",
                       "a study of [simulate] whose model are the modes, with unit modal mass");
  }
  return files;
}

}  // namespace

Document modes_document(const ModesOutcome& result) {
  const study::ModesStudy& study = result.study;
  Document document{
      .title = study.title,
      .subtitle = fmt::format("Modes from {} and {}",
                              study.inputs.empty()
                                  ? std::string("unknown forces")
                                  : count_of(static_cast<long long>(study.inputs.size()), "force"),
                              count_of(static_cast<long long>(study.outputs.size()), "response")),
      .facts = modes_facts(result),
      .sections = {}};
  const ResultTree tree = describe(result);
  for (Section section :
       {found_section(result, tree), choice_section(result), record_section(result, tree),
        signals_section(result), asked_section(study.file, study.text, study.overrides),
        files_section(modes_files(result))}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
