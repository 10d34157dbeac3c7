#pragma once

#include <string>
#include <vector>

#include "alembert/identify/parametrisation.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads the elements of a lumped model. @throws StudyError
[[nodiscard]] identify::Parametrisation read_elements(const TableReader& elements,
                                                      const std::vector<std::string>& coordinates);

}  // namespace alembert::study
