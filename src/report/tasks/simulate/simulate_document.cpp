#include <fmt/format.h>

#include <optional>
#include <utility>

#include "alembert/report/simulate_report.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/model_section.hpp"
#include "report/parts/observability_section.hpp"
#include "report/parts/outcome_section.hpp"
#include "report/parts/signal_section.hpp"
#include "report/parts/study_sections.hpp"

namespace alembert::report {
namespace {

using study::SimulateResult;
using study::SimulateStudy;

std::string subtitle(const SimulateStudy& study) {
  if (study.model.mechanism) {
    return fmt::format("Motion of a mechanism with {}, recorded by {}",
                       count_of(study.model.mechanism->mechanism->coordinates(), "coordinate"),
                       count_of(static_cast<long long>(study.sensors.size()), "sensor"));
  }
  if (study.model.equations) {
    const auto count = [](const auto& list) { return static_cast<long long>(list.size()); };
    return fmt::format("Simulated response of differential equations with {} to {}, recorded by {}",
                       count_of(count(study.model.equations->model.states()), "state"),
                       count_of(count(study.inputs), "input"),
                       count_of(count(study.sensors), "sensor"));
  }
  return fmt::format("Simulated response of {} to {}, recorded by {}",
                     count_of(study.model.system.degrees_of_freedom(), "coordinate"),
                     count_of(study.model.system.inputs(), "input"),
                     count_of(static_cast<long long>(study.sensors.size()), "sensor"));
}

std::string method_words(const SimulateStudy& study) {
  if (study.model.mechanism) return "prescribed motion";
  if (study.model.equations) {
    const identify::SimulationOptions& simulation = study.model.equations->simulation;
    return fmt::format("{}, inputs {}", study::integrator_words(simulation),
                       study::between_name(simulation.between));
  }
  const integrate::LinearSimulationOptions& options = study.integration;
  const std::string hold = study::hold_name(options.hold);
  switch (options.method) {
    case integrate::Method::Variational:
      return "variational midpoint";
    case integrate::Method::Newmark:
      return fmt::format("Newmark, \u03b2 {:.4g}, \u03b3 {:.4g}", options.newmark_beta,
                         options.newmark_gamma);
    case integrate::Method::Gauss:
      return fmt::format("Gauss, {}, {} hold", count_of(options.gauss_stages, "stage"), hold);
    case integrate::Method::Exact:
      break;
  }
  return fmt::format("exact, {} hold", hold);
}

std::pair<std::string, std::string> what_moves(const study::ModelDescription& model) {
  if (model.mechanism) return {"coordinates", grouped(model.mechanism->mechanism->coordinates())};
  if (model.equations) return {"states", std::to_string(model.equations->model.states().size())};
  return {"degrees of freedom", grouped(model.system.degrees_of_freedom())};
}

std::vector<std::pair<std::string, std::string>> facts(const SimulateStudy& study) {
  std::vector<std::pair<std::string, std::string>> list = {
      what_moves(study.model),
      {"inputs", std::to_string(study.inputs.size())},
      {"sensors", grouped(static_cast<long long>(study.sensors.size()))},
      {"samples", grouped(study.samples)},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / study.step)},
      {"duration", fmt::format("{:.6g} s", study.step * static_cast<double>(study.samples))},
      {"method", method_words(study)},
      {"seed", std::to_string(study.seed)}};
  if (study.experiments > 1) {
    list.insert(list.begin() + 3, {"experiments", std::to_string(study.experiments)});
  }
  if (study.model.mechanism) list.erase(list.begin() + 1);  // it has no inputs
  return list;
}

std::string truth_words(const study::ModelDescription& model) {
  if (model.mechanism) {
    return "coordinates, velocities, accelerations and what the sensors see without errors";
  }
  return model.equations ? "inputs, states and what the sensors see without noise"
                         : "inputs, displacements, velocities and accelerations without noise";
}

Section what_is_seen(const SimulateResult& result) {
  if (!result.seen) return {.title = "", .blocks = {}};
  return observability_section(*result.study.model.mechanism->mechanism, result.seen->report,
                               result.seen->words);
}

Section simulate_files(const SimulateResult& result) {
  std::vector<std::pair<std::string, std::string>> files;
  if (!result.experiments.empty()) {
    const auto range = [&](const std::string& stem) {
      return file_range(stem, result.experiments.front().number, result.experiments.back().number,
                        result.study.experiments);
    };
    files.emplace_back(range("record"),
                       "inputs and what the sensors gave; a cell is empty where a sensor took no "
                       "sample");
    if (result.study.write_truth) {
      files.emplace_back(range("truth"), truth_words(result.study.model));
    }
  }
  return files_section(files);
}

}  // namespace

Document simulate_document(const SimulateResult& result) {
  const SimulateStudy& study = result.study;
  Document document{.title = study.title.empty() ? study.file.stem().string() : study.title,
                    .subtitle = subtitle(study),
                    .facts = facts(study),
                    .sections = {}};
  const std::optional<integrate::EnergyBalance> energy = first_energy_balance(result);
  for (Section section :
       {asked_section(study.file, study.text, study.overrides), outcome_section(result, energy),
        model_section(result), input_section(result), sensor_section(result), what_is_seen(result),
        energy_section(result, energy), simulate_files(result)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
