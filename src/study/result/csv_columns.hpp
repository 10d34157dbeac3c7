#pragma once

#include <filesystem>

#include "alembert/io/detail/tree.hpp"

namespace alembert::study {

/// The columns of a CSV file of a result, and their units where it gives some.
struct ResultColumns {
  io::TreeValue::Group columns;  ///< vectors; lists of texts where a cell is no number
  io::TreeValue::Group units;    ///< texts, by the same names
};

/// Reads a record, or another table with a line of names (runs.csv). @throws DataError
[[nodiscard]] ResultColumns result_columns(const std::filesystem::path& file);

}  // namespace alembert::study
