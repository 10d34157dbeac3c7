#pragma once

#include <string>
#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/identify.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/parts/data/named_columns.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads [model] for the inputs that [data] gives: coordinates, force distribution, units, nominal
/// matrices. Sorts the inputs as model.inputs does. @throws StudyError, DataError
[[nodiscard]] LinearModel read_identify_model(const TableReader& model,
                                              std::vector<NamedColumn>& inputs,
                                              const FileContext& files);

/// Reads what is known of the matrices into study.settings and study.structure. Returns whether
/// every entry is free. @throws StudyError
bool read_structure(const TableReader& model, IdentifyStudy& study);

/// Reads [sensors] for the outputs that [data] names. Problems are collected.
void read_output_sensors(const TableReader& root, const std::vector<NamedColumn>& outputs,
                         IdentifyStudy& study, std::vector<Problem>& problems);

/// Reads the files of [data] and [data.validation] into the study; converts units.
/// @throws DataError for missing files or columns, uneven times, units that do not fit, ...
void read_measured(const TableReader& data, const std::vector<NamedColumn>& inputs,
                   const std::vector<NamedColumn>& outputs, const FileContext& files,
                   IdentifyStudy& study);

/// Looks at the data; what makes them useless is a problem at the key of the channel, the rest
/// becomes study.remarks.
void examine_data(const TableReader& data, const std::vector<NamedColumn>& inputs,
                  const std::vector<NamedColumn>& outputs, IdentifyStudy& study,
                  std::vector<Problem>& problems);

/// Reads [identify] and checks that the methods suit sensors and forces.
void read_settings(const TableReader& root, bool all_free, IdentifyStudy& study,
                   std::vector<Problem>& problems);

/// Checks that the data suit the methods: a subspace step takes no missing samples.
void check_settings_on_data(const TableReader& root, const IdentifyStudy& study,
                            std::vector<Problem>& problems);

/// Reads the whole study for task [identify]; what is wrong is added to `problems`.
[[nodiscard]] IdentifyStudy read_identify(const TableReader& root, const FileContext& files,
                                          std::vector<Problem>& problems);

}  // namespace alembert::study
