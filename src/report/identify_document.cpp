#include <fmt/format.h>

#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/report/identify_report.hpp"
#include "report/identify_sections.hpp"
#include "report/text.hpp"
#include "report/words.hpp"

namespace alembert::report {
namespace {

using study::IdentifyResult;
using study::IdentifyStudy;

std::string identify_subtitle(const IdentifyStudy& study) {
  return fmt::format("Mass, damping and stiffness of {} from {} and {}",
                     count_of(study.model.system.L.rows(), "coordinate"),
                     count_of(study.model.system.L.cols(), "measured force"),
                     count_of(static_cast<long long>(study.outputs.size()), "measured response"));
}

std::vector<std::pair<std::string, std::string>> identify_facts(const IdentifyResult& result) {
  const IdentifyStudy& study = result.study;
  std::vector<std::pair<std::string, std::string>> list = {
      {"degrees of freedom", grouped(study.model.system.L.rows())},
      {"forces", grouped(study.model.system.L.cols())},
      {"sensors", grouped(static_cast<long long>(study.outputs.size()))},
      {"unknowns", grouped(study.unknowns.size())},
      {"experiments", grouped(static_cast<long long>(study.data.experiments.size()))},
      {"samples", grouped(study.data.samples())},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / study.step())},
      {"status", std::string(to_string(result.status))}};
  if (!study.validation.empty()) {
    list.insert(list.begin() + 6, {"held back", grouped(study.validation.samples())});
  }
  return list;
}

Section identify_asked_section(const IdentifyStudy& study) {
  Section section{.title = "What was asked", .blocks = {}};
  if (!study.overrides.empty()) {
    section.blocks.push_back(
        Paragraph{fmt::format("Changed on the command line: {}.", join(study.overrides, ", "))});
  }
  section.blocks.push_back(Listing{study.file.filename().string(), study.text});
  return section;
}

std::string numbered_files(const std::string& stem, std::size_t count) {
  const std::string first = study::record_file_name(stem, 1, count);
  return count == 1
             ? first
             : fmt::format("{} \u2026 {}", first, study::record_file_name(stem, count, count));
}

Section identify_files_section(const IdentifyResult& result) {
  Table table{.id = "files",
              .title = "Files beside this report",
              .header = {"file", "content"},
              .rows = {{"result.json", "all results as numbers, with documented keys"}}};
  if (result.has_system()) {
    table.rows.push_back({"mass.csv, damping.csv, stiffness.csv",
                          "the matrices; a study can name them as its model"});
  }
  const std::size_t predictions = result.refinement.predictions.size();
  if (predictions > 0) {
    table.rows.push_back(
        {numbered_files("prediction", predictions), "measured, predicted and residual signals"});
  }
  if (result.validation) {
    table.rows.push_back({numbered_files("validation", result.study.validation.experiments.size()),
                          "the same for the held-back data"});
  }
  return {.title = "Files", .blocks = {std::move(table)}};
}

}  // namespace

Document identify_document(const IdentifyResult& result) {
  const IdentifyStudy& study = result.study;
  Document document{.title = study.title.empty() ? study.file.stem().string() : study.title,
                    .subtitle = identify_subtitle(study),
                    .facts = identify_facts(result),
                    .sections = {}};
  for (Section section : {identify_verdict_section(result), identify_matrix_section(result),
                          identify_mode_section(result), identify_fit_section(result),
                          identify_validation_section(result), identify_method_section(result),
                          identify_asked_section(study), identify_files_section(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
