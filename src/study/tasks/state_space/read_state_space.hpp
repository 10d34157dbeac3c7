#pragma once

#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/records/state_space.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads the whole study for [identify] with method = "state-space"; what is wrong is added to
/// `problems`.
[[nodiscard]] StateSpaceStudy read_state_space(const TableReader& root, const FileContext& files,
                                               std::vector<Problem>& problems);

}  // namespace alembert::study
