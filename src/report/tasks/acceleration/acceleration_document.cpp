#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/report/acceleration_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/acceleration/acceleration_sections.hpp"
#include "report/tasks/identify/identify_sections.hpp"

namespace alembert::report {
namespace {

using study::AccelerationOutcome;
using study::AccelerationStudy;
using study::RecordOutcome;

std::string optional_number(double value, int digits = 4) {
  return std::isfinite(value) ? significant(value, digits) : "-";
}

std::vector<std::pair<std::string, std::string>> motion_facts(const AccelerationOutcome& result) {
  const AccelerationStudy& study = result.study;
  const identify::MotionRecord& record = study.records.front();
  std::vector<std::pair<std::string, std::string>> list = {
      {"records", grouped(static_cast<long long>(study.records.size()))},
      {"samples", grouped(record.samples())},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / record.step)}};
  if (!result.records.empty()) {
    const RecordOutcome& first = result.records.front();
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

Table findings_table(const AccelerationOutcome& result) {
  Table table{
      .id = "diagnosis",
      .title = "What the records are worth",
      .header = {"record", "cycles", "amplitude [m/s²]", "noise [m/s²]", "SNR [dB]",
                 "offset [m/s²]", "drift [m/s²]", "findings"},
      .rows = {},
      .caption =
          "Looked for: less than one cycle, clipping, offset and drift of the sensor, a wrong "
          "unit, a second mode, coarse sampling. Offset: mean over whole cycles; drift: its "
          "change over the record"};
  for (std::size_t e = 0; e < result.records.size(); ++e) {
    const identify::RecordDiagnosis& one = result.records[e].diagnosis;
    std::string words;
    for (const identify::RecordFinding& finding : one.findings) {
      words += (words.empty() ? "" : ", ") + std::string(to_string(finding.fault));
    }
    const double snr =
        20.0 * std::log10(one.cycles.amplitude / (std::sqrt(2.0) * one.cycles.noise));
    table.rows.push_back({result.study.sources[e].file, significant(one.cycles.count, 4),
                          significant(one.cycles.amplitude), significant(one.cycles.noise, 3),
                          optional_number(snr, 3), significant(one.offset, 3),
                          significant(one.drift, 3), words.empty() ? "none" : words});
  }
  return table;
}

Section motion_verdict(const AccelerationOutcome& result) {
  Section section{.title = "Verdict", .blocks = {}};
  if (!result.ok()) {
    section.blocks.push_back(Paragraph{
        fmt::format("{}: {}", to_string(result.status), result.message), Paragraph::Kind::Bad});
  } else if (result.warnings.empty()) {
    section.blocks.push_back(Paragraph{"Nothing speaks against the records, and the fit converged.",
                                       Paragraph::Kind::Good});
  } else {
    section.blocks.push_back(
        Paragraph{"The fit converged. Read the remarks below before its numbers."});
  }
  for (const std::string& warning : result.warnings) {
    section.blocks.push_back(Paragraph{warning, Paragraph::Kind::Warning});
  }
  if (!result.records.empty()) section.blocks.push_back(findings_table(result));
  for (const std::string& note : result.study.notes) section.blocks.push_back(Paragraph{note});
  if (!result.records.empty()) {
    for (const std::string& remark : result.records.front().regression.remarks) {
      section.blocks.push_back(Paragraph{remark});
    }
  }
  return section;
}

std::string percent_of(double value, double of) {
  const double share = 100.0 * value / std::abs(of);
  return std::isfinite(share) ? significant(share, 3) : "-";
}

Table side_by_side(const AccelerationOutcome& result) {
  const RecordOutcome& record = result.records.front();
  Table table{
      .id = "parameters",
      .title = "Parameters of the equation of motion",
      .header = {"parameter", "regression", "spread over windows", "output error", "std [%]",
                 "difference [std]"},
      .rows = {},
      .caption =
          "Regression: mean over windows with its standard deviation by the noise; spread: "
          "standard deviation over windows. Output error: the simulated acceleration fitted "
          "to the measured one, without the bias of integration and smoothing; the larger of "
          "the standard deviations for white and for coloured residuals. Difference: output "
          "error less regression, over the root of both variances"};
  const std::vector<std::string>& names = result.study.parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double value = record.regression.parameters(k);
    const double deviation = record.regression.deviations(k);
    std::vector<std::string> row = {names[i], with_deviation(value, deviation),
                                    optional_number(record.regression.spread(k), 3)};
    const bool refined = record.refined && record.refined->parameters.size() > k;
    const double better = refined ? record.refined->parameters(k) : std::nan("");
    const double better_deviation = refined ? record.refined->deviations(k) : std::nan("");
    row.push_back(refined ? with_deviation(better, better_deviation) : "-");
    row.push_back(refined ? percent_of(better_deviation, better) : "-");
    row.push_back(
        refined ? optional_number((better - value) / std::hypot(deviation, better_deviation), 2)
                : "-");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table truth_table(const AccelerationOutcome& result) {
  const RecordOutcome& record = result.records.front();
  Table table{.id = "truth",
              .title = "Against the truth",
              .header = {"parameter", "true", "error of the regression [%]",
                         "error of the output error [%]", "in its standard deviations"},
              .rows = {}};
  const std::vector<std::string>& names = result.study.parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::optional<double> truth = result.study.truth_of(names[i]);
    if (!truth) continue;
    const auto k = static_cast<Eigen::Index>(i);
    std::vector<std::string> row = {names[i], significant(*truth, 6),
                                    percent_of(record.regression.parameters(k) - *truth, *truth)};
    if (record.refined && record.refined->parameters.size() > k) {
      const double error = record.refined->parameters(k) - *truth;
      row.push_back(percent_of(error, *truth));
      row.push_back(optional_number(error / record.refined->deviations(k), 2));
    } else {
      row.insert(row.end(), {"-", "-"});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Section motion_parameters(const AccelerationOutcome& result) {
  Section section{.title = "Parameters", .blocks = {}};
  if (!result.has_fit()) return section;
  section.blocks.push_back(Listing{.title = "Equation of motion", .text = result.study.equations});
  section.blocks.push_back(side_by_side(result));
  if (!result.study.truth.empty()) section.blocks.push_back(truth_table(result));
  const RecordOutcome& record = result.records.front();
  if (!record.refined) return section;
  const identify::RefinedMotion& refined = *record.refined;
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

Eigen::VectorXd record_times(const identify::MotionRecord& record) {
  return Eigen::VectorXd::LinSpaced(
      record.samples(), record.start_time,
      record.start_time + record.step * static_cast<double>(record.samples() - 1));
}

Document acceleration_document(const AccelerationOutcome& result) {
  const AccelerationStudy& study = result.study;
  Document document{.title = study.title,
                    .subtitle = fmt::format(
                        "{} of one degree of freedom from {} of acceleration",
                        count_of(static_cast<long long>(study.parameters().size()), "parameter"),
                        count_of(static_cast<long long>(study.records.size()), "record")),
                    .facts = motion_facts(result),
                    .sections = {}};
  for (Section section :
       {motion_verdict(result), motion_parameters(result), motion_section(result),
        window_section(result), amplitude_section(result), classical_section(result),
        comparison_section(result), repeatability_section(result),
        asked_section(study.file, study.text, study.overrides), motion_files(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
