#pragma once

#include <vector>

#include "alembert/model/equations.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads the curves of [model.tables]. Where files may not be read each is a line, so that the
/// equations can be checked.
/// @param with_units the units of the columns are to be checked with the equations.
/// @throws DataError for a missing file or column, or a point without number.
[[nodiscard]] std::vector<model::EquationTable> read_equation_tables(const TableReader& tables,
                                                                     bool with_units,
                                                                     const FileContext& files);

}  // namespace alembert::study
