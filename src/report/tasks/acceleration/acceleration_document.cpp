#include <fmt/format.h>

#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/report/acceleration_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/signals/measured_section.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/acceleration/acceleration_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using identify::RecordFit;
using study::AccelerationOutcome;
using study::AccelerationStudy;

std::vector<std::pair<std::string, std::string>> motion_facts(const AccelerationOutcome& result) {
  const AccelerationStudy& study = result.study;
  const identify::AccelerationRecord& record = study.records.front();
  std::vector<std::pair<std::string, std::string>> list = {
      {"records", grouped(static_cast<long long>(study.records.size()))},
      {"samples", grouped(record.samples())},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / record.step)}};
  if (!result.records.empty()) {
    const RecordFit& first = result.records.front();
    list.emplace_back("cycles", significant(first.diagnosis.cycles.count, 4));
    list.emplace_back("cycle", significant(first.diagnosis.cycles.period, 5) + " s");
    if (!first.regression.windows.empty()) {
      list.emplace_back("SNR", fixed(first.regression.signals.snr_db, 1) + " dB");
      list.emplace_back("windows",
                        grouped(static_cast<long long>(first.regression.windows.size())));
    }
  }
  list.emplace_back("status", std::string(to_string(result.status)));
  return list;
}

Table findings_table(const ResultTree& records) {
  return with_rows(
      {.id = "diagnosis",
       .title = "What the records are worth",
       .header = {},
       .caption =
           "Looked for: less than one cycle, clipping, offset and drift of the sensor, a wrong "
           "unit, a second mode, coarse sampling. Offset: mean over whole cycles; drift: its "
           "change over the record"},
      records,
      {{.path = "source"},
       {.path = "diagnosis/cycles", .unknown = ""},
       {.path = "diagnosis/amplitude", .unknown = ""},
       {.path = "diagnosis/noise", .digits = 3, .unknown = ""},
       {.path = "diagnosis/snr_db", .digits = 3},
       {.path = "diagnosis/offset", .digits = 3, .unknown = ""},
       {.path = "diagnosis/drift", .digits = 3, .unknown = ""},
       {.path = "diagnosis/findings"}});
}

Section motion_verdict(const AccelerationOutcome& result, const ResultTree& tree) {
  Section section{.title = "Verdict", .blocks = {}};
  if (!result.ok()) {
    section.blocks.push_back(Paragraph{
        fmt::format("{}: {}", to_string(result.status), result.message), Paragraph::Kind::Bad});
  } else if (result.verdict.level == TrustLevel::Good) {
    section.blocks.push_back(
        Paragraph{"No check of the records found a reason for doubt, and the fit converged."});
  } else {
    section.blocks.push_back(
        Paragraph{"The fit converged. Read the reasons of the verdict above before its numbers."});
  }
  if (!result.records.empty()) section.blocks.push_back(findings_table(tree.at("records")));
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  if (!result.records.empty()) {
    for (const std::string& remark : result.records.front().regression.remarks) {
      section.blocks.push_back(Paragraph{remark});
    }
  }
  return section;
}

Table side_by_side(const ResultTree& parameters) {
  return with_rows(
      {.id = "parameters",
       .title = "Parameters of the equation of motion",
       .header = {},
       .caption =
           "Regression: mean over windows with its standard deviation by the noise; spread: "
           "standard deviation over windows. Output error: the simulated acceleration fitted "
           "to the measured one, without the bias of integration and smoothing; the larger of "
           "the standard deviations for white and for coloured residuals. Difference: output "
           "error less regression, over the root of both variances"},
      parameters,
      {{.path = "name"},
       {.path = "regression/value", .deviation = "regression/deviation", .unknown = ""},
       {.path = "regression/spread", .digits = 3},
       {.path = "refined/value", .heading = "output error", .deviation = "refined/deviation"},
       {.path = "refined/share", .heading = "std [%]", .digits = 3, .factor = 100.0},
       {.path = "difference", .digits = 2}});
}

