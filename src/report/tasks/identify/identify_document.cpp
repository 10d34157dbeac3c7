#include <fmt/format.h>

#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/report/identify_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/signals/measured_section.hpp"
#include "report/parts/study_sections.hpp"
#include "report/tasks/identify/identify_sections.hpp"

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
      {"unknowns", grouped(study.settings.unknowns.size())},
      {"experiments", grouped(static_cast<long long>(study.data.experiments.size()))},
      {"samples", grouped(study.data.samples())},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / study.step())},
      {"status", std::string(to_string(result.status))}};
  if (!study.validation.empty()) {
    list.insert(list.begin() + 6, {"held back", grouped(study.validation.samples())});
  }
  return list;
}

Section identify_files(const IdentifyResult& result) {
  std::vector<std::pair<std::string, std::string>> files;
  if (result.has_system()) {
    files.emplace_back("mass.csv, damping.csv, stiffness.csv",
                       "the matrices; a study can name them as its model");
  }
  const std::size_t predictions = result.refinement.predictions.size();
  if (predictions > 0) {
    files.emplace_back(file_range("prediction", 1, predictions, predictions),
                       "measured, predicted and residual signals");
  }
  if (result.validation) {
    const std::size_t count = result.study.validation.experiments.size();
    files.emplace_back(file_range("validation", 1, count, count),
                       "the same for the held-back data");
  }
  return files_section(files);
}

// Beside no model the signals stand alone.
Section signals_section(const IdentifyResult& result) {
  const study::MeasuredData& data = result.study.data;
  if (!result.refinement.predictions.empty() || data.sources.empty()) return {};
  std::vector<study::ColumnUse> outputs;
  for (const study::OutputSensor& one : result.study.outputs) outputs.push_back(one.column);
  const identify::Experiment& first = data.experiments.front();
  return measured_section(
      data.sources.front().start_time, first.step,
      measured_signals(result.study.inputs, outputs, first.input, first.output));
}

}  // namespace

Document identify_document(const IdentifyResult& result) {
  check::at_least("identify_document", "number of experiments",
                  static_cast<long long>(result.study.data.experiments.size()), 1);
  const IdentifyStudy& study = result.study;
  Document document{.title = study.title.empty() ? study.file.stem().string() : study.title,
                    .subtitle = identify_subtitle(study),
                    .facts = identify_facts(result),
                    .sections = {}};
  for (Section section :
       {identify_verdict_section(result), identify_matrix_section(result),
        identify_mode_section(result), identify_fit_section(result), signals_section(result),
        identify_validation_section(result), identify_method_section(result),
        asked_section(study.file, study.text, study.overrides), identify_files(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
