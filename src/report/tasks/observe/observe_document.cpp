#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/report/observe_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/deviation_words.hpp"
#include "report/parts/mechanism_drawing.hpp"
#include "report/parts/observability_section.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/observe/observe_plots.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using study::ObserveResult;
using study::ObserveStudy;

std::string observe_subtitle(const ObserveStudy& study) {
  return fmt::format("Motion of {} from {}", count_of(study.mechanism->coordinates(), "coordinate"),
                     count_of(study.mechanism->sensors(), "sensor"));
}

std::vector<std::pair<std::string, std::string>> observe_facts(const ObserveResult& result) {
  const ObserveStudy& study = result.study;
  const bool output = study.options.form == estimate::ObserverForm::Output;
  return {{"bodies", grouped(static_cast<long long>(study.mechanism->bodies().size()))},
          {"coordinates", grouped(study.mechanism->coordinates())},
          {"states", grouped(static_cast<long long>(result.states.size()))},
          {"sensors", grouped(study.mechanism->sensors())},
          {"samples", grouped(study.time.size())},
          {"rate", fmt::format("{:.6g} Hz", 1.0 / study.time.median_step())},
          {"form", output ? "output" : "input"},
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
  if (verdict.good) {
    section.blocks.push_back(Paragraph{
        verdict.words, verdict.cautious ? Paragraph::Kind::Normal : Paragraph::Kind::Good});
  }
  if (!verdict.judged) section.blocks.push_back(Paragraph{verdict.words});
  for (const std::string& warning : result.warnings) {
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

Table observed_states(const ObserveResult& result) {
  const bool smooth = result.study.options.smooth;
  Table table{.id = "states",
              .title = "States",
              .header = {"state", "unit", "mean std", "last value"},
              .rows = {},
              .caption =
                  "Mean standard deviation over the scored samples, and the filtered value "
                  "at the end with its standard deviation"};
  if (smooth) table.header.insert(table.header.begin() + 3, "smoothed mean std");
  const Index last = result.estimate.mean.rows() - 1;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    const auto c = static_cast<Index>(i);
    const auto mean = [&](const Eigen::MatrixXd& deviation) {
      return result.scored > 0 ? significant(deviation.col(c).tail(result.scored).mean(), 3) : "";
    };
    std::vector<std::string> row = {result.states[i].name, pretty_unit(result.states[i].unit),
                                    mean(result.estimate.deviation)};
    if (smooth) row.push_back(mean(result.estimate.smoothed_deviation));
    row.push_back(
        with_deviation(result.estimate.mean(last, c), result.estimate.deviation(last, c)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section observe_motion(const ObserveResult& result) {
  Section section{.title = "Motion", .blocks = {}};
  section.blocks.push_back(observed_states(result));
  for (Plot& plot : state_plots(result)) section.blocks.push_back(std::move(plot));
  return section;
}

Table observed_sensors(const ObserveResult& result) {
  Table table{
      .id = "sensors",
      .title = "Sensors",
      .header = {"sensor", "kind", "of", "unit", "role", "sigma", "readings", "kept out",
                 "innovation rms", "expected rms", "size", "slow"},
      .rows = {},
      .caption =
          "Innovations from the first scored sample on, with those kept out by the gate; "
          "expected: by the filter. Size: rms of those that entered over their expected "
          "standard deviations; slow: the same of "
          "sums over 20 neighbours. Both are 1 if all is right; slow above 1.2 for a sensor "
          "of positions means that the estimate strays from it"};
  const auto number = [](double value) {
    return std::isfinite(value) ? significant(value, 3) : std::string();
  };
  for (std::size_t i = 0; i < result.sensors.size(); ++i) {
    const model::planar::Sensor& sensor = result.study.mechanism->description().sensors[i];
    const estimate::SensorScore& score = result.sensors[i];
    table.rows.push_back({sensor.name, std::string(name_of(sensor.kind)), sensor.of,
                          pretty_unit(sensor_unit(sensor.kind)), std::string(name_of(score.role)),
                          number(std::sqrt(model::planar::sensor_variance(sensor))),
                          grouped(score.readings), grouped(score.rejected),
                          number(score.innovation_rms), number(score.expected_rms),
                          score.judged ? number(score.normalised.size) : "",
                          score.judged ? number(score.normalised.slow) : ""});
  }
  return table;
}

Section observe_consistency(const ObserveResult& result) {
  Section section{.title = "Innovations", .blocks = {}};
  section.blocks.push_back(observed_sensors(result));
  for (Plot& plot : innovation_plots(result)) section.blocks.push_back(std::move(plot));
  Plot nis = nis_plot(result);
  if (!nis.curves.empty()) section.blocks.push_back(std::move(nis));
  if (result.consistency.judged) section.blocks.push_back(innovation_correlation(result));
  return section;
}

}  // namespace

Document observe_document(const ObserveResult& result) {
  const ObserveStudy& study = result.study;
  Document document{.title = study.title,
                    .subtitle = observe_subtitle(study),
                    .facts = observe_facts(result),
                    .sections = {}};
  for (Section section :
       {observe_verdict(result), observe_mechanism(result), observe_motion(result),
        observe_consistency(result),
        observability_section(*study.mechanism, result.observability, result.observability_words),
        asked_section(study.file, study.text, study.overrides),
        files_section({{"estimates.csv",
                        "states with standard deviations, innovations, NIS, for each sample"}})}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