Table truth_table(const ResultTree& parameters) {
  return with_rows({.id = "truth", .title = "Against the truth", .header = {}},
                   rows_having(parameters, "truth"),
                   {{.path = "name"},
                    {.path = "truth", .digits = 6, .unknown = ""},
                    {.path = "regression/error",
                     .heading = "error of the regression [%]",
                     .digits = 3,
                     .factor = 100.0},
                    {.path = "refined/error",
                     .heading = "error of the output error [%]",
                     .digits = 3,
                     .factor = 100.0},
                    {.path = "refined/error_in_deviations",
                     .heading = "in its standard deviations",
                     .digits = 2}});
}

Section motion_parameters(const AccelerationOutcome& result, const ResultTree& tree) {
  Section section{.title = "Parameters", .blocks = {}};
  if (!result.has_fit()) return section;
  section.blocks.push_back(Listing{.title = "Equation of motion", .text = result.study.equations});
  const ResultTree& parameters = tree.at("records/0/parameters");
  section.blocks.push_back(side_by_side(parameters));
  if (!result.study.options.truth.empty()) section.blocks.push_back(truth_table(parameters));
  const RecordFit& record = result.records.front();
  if (!record.refined) return section;
  const identify::RefinedEquation& refined = *record.refined;
  std::string words = fmt::format("Start values: x0 = {} m, v0 = {} m/s",
                                  with_deviation(refined.x0, refined.x0_deviation),
                                  with_deviation(refined.v0, refined.v0_deviation));
  if (refined.offset_fitted) {
    words += fmt::format("; offset of the sensor {} m/s²",
                         with_deviation(refined.offset, refined.offset_deviation));
  }
  section.blocks.push_back(Paragraph{fmt::format(
      "{}. Residual of the output error {} m/s² rms, noise of the record {} m/s².", words,
      significant(refined.residual, 3), significant(record.diagnosis.cycles.noise, 3))});
  const optimize::EstimateStatistics& statistics = refined.search.statistics;
  if (statistics.names.size() > 1) {
    section.blocks.push_back(MatrixView{.id = "correlation",
                                        .title = "Correlation of the estimates (output error)",
                                        .values = statistics.correlation,
                                        .row_names = statistics.names,
                                        .column_names = statistics.names});
  }
  return section;
}

Section motion_files(const AccelerationOutcome& result) {
  std::vector<std::pair<std::string, std::string>> files;
  const std::size_t count = result.records.size();
  if (result.has_fit()) {
    files.emplace_back(file_range("motion", 1, count, count),
                       "measured and fitted acceleration, residual, displacement, velocity");
    files.emplace_back(file_range("windows", 1, count, count), "parameters window by window");
  }
  return files_section(files);
}

}  // namespace

Eigen::VectorXd record_times(const identify::AccelerationRecord& record) {
  return Eigen::VectorXd::LinSpaced(
      record.samples(), record.start_time,
      record.start_time + record.step * static_cast<double>(record.samples() - 1));
}

namespace {

// Beside no fit the record stands alone.
Section signals_section(const AccelerationOutcome& result) {
  const bool fitted = result.has_fit() && result.records.front().fitted.size() > 0;
  if (fitted || result.study.records.empty()) return {};
  const identify::AccelerationRecord& first = result.study.records.front();
  return measured_section(first.start_time, first.step,
                          {{"acceleration", "m/s^2", first.acceleration}});
}

}  // namespace

Document acceleration_document(const AccelerationOutcome& result) {
  check::at_least("acceleration_document", "number of equations", result.study.equation ? 1 : 0, 1);
  check::at_least("acceleration_document", "number of records",
                  static_cast<long long>(result.study.records.size()), 1);
  const AccelerationStudy& study = result.study;
  Document document{.title = study.title,
                    .subtitle = fmt::format(
                        "{} of one degree of freedom from {} of acceleration",
                        count_of(static_cast<long long>(study.parameters().size()), "parameter"),
                        count_of(static_cast<long long>(study.records.size()), "record")),
                    .facts = motion_facts(result),
                    .sections = {}};
  const ResultTree tree = describe(result);
  for (Section section :
       {motion_verdict(result, tree), motion_parameters(result, tree), motion_section(result),
        signals_section(result), window_section(result), amplitude_section(result),
        classical_section(result, tree), comparison_section(result, tree),
        repeatability_section(result, tree), asked_section(study.file, study.text, study.overrides),
        motion_files(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
