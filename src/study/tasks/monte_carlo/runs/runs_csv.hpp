#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace alembert::study {

/// A number in a cell: the shortest text, nothing where it is not finite.
[[nodiscard]] std::string csv_number(double value);

/// Writes rows of cells, quoted where they must be. @throws DataError if that fails.
void write_cells(const std::filesystem::path& file,
                 const std::vector<std::vector<std::string>>& rows);

}  // namespace alembert::study
