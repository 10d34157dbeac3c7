#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/report/observe_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/mechanism_drawing.hpp"
#include "report/parts/observability_section.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/observe/observe_plots.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using document::ResultTree;
using study::ObserveResult;
using study::ObserveStudy;

std::string observe_subtitle(const ObserveStudy& study) {
  return fmt::format("Motion of {} from {}", count_of(study.mechanism->coordinates(), "coordinate"),
                     count_of(study.mechanism->sensors(), "sensor"));
}

std::vector<std::pair<std::string, std::string>> observe_facts(const ObserveResult& result) {
  const ObserveStudy& study = result.study;
  return {{"bodies", grouped(static_cast<long long>(study.mechanism->bodies().size()))},
          {"coordinates", grouped(study.mechanism->coordinates())},
          {"states", grouped(static_cast<long long>(result.states.size()))},
          {"sensors", grouped(study.mechanism->sensors())},
          {"samples", grouped(study.time.size())},
          {"rate", fmt::format("{:.6g} Hz", 1.0 / study.time.median_step())},
          {"form", std::string(name_of(study.options.form))},
          {"filter", std::string(name_of(study.options.filter))},
          {"status", std::string(to_string(result.status))}};
}

Section observe_verdict(const ObserveResult& result) {
  Section section{.title = "Verdict", .blocks = {}};
  if (!result.ok()) {
    section.blocks.push_back(Paragraph{
        fmt::format("{}: {}", to_string(result.status), result.message), Paragraph::Kind::Bad});
  }
  const estimate::ConsistencyVerdict& verdict = result.consistency;
  if (verdict.good || !verdict.judged) section.blocks.push_back(Paragraph{verdict.words});
  for (const std::string& warning : result.verdict.reasons) {
    section.blocks.push_back(Paragraph{warning, Paragraph::Kind::Warning});
  }
  if (result.estimate.rejected > 0) {
    section.blocks.push_back(
        Paragraph{fmt::format("The gate kept out {} of {} samples.", result.estimate.rejected,
                              result.estimate.mean.rows())});
  }
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  return section;
}

Section observe_mechanism(const ObserveResult& result) {
  Section section{.title = "Mechanism", .blocks = {}};
  Animation animation = mechanism_animation(result);
  if (animation.times.size() > 0) section.blocks.push_back(std::move(animation));
  return section;
}

Table observed_states(const ResultTree& states, bool smooth) {
  Table table{.id = "states",
              .title = "States",
              .header = {},
              .rows = {},
              .caption =
                  "Mean standard deviation over the scored samples, and the filtered value "
                  "at the end with its standard deviation"};
  std::vector<ResultColumn> columns = {
      {.path = "name"},
      {.path = "unit"},
      {.path = "mean_deviation", .digits = 3, .unknown = "", .missing = ""},
      {.path = "last",
       .deviation = "last_deviation",
       .deviation_text = with_deviation,
       .unknown = ""}};
  if (smooth) {
    columns.insert(columns.end() - 1,
                   {.path = "smoothed_deviation", .digits = 3, .unknown = "", .missing = ""});
  }
  table.header = headings_of(states, columns);
  table.rows = cells_of(states, columns, significant);
  return table;
}

Section observe_motion(const ObserveResult& result, const ResultTree& tree) {
  Section section{.title = "Motion", .blocks = {}};
  section.blocks.push_back(observed_states(tree.at("states"), result.study.options.smooth));
  for (Plot& plot : state_plots(result)) section.blocks.push_back(std::move(plot));
  return section;
}

Table observed_sensors(const ResultTree& sensors) {
  Table table{
      .id = "sensors",
      .title = "Sensors",
      .header = {},
      .rows = {},
      .caption =
          "Innovations from the first scored sample on, with those kept out by the gate; "
          "expected: by the filter. Size: rms of those that entered over their expected "
          "standard deviations; slow: the same of "
          "sums over 20 neighbours. Both are 1 if all is right; slow above 1.2 for a sensor "
          "of positions means that the estimate strays from it"};
  const std::vector<ResultColumn> columns = {{.path = "name"},
                                             {.path = "kind"},
                                             {.path = "of"},
                                             {.path = "unit"},
                                             {.path = "role"},
                                             {.path = "sigma", .digits = 3, .missing = ""},
                                             {.path = "readings", .count_text = grouped},
                                             {.path = "rejected", .count_text = grouped},
                                             {.path = "innovation_rms", .digits = 3, .missing = ""},
                                             {.path = "expected_rms", .digits = 3, .missing = ""},
                                             {.path = "size", .digits = 3, .missing = ""},
                                             {.path = "slow", .digits = 3, .missing = ""}};
  table.header = headings_of(sensors, columns);
  table.rows = cells_of(sensors, columns, significant);
  return table;
}

