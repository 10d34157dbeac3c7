#pragma once

#include <string>
#include <vector>

#include "alembert/study/observe.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads the readings of the sensors from data.file and from files of their own; converts units.
/// Needs the mechanism and the columns. @throws DataError, StudyError
void read_observe_data(const TableReader& data, const FileContext& files, ObserveStudy& study);

/// The factor from the unit of a column to that of the readings. The readings of an encoder with
/// counts are counts; a column in rad or another unit of angles is counts times 2π over those of a
/// turn. @throws DataError if the units do not fit.
[[nodiscard]] double reading_factor(const FileColumn& column, const SensorColumn& use,
                                    const model::planar::Sensor& sensor,
                                    std::vector<std::string>& notes);

}  // namespace alembert::study
