#include "alembert/study/export_study.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/observe.hpp"
#include "study/exports/export_parts.hpp"

namespace alembert::study {
namespace {

constexpr const char* kWhich =
    "what can be exported: [simulate] of equations or matrices, [identify] by output-error, of M, "
    "D, K or of a state-space model, and [reduce]";

StudyExport export_simulation(const SimulateStudy& study, const ExportTask& task) {
  if (study.equations() != nullptr) return export_equations(study, task);
  if (study.linear() != nullptr) return export_simulated_matrices(study, task);
  throw not_exported(task, std::string("a mechanism cannot be exported yet; ") + kWhich);
}

StudyExport export_any(const ExportTask& task) {
  const LoadedStudy& loaded = task.loaded;
  if (const auto* study = loaded.as<SimulateStudy>()) return export_simulation(*study, task);
  if (const auto* study = loaded.as<OutputErrorStudy>()) return export_equation_fit(*study, task);
  if (const auto* study = loaded.as<IdentifyStudy>()) {
    return export_identified_matrices(*study, task);
  }
  if (const auto* study = loaded.as<StateSpaceStudy>()) return export_state_space(*study, task);
  if (const auto* study = loaded.as<ReduceStudy>()) return export_reduced(*study, task);
  if (loaded.as<ObserveStudy>() != nullptr) {
    throw not_exported(task,
                       std::string("an observer of a mechanism cannot be exported yet; ") + kWhich);
  }
  throw not_exported(task, std::string("this kind of study has no model to export; ") + kWhich);
}

}  // namespace

StudyError not_exported(const ExportTask& task, const std::string& reason) {
  return StudyError(task.loaded.place, "export: " + reason);
}

StudyExport export_study(const LoadedStudy& loaded, const ExportOptions& options,
                         const RunContext& context) {
  ExportOptions named = options;
  if (named.name.empty()) {
    const std::filesystem::path file = loaded.files.empty() ? "model" : loaded.files.front();
    named.name = file.stem().string();
  }
  named.name = code::c_name(named.name);
  try {
    return export_any({loaded, named, context});
  } catch (const InvalidInput& error) {
    throw StudyError(loaded.place, "export: " + error.reason());
  }
}

}  // namespace alembert::study