Section observe_consistency(const ObserveResult& result, const ResultTree& tree) {
  Section section{.title = "Innovations", .blocks = {}};
  section.blocks.push_back(observed_sensors(tree.at("sensors")));
  for (Plot& plot : innovation_plots(result)) section.blocks.push_back(std::move(plot));
  Plot nis = nis_plot(result);
  if (!nis.curves.empty()) section.blocks.push_back(std::move(nis));
  if (result.consistency.judged) section.blocks.push_back(innovation_correlation(result));
  return section;
}

Table state_errors(const ResultTree& states) {
  Table table{.id = "truth",
              .title = "Errors",
              .header = {},
              .rows = {},
              .caption =
                  "Errors of the scored samples against the true motion. NEES: mean of (error over "
                  "standard deviation)\u00b2, 1 if the deviations are honest; its 95 % band counts "
                  "as many samples as are independent in time"};
  const std::vector<ResultColumn> columns = {
      {.path = "name"},
      {.path = "unit"},
      {.path = "bias", .digits = 3},
      {.path = "rms", .digits = 3},
      {.path = "smoothed_rms", .digits = 3, .missing = ""},
      {.path = "reported", .digits = 3},
      {.path = "covered", .heading = "within 1.96 std, %", .digits = 3, .factor = 100.0},
      {.path = "nees/mean", .digits = 3, .lower = "nees/lower", .upper = "nees/upper"},
      {.path = "nees/effective_samples", .digits = 3}};
  table.header = headings_of(states, columns);
  table.rows = cells_of(states, columns, significant);
  return table;
}

Section observe_truth(const ObserveResult& result, const ResultTree& truth) {
  Section section{.title = "Errors against the truth", .blocks = {}};
  if (truth.is_null()) return section;
  const ResultTree& joint = truth.at("nees");
  const bool consistent = joint.at("consistent").boolean();
  const bool larger = joint.number("mean") > joint.number("upper");
  section.blocks.push_back(Paragraph{
      fmt::format("All states together: mean NEES {} of {} expected, 95 % within {} to {} "
                  "({} of {} samples are independent). {}",
                  significant(joint.number("mean"), 3), significant(joint.number("expected"), 3),
                  significant(joint.number("lower"), 3), significant(joint.number("upper"), 3),
                  grouped(std::llround(joint.number("effective_samples"))),
                  grouped(result.truth->samples),
                  consistent ? "The covariances tell the truth."
                  : larger   ? "The covariances are too small."
                             : "The covariances are larger than need be."),
      larger ? Paragraph::Kind::Warning : Paragraph::Kind::Normal});
  section.blocks.push_back(state_errors(truth.at("states")));
  for (Plot& plot : error_plots(result)) section.blocks.push_back(std::move(plot));
  return section;
}

}  // namespace

Document observe_document(const ObserveResult& result) {
  check::at_least("observe_document", "number of mechanisms", result.study.mechanism ? 1 : 0, 1);
  const ObserveStudy& study = result.study;
  const ResultTree tree = describe(result);
  Document document{.title = study.title,
                    .subtitle = observe_subtitle(study),
                    .facts = observe_facts(result),
                    .sections = {}};
  for (Section section :
       {observe_verdict(result), observe_mechanism(result), observe_motion(result, tree),
        watch_section(result, tree.at("watch")), observe_truth(result, tree.at("truth")),
        observe_consistency(result, tree), observability_section(tree.at("observability")),
        asked_section(study.file, study.text, study.overrides),
        files_section({{"estimates.csv",
                        "states with standard deviations, innovations, NIS, for each sample"}})}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
