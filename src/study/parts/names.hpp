#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "study/schema/table_reader.hpp"

/// Names that a study gives to coordinates, inputs, sensors and columns.
namespace alembert::study {

/// Whether a text can serve as a name.
[[nodiscard]] bool is_name(const std::string& text);

/// Checks that names are usable in records: not empty, no blanks, commas or quotes, unique, and
/// not "all", which studies reserve. @throws StudyError at the key
void check_names(const TableReader& table, const std::string& key,
                 const std::vector<std::string>& names);

/// Index of a name, or -1.
[[nodiscard]] Eigen::Index index_of(const std::vector<std::string>& names, const std::string& name);

}  // namespace alembert::study
