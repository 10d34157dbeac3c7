#pragma once

#include "alembert/study/modes.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads [geometry]; the responses of the study must be known. What the picture leaves out goes
/// into the notes of the study. @throws DataError, StudyError
void read_modes_geometry(const TableReader& geometry, const FileContext& files, ModesStudy& study);

}  // namespace alembert::study
