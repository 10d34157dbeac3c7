#pragma once

#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/mechanism/mechanism_fit.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads the whole study; what is wrong is added to `problems`.
[[nodiscard]] MechanismFitStudy read_mechanism_fit(const TableReader& root,
                                                   const FileContext& files,
                                                   std::vector<Problem>& problems);

}  // namespace alembert::study
