#include "alembert/report/simulate_report.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/energy_section.hpp"
#include "report/parts/input_section.hpp"
#include "report/parts/model_section.hpp"
#include "report/parts/observability_section.hpp"
#include "report/parts/outcome_section.hpp"
#include "report/parts/sensor_section.hpp"
#include "report/parts/study_sections.hpp"

namespace alembert::report {
namespace {

using study::SimulateResult;
using study::SimulateStudy;

long long count(const auto& list) { return static_cast<long long>(list.size()); }

std::string method_words(const integrate::LinearSimulationOptions& options) {
  switch (options.method) {
    case integrate::Method::Variational:
      return "variational midpoint";
    case integrate::Method::Newmark:
      return fmt::format("Newmark, \u03b2 {:.4g}, \u03b3 {:.4g}", options.newmark_beta,
                         options.newmark_gamma);
    case integrate::Method::Gauss:
      return fmt::format("Gauss, {}, {} hold", count_of(options.gauss_stages, "stage"),
                         integrate::hold_name(options.hold));
    case integrate::Method::Exact:
      break;
  }
  return fmt::format("exact, {} hold", integrate::hold_name(options.hold));
}

/// What the page says of a kind of model.
struct ModelWords {
  std::string subtitle, method;
  std::pair<std::string, std::string> size;  ///< what moves, and how many
  std::string truth;                         ///< what truth.csv holds
};

/// One overload for each kind of model.
struct ModelWordsOf {
  const SimulateStudy& study;

  ModelWords operator()(const study::LinearModel& model) const {
    return {fmt::format("Simulated response of {} to {}, recorded by {}",
                        count_of(model.system.degrees_of_freedom(), "coordinate"),
                        count_of(model.system.inputs(), "input"),
                        count_of(count(study.sensors), "sensor")),
            method_words(study.integration),
            {"degrees of freedom", grouped(model.system.degrees_of_freedom())},
            "inputs, displacements, velocities and accelerations without noise"};
  }
  ModelWords operator()(const study::EquationSystem& equations) const {
    return {fmt::format(
                "Simulated response of differential equations with {} to {}, recorded by {}",
                count_of(count(equations.model.states()), "state"),
                count_of(count(study.inputs), "input"), count_of(count(study.sensors), "sensor")),
            fmt::format("{}, inputs {}", study::integrator_words(equations.simulation),
                        name_of(equations.simulation.between)),
            {"states", std::to_string(equations.model.states().size())},
            "inputs, states and what the sensors see without noise"};
  }
  ModelWords operator()(const study::MovedMechanism& moved) const {
    const int coordinates = moved.mechanism->coordinates();
    return {
        fmt::format("Motion of a mechanism with {}, recorded by {}",
                    count_of(coordinates, "coordinate"), count_of(count(study.sensors), "sensor")),
        moved.released ? "motion by masses and forces" : "prescribed motion",
        {"coordinates", grouped(coordinates)},
        "coordinates, velocities, accelerations and what the sensors see without errors"};
  }
  ModelWords operator()(const study::MovedFlexible& moved) const {
    const int coordinates = moved.mechanism->coordinates();
    return {fmt::format("Motion of a mechanism with flexible bodies, {} and {}, recorded by {}",
                        count_of(coordinates, "coordinate"),
                        count_of(moved.mechanism->elastic(), "elastic displacement"),
                        count_of(count(study.sensors), "sensor")),
            std::string(name_of(moved.integration.method)),
            {"coordinates", grouped(moved.mechanism->unknowns())},
            "coordinates, velocities, accelerations, what the sensors see without errors, forces "
            "and elastic displacements"};
  }
};

std::vector<std::pair<std::string, std::string>> facts(const SimulateStudy& study,
                                                       const ModelWords& words) {
  std::vector<std::pair<std::string, std::string>> list = {
      words.size,
      {"inputs", std::to_string(study.inputs.size())},
      {"sensors", grouped(static_cast<long long>(study.sensors.size()))},
      {"samples", grouped(study.samples)},
      {"rate", fmt::format("{:.6g} Hz", 1.0 / study.step)},
      {"duration", fmt::format("{:.6g} s", study.step * static_cast<double>(study.samples))},
      {"method", words.method},
      {"seed", std::to_string(study.seed)}};
  if (study.experiments > 1) {
    list.insert(list.begin() + 3, {"experiments", std::to_string(study.experiments)});
  }
  const bool mechanism = study.mechanism() != nullptr || study.flexible() != nullptr;
  if (mechanism) list.erase(list.begin() + 1);  // it has no inputs
  return list;
}

Section what_is_seen(const document::ResultTree& tree) {
  const document::ResultTree* const seen = tree.find("observability");
  if (seen == nullptr) return {.title = "", .blocks = {}};
  return observability_section(*seen);
}

Section simulate_files(const SimulateResult& result, const ModelWords& words) {
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
      files.emplace_back(range("truth"), words.truth);
    }
  }
  if (result.flexible) {
    files.emplace_back("small_motions.mat",
                       "M, D, K, L of small motions about the position rest; A, B, C, E of their "
                       "state space");
  }
  return files_section(files);
}

}  // namespace

Document simulate_document(const SimulateResult& result) {
  const SimulateStudy& study = result.study;
  const document::ResultTree tree = describe(result);
  const ModelWords words = std::visit(ModelWordsOf{study}, study.model);
  Document document{.title = study.title.empty() ? study.file.stem().string() : study.title,
                    .subtitle = words.subtitle,
                    .facts = facts(study, words),
                    .sections = {}};
  const std::optional<integrate::EnergyBalance> energy = first_energy_balance(result);
  for (Section section :
       {asked_section(study.file, study.text, study.overrides),
        outcome_section(result, tree, energy), model_section(result, tree),
        input_section(result, tree), sensor_section(result, tree), what_is_seen(tree),
        energy_section(result, energy), simulate_files(result, words)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace alembert::report
