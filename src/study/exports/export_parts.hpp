#pragma once

#include "alembert/study/export_study.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/records/state_space.hpp"
#include "alembert/study/reduce.hpp"
#include "alembert/study/simulate.hpp"

/// The export of each kind of study.
namespace alembert::study {

/// What all kinds are told.
struct ExportTask {
  const LoadedStudy& loaded;
  const ExportOptions& options;  ///< with a name
  const RunContext& context;
};

/// The error of a study of which something cannot be exported.
[[nodiscard]] StudyError not_exported(const ExportTask& task, const std::string& reason);

/// Writes the program as a unit of FMI 2.0; returns what is missing in it, "" if nothing is.
std::string write_fmu(const StudyExport& found, const std::filesystem::path& file);

[[nodiscard]] StudyExport export_equations(const SimulateStudy& study, const ExportTask& task);
[[nodiscard]] StudyExport export_equation_fit(const OutputErrorStudy& study,
                                              const ExportTask& task);
[[nodiscard]] StudyExport export_simulated_matrices(const SimulateStudy& study,
                                                    const ExportTask& task);
[[nodiscard]] StudyExport export_identified_matrices(const IdentifyStudy& study,
                                                     const ExportTask& task);
[[nodiscard]] StudyExport export_state_space(const StateSpaceStudy& study, const ExportTask& task);
[[nodiscard]] StudyExport export_reduced(const ReduceStudy& study, const ExportTask& task);

}  // namespace alembert::study
