#pragma once

#include "alembert/study/modes.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads the frequency responses of data.frf within the band of the settings.
/// @throws DataError, StudyError
void read_modes_responses(const TableReader& data, const FileContext& files, ModesStudy& study);

}  // namespace alembert::study
