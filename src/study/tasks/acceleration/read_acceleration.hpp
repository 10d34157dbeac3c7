#pragma once

#include <vector>

#include "alembert/study/acceleration.hpp"
#include "alembert/study/detail/problem.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/parts/data/named_columns.hpp"

namespace alembert::study {

/// Reads the files of [data] into the records of the study, in SI units.
/// @throws DataError, StudyError
void read_motion_records(const TableReader& data, const std::vector<NamedColumn>& inputs,
                         const FileContext& files, AccelerationStudy& study);

/// Reads [identify.static]. @throws DataError, StudyError
[[nodiscard]] StaticTest read_static_test(const TableReader& table, const FileContext& files,
                                          std::vector<std::string>& notes);

/// Reads the whole study for [identify] with method = "acceleration"; what is wrong is added to
/// `problems`.
[[nodiscard]] AccelerationStudy read_acceleration(const TableReader& root, const FileContext& files,
                                                  std::vector<Problem>& problems);

}  // namespace alembert::study
