#pragma once

#include <optional>
#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/simulate.hpp"
#include "study/parts/data/data_inputs.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/parts/data/sample_grid.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads the whole study for task [simulate] of a linear model, of equations or of a mechanism;
/// what is wrong is added to `problems`.
[[nodiscard]] SimulateStudy read_simulate(const TableReader& root, const FileContext& files,
                                          std::vector<Problem>& problems);
[[nodiscard]] SimulateStudy read_equation_simulate(const TableReader& root,
                                                   const FileContext& files,
                                                   std::vector<Problem>& problems);
[[nodiscard]] SimulateStudy read_mechanism_simulate(const TableReader& root,
                                                    const FileContext& files,
                                                    std::vector<Problem>& problems);

[[nodiscard]] SimulateStudy read_flexible_simulate(const TableReader& root,
                                                   const FileContext& files,
                                                   std::vector<Problem>& problems);

/// Reads start, step and samples, which data may fix. @throws StudyError
void read_time(const TableReader& simulate, const std::optional<DataInputs>& data,
               SimulateStudy& study);

/// Takes the notes of the data, and as many of their samples as the study has.
void use_data(std::optional<DataInputs>& data, SimulateStudy& study);

/// The samples of the study, once its times are read.
[[nodiscard]] SampleGrid grid_of(const SimulateStudy& study);

}  // namespace alembert::study
